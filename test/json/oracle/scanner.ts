import { Fault } from '../../../src/fault/index.js';
import type { Scanner, ScanOptions, ScanResult } from '../../../src/json/scan.js';
import type { Violation } from '../../../src/json/violation.js';
import { byteAt, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, isBlank, LF, QUOTE } from './bytes.js';
import { Document } from './document.js';
import { NumberReader } from './number-reader.js';
import { StringReader, unescapeString } from './string-reader.js';
import { Utf8Sequence } from './utf8.js';
import { kindOf, wordOf } from './value-kind.js';

/**
 * What the next byte belongs to. Between tokens: a `value` (the document, a member's, an item after a comma), an
 * `item-or-end` after `[`, a `name-or-end` after `{`, a `name` after a comma, a `colon`, a `comma-or-end` after a value,
 * `nothing` after the document. Inside one: `string`, `name-text`, `number`, `literal`, and `foreign`, a character
 * beyond ASCII where none can stand, read to its end to tell PRS_UTF8 from PRS_SYNTAX.
 */
type Due =
  | 'value'
  | 'item-or-end'
  | 'name-or-end'
  | 'name'
  | 'colon'
  | 'comma-or-end'
  | 'nothing'
  | 'string'
  | 'name-text'
  | 'number'
  | 'literal'
  | 'foreign';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * A scanner for one document; see Scanner for its calls and Violation for what is refused and where. It throws, as a
 * bug of the caller, when it is written to after its end.
 *
 * One pass, byte by byte, no recursion. State is carried across chunks and no chunk is held. Memory is the kept part,
 * the names of the objects that are open, and the name or number at hand, each within its limit. A fault lets go of all.
 */
export function createScanner(options: ScanOptions): Scanner {
  return new PlainScanner(options);
}

class PlainScanner implements Scanner {
  private due: Due = 'value';
  private readonly document: Document;
  private readonly strings = new StringReader();
  private readonly numbers = new NumberReader();
  private readonly foreign = new Utf8Sequence();
  private foreignStart = 0;
  private literal: Uint8Array = new Uint8Array();
  private literalAt = 0;

  /** Offset of the first byte of the chunk at hand; after the last one, the length of the body. */
  private base = 0;
  private line = 1;
  private lineStart = 0;

  private fault: Fault | undefined;
  private result: ScanResult | undefined;

  constructor(private readonly options: ScanOptions) {
    this.document = new Document(options);
  }

  write(chunk: Uint8Array): Fault | undefined {
    if (this.result !== undefined) throw new Error('write after end');
    let at = 0;
    while (at < chunk.length && this.fault === undefined) at = this.read(chunk, at);
    this.base += chunk.length;
    return this.fault;
  }

  end(): ScanResult | Fault {
    if (this.result !== undefined) return this.result;
    const fault = this.fault ?? this.finish();
    if (fault !== undefined) return fault;
    const { kept, kind } = this.document;
    if (kind === undefined) throw new Error('a whole document without a value');
    this.result = { kept: kept.bytes.copy(), kind };
    this.document.release();
    return this.result;
  }

  /** Reads on from `chunk[at]`; returns the index of the first byte not read. */
  private read(chunk: Uint8Array, at: number): number {
    switch (this.due) {
      case 'string':
      case 'name-text':
        return this.readString(chunk, at);
      case 'number':
        return this.readNumber(chunk, at);
      case 'literal':
        return this.readLiteral(byteAt(chunk, at), at);
      case 'foreign':
        this.readForeign(byteAt(chunk, at));
        return at + 1;
      default:
        return this.readBetween(byteAt(chunk, at), at);
    }
  }

  /** Between tokens. */
  private readBetween(byte: number, at: number): number {
    const offset = this.base + at;
    if (isBlank(byte)) {
      if (byte === LF) {
        this.line++;
        this.lineStart = offset + 1;
      }
      return at + 1;
    }
    switch (this.due) {
      case 'value':
        return this.startValue(byte, at);
      case 'item-or-end':
        if (byte !== CLOSE_BRACKET) return this.startValue(byte, at);
        this.endLevel(byte);
        break;
      case 'name-or-end':
        if (byte === CLOSE_BRACE) this.endLevel(byte);
        else this.startName(byte, offset);
        break;
      case 'name':
        this.startName(byte, offset);
        break;
      case 'colon':
        if (byte === COLON) this.due = 'value';
        else this.refuseByte(byte, offset);
        break;
      case 'comma-or-end':
        this.readAfterValue(byte, offset);
        break;
      default:
        this.refuse({ code: 'PRS_TRAILING', offset });
    }
    return at + 1;
  }

  private readAfterValue(byte: number, offset: number): void {
    const level = this.document.nesting.innermost;
    if (level === undefined) throw new Error('a comma is due outside of arrays and objects');
    const isArray = level.kind === 'array';
    if (byte === COMMA) {
      level.reading = isArray;
      this.due = isArray ? 'value' : 'name';
    } else if (byte === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
      this.endLevel(byte);
    } else {
      this.refuseByte(byte, offset);
    }
  }

  private startValue(byte: number, at: number): number {
    const offset = this.base + at;
    const kind = kindOf(byte);
    if (kind === undefined) {
      this.refuseByte(byte, offset);
      return at + 1;
    }
    const violation = this.document.startValue(kind, byte, offset);
    if (violation !== undefined) {
      this.refuse(violation);
      return at;
    }
    switch (kind) {
      case 'object':
        this.due = 'name-or-end';
        return at + 1;
      case 'array':
        this.due = 'item-or-end';
        return at + 1;
      case 'string':
        this.strings.open('string', this.options.limits.stringBytes);
        this.due = 'string';
        return at + 1;
      // These two have no opening byte: their readers take the first byte too.
      case 'number':
        this.numbers.open();
        this.due = 'number';
        return at;
      case 'literal':
        this.literal = wordOf(byte);
        this.literalAt = 0;
        this.due = 'literal';
        return at;
    }
  }

  private startName(byte: number, offset: number): void {
    if (byte !== QUOTE) {
      this.refuseByte(byte, offset);
      return;
    }
    this.strings.open('name', this.options.limits.nameBytes);
    this.proceed(this.document.startName(offset), 'name-text');
  }

  private endLevel(byte: number): void {
    this.document.endLevel(byte);
    this.afterValue(undefined);
  }

  private readString(chunk: Uint8Array, at: number): number {
    const { document, strings } = this;
    const isName = this.due === 'name-text';
    const next = strings.read(chunk, at, this.base, isName ? document.name : document.sink);
    if (strings.violation !== undefined) {
      this.refuse(strings.violation);
    } else if (strings.closed && isName) {
      const name = unescapeString(document.name.text());
      this.proceed(document.endName(name, strings.loneSurrogate), 'colon');
    } else if (strings.closed) {
      this.afterValue(document.endString(strings.loneSurrogate));
    }
    return next;
  }

  private readNumber(chunk: Uint8Array, at: number): number {
    const { numberBytes } = this.options.limits;
    const from = at;
    while (at < chunk.length && this.numbers.take(byteAt(chunk, at))) {
      if (this.numbers.length > numberBytes) {
        const note = `limits.number_bytes is ${numberBytes}`;
        this.refuse({ code: 'PRS_NUMBER_LENGTH', offset: this.base + at, note });
        return at;
      }
      at++;
    }
    this.document.sink?.append(chunk, from, at);
    if (at === chunk.length) return at;
    // The number ends before this byte, or is broken by it.
    if (this.numbers.complete) {
      this.afterValue(this.document.endNumber());
      return at;
    }
    this.refuseByte(byteAt(chunk, at), this.base + at);
    return at + 1;
  }

  private readLiteral(byte: number, at: number): number {
    if (byte !== this.literal[this.literalAt]) {
      this.refuseByte(byte, this.base + at);
      return at + 1;
    }
    this.literalAt++;
    if (this.literalAt === this.literal.length) {
      this.document.endLiteral(this.literal);
      this.afterValue(undefined);
    }
    return at + 1;
  }

  /** A byte that cannot stand here. From 0x80 on the rest of the character decides between two codes. */
  private refuseByte(byte: number, offset: number): void {
    if (byte < 0x80) {
      this.refuse({ code: 'PRS_SYNTAX', offset });
    } else if (this.foreign.begin(byte)) {
      this.foreignStart = offset;
      this.due = 'foreign';
    } else {
      this.refuse({ code: 'PRS_UTF8', offset });
    }
  }

  private readForeign(byte: number): void {
    const progress = this.foreign.next(byte);
    if (progress === 'more') return;
    const offset = this.foreignStart;
    // RFC 8259 section 8.1: a document is not sent with a byte order mark in front.
    const isMark = offset === 0 && this.foreign.codePoint === BYTE_ORDER_MARK;
    if (progress === 'broken') this.refuse({ code: 'PRS_UTF8', offset });
    else this.refuse({ code: isMark ? 'PRS_BOM' : 'PRS_SYNTAX', offset });
  }

  /** The body is complete; the document may not be. */
  private finish(): Fault | undefined {
    const { document } = this;
    // Outside of arrays and objects nothing but the end of the body ends a number.
    if (this.due === 'number' && document.nesting.depth === 0 && this.numbers.complete) {
      this.afterValue(document.endNumber());
    } else if (this.due === 'foreign') {
      this.refuse({ code: 'PRS_UTF8', offset: this.foreignStart });
    } else if (document.kind === undefined) {
      this.refuse({ code: 'PRS_EMPTY', offset: this.base });
    } else if (this.due !== 'nothing') {
      this.refuse({ code: 'PRS_TRUNCATED', offset: this.base });
    }
    return this.fault;
  }

  private afterValue(violation: Violation | undefined): void {
    this.proceed(violation, this.document.nesting.depth === 0 ? 'nothing' : 'comma-or-end');
  }

  private proceed(violation: Violation | undefined, due: Due): void {
    if (violation === undefined) this.due = due;
    else this.refuse(violation);
  }

  private refuse({ code, offset, note }: Violation): void {
    this.fault = new Fault(code, {
      offset,
      line: this.line,
      // No token goes over a line break, so the offset lies in the line at hand.
      column: offset - this.lineStart + 1,
      instance: this.document.nesting.pointer(),
      ...(note === undefined ? {} : { note }),
    });
    this.document.release();
  }
}
