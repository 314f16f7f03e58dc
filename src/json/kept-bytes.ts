/** First block; each further one is as large as all before it, so that nothing is copied twice and little is empty. */
const FIRST_BLOCK = 1_024;

/**
 * Bytes that are kept while they arrive, copied: a chunk is only valid during the call. A chunk of its own for each piece
 * would take some 250 bytes for every byte of a body that comes byte by byte, as chunked framing lets it.
 */
export class KeptBytes {
  readonly #full: Uint8Array[] = [];
  #block = new Uint8Array(0);
  #used = 0;
  #length = 0;

  get byteLength(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const room = this.#block.byteLength - this.#used;
    const fits = chunk.subarray(0, room);
    this.#block.set(fits, this.#used);
    this.#used += fits.byteLength;
    this.#length += chunk.byteLength;
    const rest = chunk.subarray(room);
    if (rest.byteLength === 0) return;
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = new Uint8Array(Math.max(FIRST_BLOCK, this.#length, rest.byteLength));
    this.#block.set(rest);
    this.#used = rest.byteLength;
  }

  /** Everything so far, in one piece. */
  bytes(): Buffer<ArrayBuffer> {
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)], this.#length);
  }
}
