const CR = 0x0d;
const LF = 0x0a;
const ZERO = 0x30;
const ONE = 0x31;
const TWO = 0x32;

/** `HTTP/1.1 200`: where the version and the status code stand (RFC 9112 section 4). */
const VERSION_AT = 5;
const STATUS_AT = 9;
const STATUS_END = 12;

/**
 * Follows the bytes of an answer up to the end of its final head, before the parser gets them.
 *
 * undici tells neither how long status lines are nor which version they name, and does not bound them; and it closes
 * the connection at `100 Continue`, although a client must be able to take any interim response (RFC 9110 section
 * 15.2), this one too. A 100 is therefore shown to it as 102, which means as little.
 *
 * It need not be strict: what it does not understand, the parser refuses.
 */
export class HeadWatch {
  /** Bytes of status lines and headers so far, interim responses included. */
  bytes = 0;
  /** The final head is complete. */
  done = false;
  #start = '';
  #position = 0;
  /** How much of CR LF CR LF has gone by. */
  #lineEnd = 0;

  /** The version in the last status line, `1.1`. */
  get version(): string {
    return this.#start.slice(VERSION_AT, STATUS_AT - 1);
  }

  /** Takes the next bytes; changes the status 100 in place. */
  take(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length && !this.done; i++) {
      this.bytes += 1;
      this.#take(chunk, i);
    }
  }

  #take(chunk: Uint8Array, at: number): void {
    const byte = chunk[at] ?? 0;
    // RFC 9112 section 2.2: empty lines before a message are skipped
    if (this.#position === 0 && (byte === CR || byte === LF)) return;
    if (this.#position < STATUS_END) {
      if (this.#position === 0) this.#start = '';
      this.#start += String.fromCharCode(byte);
      if (this.#position === STATUS_END - 1 && byte === ZERO && this.#start.endsWith(' 100')) chunk[at] = TWO;
    }
    this.#position += 1;
    const wanted = this.#lineEnd % 2 === 0 ? CR : LF;
    this.#lineEnd = byte === wanted ? this.#lineEnd + 1 : byte === CR ? 1 : 0;
    if (this.#lineEnd < 4) return;
    this.done = this.#start.charCodeAt(STATUS_AT) !== ONE;
    this.#position = 0;
    this.#lineEnd = 0;
  }
}
