/** A refused answer as the pipeline hands it to quarantine: what the upstream sent, and why it was refused. */
export interface QuarantineItem {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly tool: string;
  /** The upstream's HTTP status. */
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** What was kept of the decoded body, from its start. */
  readonly body: Uint8Array;
  /** The body went on after what was kept. */
  readonly truncated: boolean;
  /** Operator code. */
  readonly code: string;
  /** JSON Pointer (RFC 6901) of the finding. */
  readonly instance: string | null;
}
