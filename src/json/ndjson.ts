import { Fault, type FaultDetail } from '../fault/index.js';
import type { Scanner } from './scan.js';
import { createPlannedScanner, type ScanPlan, scanWhole } from './wasm/index.js';

const LF = 0x0a;
const CR = 0x0d;

export interface NdjsonOptions {
  /** How each line is scanned: one JSON document under the limits and the projection of this plan. */
  readonly line: ScanPlan;
  /** Lines whose values are kept; false keeps the array empty, whatever the number of lines. */
  readonly keepsLines: boolean;
  /** More lines refuse the body (PRS_ITEMS). */
  readonly maxLines: number;
  /** Name of that limit, for the operator. */
  readonly limitName: string;
}

/**
 * A strict push scanner for newline-delimited JSON (https://github.com/ndjson/ndjson-spec, also
 * https://jsonlines.org): its document is the array of its lines. It may be cut at any byte, like Scanner.
 *
 * - A line ends with LF or CR LF. A carriage return anywhere else is PRS_SYNTAX, as the specification forbids it inside
 *   a JSON text: readers that take it for a line end would see other lines.
 * - The last line may lack its line end. A body without bytes has no lines.
 * - A blank line is PRS_EMPTY. The specification leaves it to the parser to skip one; a hole may be a line that was lost.
 *
 * Positions of faults are those of the whole body; a pointer starts with the line's index, from 0.
 */
export class NdjsonScanner {
  readonly #options: NdjsonOptions;
  readonly #values: unknown[] = [];
  /** Bytes before the chunk at hand. */
  #before = 0;
  /** Index and first byte of the line at hand. */
  #line = 0;
  #lineStart = 0;
  /** Scanner of a line of which a part has come. */
  #open: Scanner | undefined;
  /** Place of a carriage return that ended the last chunk; -1: none. */
  #carriage = -1;
  #fault: Fault | undefined;

  constructor(options: NdjsonOptions) {
    this.#options = options;
  }

  /** Takes the next bytes. A Fault of family PRS_* is terminal. */
  write(chunk: Uint8Array): Fault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    let from = 0;
    while (from < chunk.byteLength && this.#fault === undefined) {
      const end = chunk.indexOf(LF, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.byteLength : end);
      this.#fault = this.#tooMany() ?? this.#take(piece, this.#before + from, end >= 0);
      if (end < 0) break;
      from = end + 1;
      this.#line++;
      this.#lineStart = this.#before + from;
    }
    this.#before += chunk.byteLength;
    return this.#fault;
  }

  /** The body is complete: the values of its lines, in order. */
  end(): { readonly value: readonly unknown[] } | Fault {
    if (this.#fault === undefined && this.#open !== undefined) {
      this.#fault = this.#carriage >= 0 ? this.#strayCarriage(this.#carriage) : this.#close(this.#open);
    }
    return this.#fault ?? { value: this.#values };
  }

  #tooMany(): Fault | undefined {
    const { maxLines, limitName } = this.#options;
    if (this.#line < maxLines) return undefined;
    return this.#at('PRS_ITEMS', { offset: 0, column: 1, note: `${limitName} is ${maxLines}` });
  }

  /** @param isEnd a line feed follows the piece */
  #take(piece: Uint8Array, at: number, isEnd: boolean): Fault | undefined {
    const carriage = piece.indexOf(CR);
    const isStray = carriage >= 0 && carriage < piece.byteLength - 1;
    if (isEnd && !isStray && this.#open === undefined) return this.#whole(piece);

    if (this.#carriage >= 0 && piece.byteLength > 0) return this.#strayCarriage(this.#carriage);
    this.#open ??= createPlannedScanner(this.#options.line);
    const fault = this.#open.write(isStray ? piece.subarray(0, carriage + 1) : piece);
    if (fault !== undefined) return this.#inBody(fault);
    if (isStray) return this.#strayCarriage(at + carriage);
    if (isEnd) return this.#close(this.#open);
    if (carriage >= 0) this.#carriage = at + carriage;
    return undefined;
  }

  /** The usual line, that has come in one piece. */
  #whole(line: Uint8Array): Fault | undefined {
    const scanned = scanWhole(line, this.#options.line);
    if (scanned instanceof Fault) return this.#inBody(scanned);
    if (this.#options.keepsLines) this.#values.push(JSON.parse(scanned.text));
    return undefined;
  }

  #close(scanner: Scanner): Fault | undefined {
    this.#open = undefined;
    this.#carriage = -1;
    const scanned = scanner.end();
    if (scanned instanceof Fault) return this.#inBody(scanned);
    const { buffer, byteOffset, byteLength } = scanned.kept;
    if (this.#options.keepsLines) {
      this.#values.push(JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()));
    }
    return undefined;
  }

  #strayCarriage(offset: number): Fault {
    const note = 'a carriage return that no line feed follows';
    return this.#at('PRS_SYNTAX', {
      offset: offset - this.#lineStart,
      column: offset - this.#lineStart + 1,
      note,
    });
  }

  /** A fault about the line at hand, seen from the whole body. */
  #inBody(fault: Fault): Fault {
    return this.#at(fault.code, fault.detail);
  }

  #at(code: Fault['code'], detail: FaultDetail): Fault {
    return new Fault(code, {
      ...detail,
      offset: this.#lineStart + (detail.offset ?? 0),
      line: this.#line + 1,
      instance: `/${this.#line}${detail.instance ?? ''}`,
    });
  }
}
