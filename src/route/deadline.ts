import { Fault } from '../fault/index.js';
import type { Cancellation } from '../upstream/index.js';

/** The one absolute deadline of a call, over every attempt and the whole body. */
export class Deadline {
  readonly #cancellation: Cancellation;
  readonly #timer: NodeJS.Timeout;

  constructor(totalMs: number, cancellation: Cancellation) {
    this.#cancellation = cancellation;
    this.#timer = setTimeout(passed, totalMs, cancellation);
  }

  /** Resolves after `ms`, or at once when the call has to end. */
  async pause(ms: number): Promise<void> {
    const cancellation = this.#cancellation;
    if (cancellation.fault !== undefined) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        cancellation.off(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      cancellation.on(done);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function passed(cancellation: Cancellation): void {
  cancellation.cancel(new Fault('UPS_TOTAL_TIMEOUT'));
}
