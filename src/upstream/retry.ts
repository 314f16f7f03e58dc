import type { Fault, OperatorCode } from '../fault/index.js';
import { isSafe, type Method, type RetryPolicy } from './types.js';

/**
 * Faults that are worth another attempt, by the words of the configuration's `retry.on`. Not among them: what a
 * repetition will not heal (TLS), what ends the whole call (the total deadline, an agent that went away), and every
 * fault of the answer itself.
 */
const RETRYABLE: Readonly<Partial<Record<OperatorCode, readonly ('connect' | 'timeout')[]>>> = {
  UPS_DNS: ['connect'],
  UPS_CONNECT: ['connect'],
  // Mostly an idle connection that the upstream closed just as it was used again
  UPS_CLOSED: ['connect'],
  UPS_CONNECT_TIMEOUT: ['connect', 'timeout'],
  UPS_FIRST_BYTE_TIMEOUT: ['timeout'],
};

/** Faults that end the call, whatever status came before them. */
const FINAL: ReadonlySet<OperatorCode> = new Set<OperatorCode>([
  'UPS_TOTAL_TIMEOUT',
  'REQ_ABORTED',
  'INTERNAL',
]);

/**
 * Whether another attempt may start. Only for safe methods (RFC 9110 section 9.2.2 lets a client repeat those on its
 * own): after any other, nobody knows what the first attempt did.
 *
 * @param fault why the last attempt failed, where it did
 * @param status of its answer, where one came
 * @param attemptsMade including the last one
 * @param elapsedMs since the first attempt started
 */
export function mayRetry(
  policy: RetryPolicy,
  method: Method,
  fault: Fault | undefined,
  status: number | null | undefined,
  attemptsMade: number,
  elapsedMs: number,
): boolean {
  if (!isSafe(method)) return false;
  if (attemptsMade >= policy.attempts || elapsedMs >= policy.withinMs) return false;
  if (fault !== undefined && FINAL.has(fault.code)) return false;
  if (typeof status === 'number') return policy.on.has(status);
  return fault !== undefined && (RETRYABLE[fault.code] ?? []).some((kind) => policy.on.has(kind));
}

export const BACKOFF_BASE_MS = 100;
export const BACKOFF_CAP_MS = 2_000;

/**
 * How long to wait before the next attempt: full jitter over an exponential bound, so that sidecars that failed
 * together do not come back together.
 *
 * @param attempt the number of attempts made, from 1
 * @param random a number from 0 up to, not including, 1
 * @returns whole milliseconds from 0 up to, not including, the bound (100, 200, 400 ... at most 2,000)
 */
export function backoffMs(attempt: number, random: number): number {
  const bound = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.max(0, attempt - 1));
  return Math.floor(random * bound);
}
