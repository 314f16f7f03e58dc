/** Up to here a loop copies faster than a view that must be made first. */
const SHORT_RUN = 64;

/** Bytes that are kept: grows by doubling, so that any number of appends is linear in what is appended. */
export class ByteBuffer {
  private bytes: Buffer;
  private used = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.alloc(capacity);
  }

  get length(): number {
    return this.used;
  }

  push(byte: number): void {
    this.reserve(1);
    this.bytes[this.used++] = byte;
  }

  /** Copies `chunk[from..to)`; the chunk itself is never held. */
  append(chunk: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    if (to - from > SHORT_RUN) this.bytes.set(chunk.subarray(from, to), this.used);
    else for (let i = from; i < to; i++) this.bytes[this.used + i - from] = chunk[i] ?? 0;
    this.used += to - from;
  }

  appendAll(other: ByteBuffer): void {
    this.append(other.bytes, 0, other.used);
  }

  /** The bytes from an index to the end, as text. They must be whole UTF-8 sequences. */
  text(from = 0): string {
    return this.bytes.toString('utf8', from, this.used);
  }

  /** A copy of exactly the bytes held. */
  copy(): Uint8Array {
    return new Uint8Array(this.bytes.subarray(0, this.used));
  }

  clear(): void {
    this.used = 0;
  }

  private reserve(more: number): void {
    const needed = this.used + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.used));
    this.bytes = larger;
  }
}
