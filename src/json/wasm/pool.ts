import { Instance } from './instance.js';

/** Instances that are kept while nobody scans. */
const MOST_IDLE = 8;
/** An instance that has grown beyond this, by a large kept part or a large object, is not kept: memory never shrinks. */
const MOST_IDLE_BYTES = 4 << 20;

/**
 * Instances between scans: at most 8 of at most 4 MiB each. A burst makes as many as it needs at once; those too many
 * or too large are left to the garbage collector when they come back, and so is one that is never given back.
 */
export class Pool {
  private readonly waiting: Instance[] = [];

  /** How many instances wait for a scan. */
  get idle(): number {
    return this.waiting.length;
  }

  take(): Instance {
    return this.waiting.pop() ?? new Instance();
  }

  /** Only after a scan that ended in a result or a fault, and when nobody looks at its kept part any more. */
  giveBack(instance: Instance): void {
    if (this.idle < MOST_IDLE && instance.memoryBytes <= MOST_IDLE_BYTES) this.waiting.push(instance);
  }
}

export const POOL = new Pool();
