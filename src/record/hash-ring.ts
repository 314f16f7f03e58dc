/**
 * Memory that two threads share, through which one hands the other pieces of bodies to be hashed: slots for the bytes, and
 * a ring of orders that say what to do with them. One thread writes orders and the other one takes them, in that order;
 * neither ever has to wait for a lock.
 */

/** Bytes that go along with one order. */
export const SLOT_BYTES = 65_536;
const SLOTS = 64;
/** More than can be under way: one for each slot, and an end for each body. */
const ORDERS = 256;
const ORDER_WORDS = 3;

// Words of the control memory; orders follow.
const WRITTEN = 0;
const DONE = 1;
const TAKER_SLEEPS = 2;
const WRITER_SLEEPS = 3;
const ORDERS_AT = 4;

/** Instead of a number of bytes: the body is complete, or nobody wants its digest any more. */
export const COMPLETE = -1;
export const ABANDONED = -2;

export interface RingMemory {
  readonly control: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
}

export function ringMemory(): RingMemory {
  return {
    control: new SharedArrayBuffer((ORDERS_AT + ORDERS * ORDER_WORDS) * Int32Array.BYTES_PER_ELEMENT),
    slots: new SharedArrayBuffer(SLOTS * SLOT_BYTES),
  };
}

function slotViews({ slots }: RingMemory): readonly Uint8Array[] {
  return Array.from({ length: SLOTS }, (_, i) => new Uint8Array(slots, i * SLOT_BYTES, SLOT_BYTES));
}

function orderAt(number: number): number {
  return ORDERS_AT + ((number >>> 0) % ORDERS) * ORDER_WORDS;
}

/** The side that has the bytes. */
export class RingWriter {
  readonly #control: Int32Array;
  readonly #slots: readonly Uint8Array[];
  readonly #waitMs: number;
  readonly #free = Array.from({ length: SLOTS }, (_, i) => i);
  /** Slots of the orders that were not known to be done; undefined for one without. */
  readonly #under: (number | undefined)[] = [];
  #written = 0;

  /** @param waitMs how long the other side may take for one order before it counts as dead */
  constructor(memory: RingMemory, waitMs: number) {
    this.#control = new Int32Array(memory.control);
    this.#slots = slotViews(memory);
    this.#waitMs = waitMs;
  }

  /** A slot to be filled; it waits until there is one, and throws where none comes. */
  takeSlot(): number {
    for (;;) {
      this.#collect();
      const slot = this.#free.pop();
      if (slot !== undefined) return slot;
      this.#waitForOrder();
    }
  }

  bytesOf(slot: number): Uint8Array {
    const bytes = this.#slots[slot];
    if (bytes === undefined) throw new Error(`no slot ${slot}`);
    return bytes;
  }

  /** A slot that was not used after all. */
  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  /** @param length of the bytes in `slot`, or COMPLETE or ABANDONED, without a slot */
  write(body: number, length: number, slot?: number): void {
    while (this.#under.length >= ORDERS) {
      this.#collect();
      if (this.#under.length >= ORDERS) this.#waitForOrder();
    }
    const at = orderAt(this.#written);
    this.#control[at] = body;
    this.#control[at + 1] = length;
    this.#control[at + 2] = slot ?? 0;
    this.#under.push(slot);
    this.#written = (this.#written + 1) | 0;
    Atomics.store(this.#control, WRITTEN, this.#written);
    if (Atomics.load(this.#control, TAKER_SLEEPS) !== 0) Atomics.notify(this.#control, WRITTEN);
  }

  /** Takes back the slots of what has been done. */
  #collect(): void {
    const left = (this.#written - Atomics.load(this.#control, DONE)) | 0;
    for (const slot of this.#under.splice(0, this.#under.length - left)) {
      if (slot !== undefined) this.#free.push(slot);
    }
  }

  /** What is waited for takes as long as it would have taken here. */
  #waitForOrder(): void {
    const done = (this.#written - this.#under.length) | 0;
    Atomics.store(this.#control, WRITER_SLEEPS, 1);
    const outcome = Atomics.wait(this.#control, DONE, done, this.#waitMs);
    Atomics.store(this.#control, WRITER_SLEEPS, 0);
    if (outcome === 'timed-out') throw new Error('the thread that hashes does not answer');
  }
}

/** The side that hashes. */
export class RingTaker {
  readonly #control: Int32Array;
  readonly #slots: readonly Uint8Array[];
  #taken = 0;

  constructor(memory: RingMemory) {
    this.#control = new Int32Array(memory.control);
    this.#slots = slotViews(memory);
  }

  /**
   * Waits for the next order and does it.
   *
   * @param act gets the body's number, its bytes or what else is said of it; the bytes are gone when it returns
   */
  next(act: (body: number, piece: Uint8Array | typeof COMPLETE | typeof ABANDONED) => void): void {
    while (Atomics.load(this.#control, WRITTEN) === this.#taken) this.#sleep();
    const at = orderAt(this.#taken);
    const body = this.#control[at] ?? 0;
    const length = this.#control[at + 1] ?? 0;
    const slot = this.#slots[this.#control[at + 2] ?? 0];
    if (length === COMPLETE || length === ABANDONED) act(body, length);
    else if (slot !== undefined) act(body, slot.subarray(0, length));
    this.#taken = (this.#taken + 1) | 0;
    Atomics.store(this.#control, DONE, this.#taken);
    if (Atomics.load(this.#control, WRITER_SLEEPS) !== 0) Atomics.notify(this.#control, DONE);
  }

  #sleep(): void {
    Atomics.store(this.#control, TAKER_SLEEPS, 1);
    Atomics.wait(this.#control, WRITTEN, this.#taken);
    Atomics.store(this.#control, TAKER_SLEEPS, 0);
  }
}
