import { Fault } from '../fault/index.js';

/**
 * The one absolute deadline of a call, over every attempt and the whole body. Its signal's reason is a Fault:
 * UPS_TOTAL_TIMEOUT, or REQ_ABORTED when the agent host went away.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #agent: AbortSignal | undefined;
  readonly #onAgentGone = () => this.#controller.abort(new Fault('REQ_ABORTED'));

  constructor(totalMs: number, agent: AbortSignal | undefined) {
    this.#timer = setTimeout(() => this.#controller.abort(new Fault('UPS_TOTAL_TIMEOUT')), totalMs);
    this.#agent = agent;
    if (agent?.aborted === true) this.#onAgentGone();
    agent?.addEventListener('abort', this.#onAgentGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the call has to end now; undefined while it may go on. */
  get fault(): Fault | undefined {
    return this.signal.aborted ? (this.signal.reason as Fault) : undefined;
  }

  /** Resolves after `ms`, or at once when the deadline passes. */
  async pause(ms: number): Promise<void> {
    if (this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.signal.addEventListener('abort', done);
    });
  }

  /** Ends whatever is still under way. */
  abandon(): void {
    this.#controller.abort(new Fault('INTERNAL'));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#agent?.removeEventListener('abort', this.#onAgentGone);
  }
}
