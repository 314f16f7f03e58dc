import { Worker } from 'node:worker_threads';
import { type BodyDigest, sha256Hex } from './digest.js';
import { ABANDONED, COMPLETE, RingWriter, ringMemory, SLOT_BYTES } from './hash-ring.js';
import type { HashMessage } from './hash-worker.js';

/** Seen alike from this folder and from where the bundle of the program stands. */
const SCRIPT = new URL('../record/hash-worker.js', import.meta.url);
/** Bodies at a time; each may hold a slot that is not full, and there must be others left to go round. */
const MOST_BODIES = 32;
/** How long the thread may take for 64 KiB before it counts as dead; it takes 50 us. */
const WAIT_MS = 5_000;
/** It needs little, and takes what it is allowed. */
const RESOURCES = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 };

interface Waiting {
  resolve(hex: string): void;
  reject(error: Error): void;
}

/**
 * The thread that hashes bodies while this one reads and scans them. It is started when it is first wanted, and takes
 * bodies once it is there. One that fails takes its digests along, and none comes after it.
 */
export class HashThread {
  #worker: Worker | undefined;
  #ring: RingWriter | undefined;
  #state: 'none' | 'starting' | 'ready' | 'failed' = 'none';
  #last = 0;
  #bodies = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #script: URL;
  readonly #waitMs: number;

  constructor(script = SCRIPT, waitMs = WAIT_MS) {
    this.#script = script;
    this.#waitMs = waitMs;
  }

  /** A body to be hashed there, or undefined where it had better be hashed here. */
  open(): ThreadedHash | undefined {
    if (this.#state === 'none') this.#start();
    if (this.#state !== 'ready' || this.#ring === undefined || this.#bodies >= MOST_BODIES) return undefined;
    this.#bodies += 1;
    this.#last = (this.#last + 1) | 0;
    return new ThreadedHash(this.#ring, this.#last, this);
  }

  /** Resolves with the digest of a body that is complete; rejects where the thread has failed. */
  wait(body: number): Promise<string> {
    const digest = new Promise<string>((resolve, reject) => {
      if (this.#state !== 'ready') {
        reject(new Error('the thread that hashes has failed'));
        return;
      }
      if (this.#waiting.size === 0) this.#worker?.ref();
      this.#waiting.set(body, { resolve, reject });
    });
    // Whoever asked may have failed meanwhile, and not wait any more
    digest.catch(() => undefined);
    return digest;
  }

  /** A body is done with. */
  close(): void {
    this.#bodies -= 1;
  }

  #start(): void {
    this.#state = 'starting';
    const memory = ringMemory();
    this.#ring = new RingWriter(memory, this.#waitMs);
    const worker = new Worker(this.#script, {
      workerData: memory,
      resourceLimits: RESOURCES,
      execArgv: [],
      env: {},
    });
    worker.on('message', (message: HashMessage) => this.#told(message));
    worker.on('error', (error) => this.#failed(error));
    worker.on('exit', () => this.#failed(new Error('the thread that hashes has ended')));
    // Whoever waits for a digest keeps the process alive; a thread that waits for a body does not.
    worker.unref();
    this.#worker = worker;
  }

  #told(message: HashMessage): void {
    if (message === 'ready') {
      this.#state = 'ready';
      return;
    }
    const [body, hex] = message;
    const waiting = this.#waiting.get(body);
    this.#waiting.delete(body);
    if (this.#waiting.size === 0) this.#worker?.unref();
    waiting?.resolve(hex);
  }

  #failed(error: unknown): void {
    this.#state = 'failed';
    const cause = error instanceof Error ? error : new Error(String(error));
    for (const { reject } of this.#waiting.values()) reject(cause);
    this.#waiting.clear();
  }
}

/**
 * SHA-256 of one body. What fits into one slot is hashed here after all: it takes less than to tell the other thread. One
 * of `hex` and `abandon` is to be called.
 */
export class ThreadedHash implements BodyDigest {
  readonly #ring: RingWriter;
  readonly #body: number;
  readonly #thread: HashThread;
  /** The slot that is being filled. */
  #slot: number | undefined;
  #filled = 0;
  /** The other thread has some of it. */
  #isHanded = false;

  constructor(ring: RingWriter, body: number, thread: HashThread) {
    this.#ring = ring;
    this.#body = body;
    this.#thread = thread;
  }

  /** The bytes are copied. Throws where the thread has failed. */
  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#slot !== undefined && this.#filled === SLOT_BYTES) this.#hand(this.#slot);
      this.#slot ??= this.#ring.takeSlot();
      const part = bytes.subarray(at, at + SLOT_BYTES - this.#filled);
      this.#ring.bytesOf(this.#slot).set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
    }
  }

  hex(): string | Promise<string> {
    this.#thread.close();
    if (!this.#isHanded) {
      const bytes = this.#slot === undefined ? '' : this.#ring.bytesOf(this.#slot).subarray(0, this.#filled);
      const hex = sha256Hex(bytes);
      this.#dropSlot();
      return hex;
    }
    if (this.#slot !== undefined) this.#hand(this.#slot);
    this.#ring.write(this.#body, COMPLETE);
    return this.#thread.wait(this.#body);
  }

  abandon(): void {
    this.#thread.close();
    this.#dropSlot();
    if (this.#isHanded) this.#ring.write(this.#body, ABANDONED);
  }

  #hand(slot: number): void {
    this.#ring.write(this.#body, this.#filled, slot);
    this.#isHanded = true;
    this.#slot = undefined;
    this.#filled = 0;
  }

  #dropSlot(): void {
    if (this.#slot !== undefined) this.#ring.giveBack(this.#slot);
    this.#slot = undefined;
  }
}
