import type { Violation } from '../../../src/json/violation.js';
import type { ByteBuffer } from './byte-buffer.js';
import { BACKSLASH, byteAt, END, hexValue, LOWER_U, QUOTE, SPACE } from './bytes.js';
import { Utf8Sequence } from './utf8.js';

// RFC 8259 section 7: what may follow a backslash, `u` apart.
const SHORT_ESCAPES = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

/** 1 for a byte that stands for itself and needs no further look: ASCII but controls, quote and backslash. */
const ORDINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= SPACE && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/** Reads one string or name, from the byte after its opening quote to its closing quote (RFC 8259 section 7). */
export class StringReader {
  private readonly utf8 = new Utf8Sequence();
  private part: 'plain' | 'escape' | 'hex' | 'utf8' = 'plain';
  private limit = 0;
  private holds: 'string' | 'name' = 'string';
  /** Bytes as sent, so far. */
  private length = 0;
  private hexDigits = 0;
  private codeUnit = 0;
  private utf8Start = 0;
  /** The last thing read was a \u escape of a high surrogate. */
  private highSurrogate = false;

  /** Some surrogate escape has no partner. Final once the string is closed. */
  loneSurrogate = false;
  closed = false;
  violation: Violation | undefined;

  /** Starts a new string value or member name. `limit` is in bytes as sent. */
  open(holds: 'string' | 'name', limit: number): void {
    this.part = 'plain';
    this.holds = holds;
    this.limit = limit;
    this.length = 0;
    this.highSurrogate = false;
    this.loneSurrogate = false;
    this.closed = false;
    this.violation = undefined;
  }

  /**
   * Reads on from `chunk[at]`, whose offset in the body is `base + at`, and copies what lies between the quotes to
   * `sink`. Returns the index of the first byte not read: after the closing quote, or the end of the chunk.
   */
  read(chunk: Uint8Array, at: number, base: number, sink: ByteBuffer | undefined): number {
    const from = at;
    while (at < chunk.length) {
      if (this.part === 'plain') {
        const next = this.skipOrdinary(chunk, at);
        if (next > at) this.leaveSurrogateAlone();
        at = next;
      }
      const byte = byteAt(chunk, at);
      if (byte === END) break;
      if (byte === QUOTE && this.part === 'plain') {
        this.leaveSurrogateAlone();
        this.closed = true;
        sink?.append(chunk, from, at);
        return at + 1;
      }
      if (this.length >= this.limit) {
        this.violation = this.tooLong(base + at);
        return at;
      }
      this.length++;
      this.violation = this.take(byte, base + at);
      if (this.violation !== undefined) return at;
      at++;
    }
    sink?.append(chunk, from, at);
    return at;
  }

  private tooLong(offset: number): Violation {
    const code = this.holds === 'name' ? 'PRS_NAME_LENGTH' : 'PRS_STRING_LENGTH';
    return { code, offset, note: `limits.${this.holds}_bytes is ${this.limit}` };
  }

  /** Skips bytes that stand for themselves, never beyond the limit. */
  private skipOrdinary(chunk: Uint8Array, at: number): number {
    const stop = Math.min(chunk.length, at + this.limit - this.length);
    const from = at;
    while (at < stop && ORDINARY[byteAt(chunk, at)] === 1) at++;
    this.length += at - from;
    return at;
  }

  private take(byte: number, offset: number): Violation | undefined {
    switch (this.part) {
      case 'plain':
        return this.takePlain(byte, offset);
      case 'escape':
        return this.takeEscape(byte, offset);
      case 'hex':
        return this.takeHex(byte, offset);
      case 'utf8': {
        const progress = this.utf8.next(byte);
        if (progress === 'broken') return { code: 'PRS_UTF8', offset: this.utf8Start };
        if (progress === 'whole') this.part = 'plain';
        return undefined;
      }
    }
  }

  private takePlain(byte: number, offset: number): Violation | undefined {
    if (byte === BACKSLASH) {
      this.part = 'escape';
      return undefined;
    }
    this.leaveSurrogateAlone();
    // RFC 8259 section 7: U+0000 to U+001F must be escaped.
    if (byte < SPACE) return { code: 'PRS_CONTROL', offset };
    if (byte >= 0x80) {
      if (!this.utf8.begin(byte)) return { code: 'PRS_UTF8', offset };
      this.utf8Start = offset;
      this.part = 'utf8';
    }
    return undefined;
  }

  private takeEscape(byte: number, offset: number): Violation | undefined {
    if (byte === LOWER_U) {
      this.part = 'hex';
      this.hexDigits = 0;
      this.codeUnit = 0;
      return undefined;
    }
    this.leaveSurrogateAlone();
    this.part = 'plain';
    return SHORT_ESCAPES.has(byte) ? undefined : { code: 'PRS_ESCAPE', offset };
  }

  private takeHex(byte: number, offset: number): Violation | undefined {
    const value = hexValue(byte);
    if (value < 0) return { code: 'PRS_ESCAPE', offset };
    this.codeUnit = this.codeUnit * 16 + value;
    this.hexDigits++;
    if (this.hexDigits === 4) {
      this.part = 'plain';
      this.pairSurrogates(this.codeUnit);
    }
    return undefined;
  }

  // RFC 8259 section 7: a character beyond the basic plane is two escapes, high surrogate and low, side by side.
  private pairSurrogates(codeUnit: number): void {
    const isLow = codeUnit >= 0xdc00 && codeUnit <= 0xdfff;
    if (isLow && this.highSurrogate) {
      this.highSurrogate = false;
      return;
    }
    if (isLow) this.loneSurrogate = true;
    this.leaveSurrogateAlone();
    this.highSurrogate = codeUnit >= 0xd800 && codeUnit <= 0xdbff;
  }

  /** What follows a high surrogate is not its partner. */
  private leaveSurrogateAlone(): void {
    if (this.highSurrogate) this.loneSurrogate = true;
    this.highSurrogate = false;
  }
}

/** The code units a string stands for. `text` is what lies between the quotes and is known to be correct. */
export function unescapeString(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (SHORT_MEANINGS[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const SHORT_MEANINGS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
