import { isUtf8 } from 'node:buffer';
import { Fault, type FaultDetail } from '../fault/index.js';
import { KeptBytes } from './kept-bytes.js';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Collects a body of plain text: strict UTF-8 (RFC 3629), no byte order mark, at most `maxBytes` bytes. It may be cut at
 * any byte. Faults:
 *
 * | code | offset |
 * |---|---|
 * | PRS_STRING_LENGTH | the first byte over the limit, whatever stands before it |
 * | PRS_BOM | 0 |
 * | PRS_UTF8 | first byte of the broken sequence |
 */
export class TextScanner {
  readonly #maxBytes: number;
  readonly #kept = new KeptBytes();
  #fault: Fault | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes; a chunk is only valid during the call. */
  write(chunk: Uint8Array): Fault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const room = this.#maxBytes - this.#kept.byteLength;
    this.#kept.append(chunk.subarray(0, room));
    if (chunk.byteLength > room) {
      const note = `limits.string_bytes is ${this.#maxBytes}`;
      this.#fault = new Fault('PRS_STRING_LENGTH', {
        ...positionIn(this.#kept.bytes(), this.#kept.byteLength),
        note,
      });
    }
    return this.#fault;
  }

  /** The body is complete. */
  end(): { readonly value: string } | Fault {
    if (this.#fault !== undefined) return this.#fault;
    const body = this.#kept.bytes();
    const text = body.toString('utf8');
    if (!isUtf8(body)) return new Fault('PRS_UTF8', positionIn(body, brokenAt(body, text)));
    if (text.startsWith(BYTE_ORDER_MARK)) return new Fault('PRS_BOM', positionIn(body, 0));
    return { value: text };
  }
}

/** Offset, line and column of a byte: lines end with LF and count from 1, columns count bytes from 1. */
export function positionIn(
  body: Uint8Array,
  offset: number,
): Required<Pick<FaultDetail, 'offset' | 'line' | 'column'>> {
  let line = 1;
  let lineStart = 0;
  for (let lf = body.indexOf(0x0a); lf >= 0 && lf < offset; lf = body.indexOf(0x0a, lf + 1)) {
    line++;
    lineStart = lf + 1;
  }
  return { offset, line, column: offset - lineStart + 1 };
}

/** The first byte of the first broken sequence: where the text, written again, is no longer what was read. */
function brokenAt(body: Uint8Array, text: string): number {
  const written = Buffer.from(text);
  let at = 0;
  while (at < body.byteLength && body[at] === written[at]) at++;
  // U+FFFD stands for the sequence; a broken one may begin with the same bytes.
  while (at > 0 && isContinuation(written[at])) at--;
  return at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
