import type { AgentCode, FaultDetail, OperatorCode, Stage } from '../fault/index.js';

/** One line of the audit file: what happened in one call. Sizes in bytes, times in milliseconds where nothing else is said. */
export interface AuditRecord {
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly request_id: string;
  readonly sidecar: string;
  /** Null where no route matched. */
  readonly tool: string | null;
  readonly route: { readonly method: string; readonly path: string } | null;
  /** SHA-256 over the canonical target and body that left; null when nothing left. Digests are made for an audit file. */
  readonly request_sha256: string | null;
  /** Name of the agent identity that authenticated, where one is configured. */
  readonly agent: string | null;
  readonly contract: { readonly name: string; readonly version: string; readonly digest: string } | null;
  readonly config_digest: string;
  readonly upstream: string | null;
  readonly attempts: readonly AttemptRecord[];
  readonly outcome: 'success' | 'failure';
  readonly agent_code: AgentCode | null;
  readonly operator_code: OperatorCode | null;
  readonly stage: Stage | null;
  readonly fault: FaultDetail | null;
  /** Index of the alternative that accepted. */
  readonly alternative: number | null;
  /** SHA-256 over the decoded body, null when it was not read to its end. */
  readonly body_sha256: string | null;
  readonly answer: {
    readonly status: number;
    readonly sha256: string | null;
    readonly bytes: number;
  } | null;
  readonly quarantine: string | null;
  /** Microseconds per stage, over all attempts. */
  readonly stages_us: Readonly<Partial<Record<Stage, number>>>;
}

export interface AttemptRecord {
  readonly status: number | null;
  readonly ms: number;
  readonly wire_bytes: number;
  readonly decoded_bytes: number;
  readonly fault: OperatorCode | null;
}

/** Where audit records go. */
export interface AuditSink {
  /**
   * Resolves true once the record is kept as the mode demands, false if it cannot be. A function is called once, when its
   * record is written down; where that is later than now, what it throws is told as trouble and the record is lost.
   */
  append(record: AuditRecord | (() => AuditRecord)): Promise<boolean>;
  /** Whether the next append is expected to succeed; readiness looks at it. */
  readonly writable: boolean;
  close(): Promise<void>;
}
