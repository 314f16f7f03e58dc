import type { AgentCode } from './agent-code.js';
import { type OperatorCode, operatorCode, type Stage } from './operator-code.js';

/** Where and how a call failed. For the operator only; nothing here holds text that the upstream wrote, except names inside a pointer. */
export interface FaultDetail {
  /** Replaces the table's agent code: a declared failure, or OUTCOME_UNKNOWN. */
  readonly agent?: AgentCode;
  /** JSON Pointer (RFC 6901) into the document the fault is about. */
  readonly instance?: string;
  /** JSON Pointer into the schema or contract that said no. */
  readonly schema?: string;
  /** Byte offset in the decoded body, from 0. */
  readonly offset?: number;
  /** Line and column in the decoded body, from 1; the column counts bytes. */
  readonly line?: number;
  readonly column?: number;
  /** The contract part that refused: a check id, a field name, a header name of ours. */
  readonly rule?: string;
  /** A sentence of ours. Numbers and names from contract or configuration only. */
  readonly note?: string;
  /** Seconds after which a retry makes sense, bounded (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number;
  /** Further findings, bounded in number. May be worked out only when it is read. */
  readonly related?: readonly RelatedFinding[] | undefined;
}

export interface RelatedFinding {
  readonly instance: string;
  readonly schema: string;
  /** The keyword that failed. */
  readonly rule: string;
}

/**
 * Why a call did not succeed. A value, never thrown: a throw is our bug and becomes INTERNAL.
 */
export class Fault {
  readonly code: OperatorCode;
  readonly detail: FaultDetail;

  constructor(code: OperatorCode, detail: FaultDetail = {}) {
    this.code = code;
    this.detail = detail;
  }

  get stage(): Stage {
    return operatorCode(this.code).stage;
  }

  /** What the agent is told. */
  get agent(): AgentCode {
    return this.detail.agent ?? operatorCode(this.code).agent;
  }

  /** The same fault under another agent code. */
  as(agent: AgentCode): Fault {
    return new Fault(this.code, { ...this.detail, agent });
  }
}
