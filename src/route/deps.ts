import type { AuditRecord, AuditSink } from '../record/index.js';
import type { Send, UpstreamPlan } from '../upstream/index.js';
import type { AgentAnswer, IncomingCall } from './call.js';

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
  /** Called once per call with its complete record. */
  log(record: AuditRecord): void;
  /** Called with what was thrown when a call ends INTERNAL. */
  bug(requestId: string, error: unknown): void;
  readonly configDigest: string;
  readonly version: string;
  readonly acceptRequestId: boolean;
}

export interface QuarantineItem {
  readonly requestId: string;
  readonly time: number;
  readonly tool: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** What was kept of the decoded body, from its start. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly code: string;
  readonly instance: string | null;
}

/** Runs one call through the eleven stages. Never rejects. */
export type Pipeline = (call: IncomingCall) => Promise<AgentAnswer>;
