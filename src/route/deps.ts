import type { AuditRecord, AuditSink, QuarantineItem } from '../record/index.js';
import type { Send, UpstreamPlan } from '../upstream/index.js';
import type { AgentAnswer, IncomingCall } from './call.js';

export type { QuarantineItem } from '../record/index.js';

/**
 * What the pipeline needs from outside. The server gives it the network and the files; a fixture run gives it one
 * recorded answer and a fixed clock. The stages in between are the same.
 */
export interface PipelineDeps {
  /** How to reach an upstream. */
  send(upstream: UpstreamPlan): Send;
  /** Milliseconds since the epoch. */
  now(): number;
  /** `^[A-Za-z0-9][A-Za-z0-9_.]{7,63}$` */
  newRequestId(): string;
  /** Undefined: no audit is configured. */
  readonly audit: AuditSink | undefined;
  /** Retains the raw bytes of a refused answer; returns the reference for the record. Never throws, never waits. */
  quarantine?(item: QuarantineItem): string | null;
  /** Most decoded bytes of an answer that are held for quarantine; 0 without one. */
  readonly retainBytes: number;
  /** Called once per call with what makes its complete record, now or later. Never throws. */
  log(record: () => AuditRecord): void;
  /** Called with what was thrown when a call ends INTERNAL. */
  bug(requestId: string, error: unknown): void;
  readonly configDigest: string;
  readonly version: string;
  readonly acceptRequestId: boolean;
  /** What `www-authenticate` names on a 401. Default `Bearer`. */
  readonly challenge?: string | undefined;
}

/** Runs one call through the eleven stages. Never rejects. */
export type Pipeline = (call: IncomingCall) => Promise<AgentAnswer>;
