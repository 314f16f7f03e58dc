import type { Projection } from '../../../src/json/projection.js';
import type { ScanOptions } from '../../../src/json/scan.js';
import type { ScanCode, Violation } from '../../../src/json/violation.js';
import { ByteBuffer } from './byte-buffer.js';
import { QUOTE } from './bytes.js';
import { KeptPart } from './kept-part.js';
import { Nesting, type ObjectLevel, projectItem, projectMember } from './nesting.js';
import type { ValueKind } from './value-kind.js';

/**
 * A document as it unfolds, value by value: counts it against its limits, compares its names, applies the value rules
 * to what is kept, and collects that. It is told what starts and ends, in order; whether bytes form such a thing is
 * the scanner's business.
 */
export class Document {
  readonly nesting = new Nesting();
  kept: KeptPart;
  /** The name at hand as sent, without its quotes. */
  name = new ByteBuffer(64);
  /** The kind of the outermost value, once that has started. */
  kind: ValueKind | undefined;
  /** How the value at hand is kept; undefined: it is dropped. */
  private keep: Projection | undefined;
  /** Offset of the first byte of the value or name at hand. */
  private start = 0;
  private tokens = 0;

  constructor(private readonly options: ScanOptions) {
    this.kept = new KeptPart(options.numbers === 'string');
  }

  /** Where the bytes of the string, number or literal at hand go. */
  get sink(): ByteBuffer | undefined {
    return this.keep === undefined ? undefined : this.kept.bytes;
  }

  /** A value starts: `byte` is its first, at `offset`. */
  startValue(kind: ValueKind, byte: number, offset: number): Violation | undefined {
    this.start = offset;
    this.kind ??= kind;
    const violation = this.admitValue(kind);
    if (violation !== undefined) return violation;
    this.keep = this.keepHere();
    if (this.keep !== undefined && kind === 'number') this.kept.startNumber();
    if (kind === 'number' || kind === 'literal') return undefined;
    this.sink?.push(byte);
    if (kind === 'array') this.nesting.openArray(this.keep);
    if (kind === 'object') this.nesting.openObject(this.keep, this.options.caseInsensitiveNames ?? false);
    return undefined;
  }

  private admitValue(kind: ValueKind): Violation | undefined {
    const { items, tokens, depth } = this.options.limits;
    const level = this.nesting.innermost;
    if (level?.kind === 'array' && level.complete >= items) {
      return this.here('PRS_ITEMS', `limits.items is ${items}`);
    }
    if (this.tokens >= tokens) return this.here('PRS_TOKENS', `limits.tokens is ${tokens}`);
    if ((kind === 'object' || kind === 'array') && this.nesting.depth >= depth) {
      return this.here('PRS_DEPTH', `limits.depth is ${depth}`);
    }
    this.tokens++;
    return undefined;
  }

  /** How the value that starts here is kept. An item's comma comes now; a member's came with its name. */
  private keepHere(): Projection | undefined {
    const level = this.nesting.innermost;
    if (level === undefined) return this.options.projection;
    if (level.kind === 'object') return level.keepMember;
    const keep = projectItem(level.keep);
    if (keep !== undefined) this.kept.startItem(level);
    return keep;
  }

  endString(hasLoneSurrogate: boolean): Violation | undefined {
    if (this.keep !== undefined && hasLoneSurrogate) return this.here('PRS_SURROGATE');
    this.sink?.push(QUOTE);
    this.endValue();
    return undefined;
  }

  endNumber(): Violation | undefined {
    const verdict = this.keep === undefined ? 'exact' : this.kept.endNumber();
    if (verdict === 'integer-range') return this.here('PRS_INTEGER_RANGE');
    if (verdict === 'precision') return this.here('PRS_NUMBER_PRECISION');
    this.endValue();
    return undefined;
  }

  endLiteral(word: Uint8Array): void {
    this.sink?.append(word, 0, word.length);
    this.endValue();
  }

  /** The innermost array or object ends with `byte`. */
  endLevel(byte: number): void {
    if (this.nesting.innermost?.keep !== undefined) this.kept.bytes.push(byte);
    this.nesting.close();
    this.endValue();
  }

  private endValue(): void {
    const level = this.nesting.innermost;
    if (level === undefined) return;
    level.complete++;
    level.reading = false;
  }

  /** A name starts: its opening quote is at `offset`. */
  startName(offset: number): Violation | undefined {
    this.start = offset;
    const { members, tokens } = this.options.limits;
    const complete = this.nesting.innermost?.complete ?? 0;
    if (complete >= members) return this.here('PRS_MEMBERS', `limits.members is ${members}`);
    if (this.tokens >= tokens) return this.here('PRS_TOKENS', `limits.tokens is ${tokens}`);
    this.tokens++;
    this.name.clear();
    return undefined;
  }

  /** The name in `this.name` is complete; `text` is what it stands for. */
  endName(text: string, hasLoneSurrogate: boolean): Violation | undefined {
    const level = this.nesting.innermost;
    if (level?.kind !== 'object') throw new Error('a name outside an object');
    level.name = text;
    level.keepMember = projectMember(level.keep, text);
    level.reading = true;
    const code = judgeName(level, hasLoneSurrogate);
    if (code !== undefined) return this.here(code);
    if (level.keepMember !== undefined) this.kept.startMember(level, this.name);
    return undefined;
  }

  /** Lets go of everything. */
  release(): void {
    this.nesting.clear();
    this.kept = new KeptPart(false);
    this.name = new ByteBuffer(0);
  }

  private here(code: ScanCode, note?: string): Violation {
    return { code, offset: this.start, ...(note === undefined ? {} : { note }) };
  }
}

function judgeName(level: ObjectLevel, hasLoneSurrogate: boolean): ScanCode | undefined {
  const clash = level.names.add(level.name);
  if (clash === 'same') return 'PRS_DUPLICATE_NAME';
  if (clash === 'same-but-case') return 'PRS_DUPLICATE_NAME_CASE';
  // In any object that is kept, even where the member itself would be dropped.
  if (level.keep !== undefined && level.name === '__proto__') return 'PRS_PROTO_NAME';
  if (level.keepMember !== undefined && hasLoneSurrogate) return 'PRS_SURROGATE';
  return undefined;
}
