import { Fault } from '../fault/index.js';
import { StaleConnection } from './stale-connection.js';

export interface BreakerPolicy {
  /** Failures in a row that open the circuit, at least 1. */
  readonly failures: number;
  /** How long it stays open before one request is let through to try, in milliseconds. */
  readonly openMs: number;
}

export interface BreakerStatus {
  /** `open`: nothing is sent. `half_open`: one request is on its way to try, and nothing else is sent. */
  readonly state: 'closed' | 'open' | 'half_open';
  /** Failures in a row so far. */
  readonly failures: number;
}

/** What `enter` gives and `left` takes back: which spell of which state a request was let through in. */
export type BreakerPass = number;

/**
 * A circuit breaker over one upstream: after some failures in a row, calls fail at once instead of each waiting for its
 * own time-out, until one request that is let through gets an answer.
 *
 * A failure is what an agent would be told as UPSTREAM_UNAVAILABLE (no connection, no answer in time) and a status of 5xx;
 * everything else that comes from the upstream shows that it is there, be it refused later. The head of an answer decides.
 */
export class Breaker {
  readonly #policy: BreakerPolicy;
  readonly #now: () => number;
  #state: BreakerStatus['state'] = 'closed';
  #failures = 0;
  /** When the next request may try; only meaningful while open. */
  #triesAt = 0;
  /** Counts the changes of state: what was let through before one says nothing about the time after it. */
  #spell = 0;

  /** @param now milliseconds on a clock that never goes back */
  constructor(policy: BreakerPolicy, now: () => number = () => performance.now()) {
    this.#policy = policy;
    this.#now = now;
  }

  get status(): BreakerStatus {
    return { state: this.#state, failures: this.#failures };
  }

  /** Lets a request through, whose end has to be told to `left`; or the fault it ends with. */
  enter(): BreakerPass | Fault {
    if (this.#state === 'closed') return this.#spell;
    const waitMs = this.#state === 'open' ? this.#triesAt - this.#now() : 0;
    if (this.#state === 'half_open' || waitMs > 0) {
      return new Fault('UPS_CIRCUIT_OPEN', {
        note: `${this.#failures} failures in a row`,
        retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
      });
    }
    this.#become('half_open');
    return this.#spell;
  }

  /** @param outcome the status of the answer, or why there is none */
  left(pass: BreakerPass, outcome: number | Fault): void {
    if (pass !== this.#spell) return;
    switch (verdictOn(outcome)) {
      case 'there':
        this.#failures = 0;
        if (this.#state !== 'closed') this.#become('closed');
        return;
      case 'unknown':
        // Whoever tried went away: the next one tries.
        if (this.#state === 'half_open') this.#become('open');
        return;
      case 'failed':
        this.#failures += 1;
        if (this.#state === 'closed' && this.#failures < this.#policy.failures) return;
        this.#triesAt = this.#now() + this.#policy.openMs;
        this.#become('open');
    }
  }

  #become(state: BreakerStatus['state']): void {
    this.#state = state;
    this.#spell += 1;
  }
}

function verdictOn(outcome: number | Fault): 'there' | 'failed' | 'unknown' {
  if (typeof outcome === 'number') return outcome >= 500 ? 'failed' : 'there';
  // An agent that went away, a bug of ours, a connection that nobody may have looked at any more
  if (outcome.agent === 'INTERNAL' || outcome instanceof StaleConnection) return 'unknown';
  return outcome.agent === 'UPSTREAM_UNAVAILABLE' ? 'failed' : 'there';
}
