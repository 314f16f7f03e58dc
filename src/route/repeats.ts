import type { Fault } from '../fault/index.js';
import { isInvalidAnswer, pauseBeforeRetry, StaleConnection } from '../upstream/index.js';
import type { Exchange } from './exchange.js';
import type { RoutePlan } from './plan.js';
import { isWrite, leavesOpen } from './write.js';

/** Which attempts may follow a failed one. Made when the first attempt of a call has failed. */
export class Repeats {
  readonly #plan: RoutePlan;
  readonly #startedAt: number;
  /** Attempts that count; one on a connection that turned out to be closed does not. */
  #made = 0;
  #invalidRepeated = false;
  #staleRepeated = false;

  /** @param startedAt when the first attempt started, by `performance.now()` */
  constructor(plan: RoutePlan, startedAt: number) {
    this.#plan = plan;
    this.#startedAt = startedAt;
  }

  /** Milliseconds to wait before the next attempt; undefined where `fault` is the end of the call. */
  after(fault: Fault, exchange: Exchange): number | undefined {
    const pause = this.#pause(fault, exchange);
    if (pause !== undefined && leavesOpen(exchange, fault)) exchange.writeOpen = true;
    return pause;
  }

  #pause(fault: Fault, exchange: Exchange): number | undefined {
    const { retry } = this.#plan;
    const isRepeatable = !isWrite(this.#plan);
    // RFC 9112 section 9.3.1: only what changes nothing, and no repeat of a repeat.
    if (fault instanceof StaleConnection && isRepeatable && !this.#staleRepeated) {
      this.#staleRepeated = true;
      return 0;
    }
    this.#made += 1;
    if (!isRepeatable && retry.idempotencyKey === undefined) return undefined;
    const attempt = {
      fault,
      status: exchange.attempts.at(-1)?.status ?? null,
      retryAfter: exchange.retryAfter,
      made: this.#made,
      elapsedMs: performance.now() - this.#startedAt,
      invalidRepeated: this.#invalidRepeated,
    };
    const pause = pauseBeforeRetry(retry, attempt, Math.random());
    if (pause !== undefined && isInvalidAnswer(fault)) this.#invalidRepeated = true;
    return pause;
  }
}
