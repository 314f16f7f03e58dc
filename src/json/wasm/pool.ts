import { Instance } from './instance.js';

/** Most bytes of all instances together that are kept while nobody scans: some thirty of the usual size. */
const MOST_IDLE_BYTES = 32 << 20;
/** An instance that has grown beyond this, by a large kept part or a large object, is not kept: memory never shrinks. */
const MOST_BYTES = 4 << 20;
/** After so many scans, instances that none of them needed are given up. */
const SWEEP_SCANS = 1_000;

/**
 * Instances between scans, 32 MiB of them at most. A new one costs more than scanning 64 KiB does, so that what a burst
 * needed is kept until it shows that it was one; those too many or too large are left to the garbage collector when they
 * come back, and so is one that is never given back.
 */
export class Pool {
  private readonly waiting: Instance[] = [];
  private waitingBytes = 0;
  private scans = 0;
  /** How many waited when the fewest did, since the last sweep. */
  private fewest = 0;

  /** How many instances wait for a scan. */
  get idle(): number {
    return this.waiting.length;
  }

  take(): Instance {
    const instance = this.waiting.pop();
    this.fewest = Math.min(this.fewest, this.idle);
    if (instance === undefined) return new Instance();
    this.waitingBytes -= instance.memoryBytes;
    return instance;
  }

  /** Only when nobody looks at its kept part any more, and never one that has thrown. */
  giveBack(instance: Instance): void {
    const bytes = instance.memoryBytes;
    if (bytes <= MOST_BYTES && this.waitingBytes + bytes <= MOST_IDLE_BYTES) {
      this.waiting.push(instance);
      this.waitingBytes += bytes;
    }
    this.scans += 1;
    if (this.scans >= SWEEP_SCANS) this.sweep();
  }

  /** The instance that came last is taken first, so that those nobody needed are the first ones. */
  private sweep(): void {
    for (const instance of this.waiting.splice(0, this.fewest)) this.waitingBytes -= instance.memoryBytes;
    this.scans = 0;
    this.fewest = this.idle;
  }
}

export const POOL = new Pool();
