import { type Fault, type OperatorCode, operatorCode } from '../fault/index.js';
import type { Backoff, RetryPolicy, RetryReason } from './types.js';

/**
 * Faults that are worth another attempt, by the words of the configuration's `retry.on`. Not among them: what a
 * repetition will not heal (TLS, an open circuit) and what ends the whole call (the total deadline, an agent that went
 * away). Of the faults of an answer, only `invalid_response` and `unavailable` say that they are to be repeated.
 */
const RETRYABLE: Readonly<Partial<Record<OperatorCode, readonly RetryReason[]>>> = {
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
  'UPS_CIRCUIT_OPEN',
  'REQ_ABORTED',
  'INTERNAL',
]);

/** What is known once an attempt has failed. */
export interface FailedAttempt {
  readonly fault: Fault;
  /** Status of the answer; null where none came. */
  readonly status: number | null;
  /** Seconds for which the answer asks to wait (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number | undefined;
  /** Attempts made, this one included. */
  readonly made: number;
  /** Since the first attempt started. */
  readonly elapsedMs: number;
  /** An invalid answer has been repeated before. */
  readonly invalidRepeated?: boolean;
}

/**
 * How long to wait before another attempt; undefined where none may start. That it may start at all, because the call
 * changes nothing or carries an idempotency key, is for the caller to know (RFC 9110 section 9.2.2).
 *
 * An upstream that asks to wait is waited for, or, where that ends after the budget, not asked again.
 *
 * @param random a number from 0 up to, not including, 1
 * @returns milliseconds
 */
export function pauseBeforeRetry(
  policy: RetryPolicy,
  attempt: FailedAttempt,
  random: number,
): number | undefined {
  if (attempt.made >= policy.attempts || !qualifies(policy.on, attempt)) return undefined;
  const asked = (attempt.retryAfter ?? 0) * 1000;
  const pause = Math.max(asked, backoffMs(attempt.made, random, policy.backoff));
  return attempt.elapsedMs + pause < policy.withinMs ? pause : undefined;
}

/** The answer itself was refused, and not because a contract says that it means INVALID_RESPONSE. */
export function isInvalidAnswer({ code }: Fault): boolean {
  return operatorCode(code).agent === 'INVALID_RESPONSE' && code !== 'CON_DECLARED_FAILURE';
}

function qualifies(on: ReadonlySet<RetryReason>, { fault, status, invalidRepeated }: FailedAttempt): boolean {
  const { code } = fault;
  if (FINAL.has(code)) return false;
  const byStatus = status !== null && on.has(status);
  // Whoever sends invalid answers at will must not be able to have a call repeated more than once by them.
  if (isInvalidAnswer(fault)) return invalidRepeated !== true && (byStatus || on.has('invalid_response'));
  if (byStatus) return true;
  if (code === 'CON_DECLARED_FAILURE') return fault.agent === 'UPSTREAM_UNAVAILABLE' && on.has('unavailable');
  return (RETRYABLE[code] ?? []).some((reason) => on.has(reason));
}

export const DEFAULT_BACKOFF: Backoff = { baseMs: 100, capMs: 2_000 };

/**
 * A pause with full jitter over an exponential bound, so that sidecars that failed together do not come back together.
 *
 * @param attempt the number of attempts made, from 1
 * @param random a number from 0 up to, not including, 1
 * @returns whole milliseconds from 0 up to, not including, the bound (by default 100, 200, 400 ... at most 2,000)
 */
export function backoffMs(attempt: number, random: number, { baseMs, capMs } = DEFAULT_BACKOFF): number {
  const bound = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt - 1));
  return Math.floor(random * bound);
}
