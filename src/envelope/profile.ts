/**
 * How a failed call is told to the agent: data, never code. Every part is a constant but for the three
 * placeholders `{code}`, `{retryable}` and `{request_id}`; nothing the upstream wrote can stand in it.
 */
export interface FailureProfile {
  readonly name: string;
  /** Replaces the HTTP status of every failure. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON value; a string that is exactly a placeholder takes its value, `{retryable}` as a boolean. Absent: the envelope. */
  readonly body?: unknown;
}
