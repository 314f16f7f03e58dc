import type { Fault } from '../fault/index.js';

type Listener = (fault: Fault) => void;

/**
 * The one reason for which a call ends before its work is done, and those who have to stop when it comes: the deadline
 * passed (UPS_TOTAL_TIMEOUT), the agent host went away (REQ_ABORTED), a bug of ours (INTERNAL). Only the first reason
 * counts. An AbortSignal would say the same, and costs more per call than scanning a small answer does.
 */
export class Cancellation {
  #fault: Fault | undefined;
  #listeners: Listener[] = [];

  /** Why the call has to end; undefined while it may go on. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Tells every listener, once, in the order in which they came; none may throw. */
  cancel(fault: Fault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(fault);
  }

  /** `listener` is called when the reason comes; not for one that has come already. */
  on(listener: Listener): void {
    this.#listeners.push(listener);
  }

  off(listener: Listener): void {
    const at = this.#listeners.lastIndexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}
