import type { Place, TextLines } from './text-lines.js';

/** How a YAML scalar writes its text, as the yaml package calls it. */
export interface WrittenText {
  readonly type?: string | undefined;
  /** Offsets in the file: start of the scalar, and end of its text. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * Where a part of a text stands in the file that writes it: escapes, doubled quotes, folded lines and the indentation of
 * a block lie between. Undefined where text and file cannot be laid side by side.
 *
 * @param from first UTF-16 unit of the part
 * @param to behind its last one
 */
export function placeWithin(
  lines: TextLines,
  written: WrittenText,
  from: number,
  to: number,
): Place | undefined {
  const offsets = offsetsOf(lines.text.slice(written.start, written.end), written);
  const start = offsets?.[from];
  if (offsets === undefined || start === undefined) return undefined;
  const last = to > from ? offsets[to - 1] : undefined;
  // Of an escape all is shown that it is written with.
  const end = last === undefined ? start + 1 : Math.max(last + 1, offsets[to] ?? 0);
  const lineEnd = lines.text.slice(written.start + start, written.start + end).search(/\s*\n/);
  return lines.place(written.start + start, written.start + (lineEnd > 0 ? start + lineEnd : end));
}

/** Per UTF-16 unit of the text where it is written, and behind them where the text ends. */
function offsetsOf(source: string, { type, value }: WrittenText): number[] | undefined {
  const quote = type === 'QUOTE_DOUBLE' ? '"' : type === 'QUOTE_SINGLE' ? "'" : '';
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  const aligner = new Aligner(source, value, quote);
  return isBlock ? aligner.block() : aligner.flow();
}

const ESCAPE = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r?\n[ \t]*|[\s\S])/y;

class Aligner {
  readonly #source: string;
  readonly #value: string;
  readonly #quote: string;
  readonly #offsets: number[] = [];
  #at = 0;

  constructor(source: string, value: string, quote: string) {
    this.#source = source;
    this.#value = value;
    this.#quote = quote;
  }

  /** YAML 1.2.2 section 7.3: plain and quoted text, of which line breaks are folded (section 6.5). */
  flow(): number[] | undefined {
    this.#at = this.#quote.length;
    while (this.#offsets.length < this.#value.length) {
      const unit = this.#value[this.#offsets.length];
      const rest = this.#source[this.#at];
      if (rest === undefined) return undefined;
      const broken = /[ \t]*\r?\n\s*/y;
      broken.lastIndex = this.#at;
      const fold = broken.exec(this.#source);
      if (this.#quote === '"' && rest === '\\') this.#escape();
      else if (fold !== null) this.#fold(fold[0]);
      else if (rest !== unit) return undefined;
      else this.#take(rest === "'" && this.#quote === "'" ? 2 : 1);
    }
    return [...this.#offsets, this.#at];
  }

  /** YAML 1.2.2 section 8.1: lines of a block, literal or folded. */
  block(): number[] | undefined {
    this.#at = this.#source.indexOf('\n') + 1;
    // The first line of text may start with spaces of its own, behind an indentation indicator.
    const own = leadingSpaces(this.#value);
    const indent = leadingSpaces(this.#source.slice(this.#at)) - own;
    let isStart = true;
    while (this.#offsets.length < this.#value.length) {
      if (isStart) this.#skip(indent);
      isStart = false;
      const unit = this.#value[this.#offsets.length];
      const rest = this.#source[this.#at];
      if (rest === '\r') this.#at++;
      else if (rest === '\n' && (unit === '\n' || unit === ' ')) {
        this.#take(1);
        isStart = true;
      } else if (rest === '\n') {
        // A line feed that folding has dropped.
        this.#at++;
        isStart = true;
      } else if (rest !== undefined && rest === unit) this.#take(1);
      // The text ends with a line feed that the file need not have.
      else if (rest === undefined && unit === '\n') this.#offsets.push(this.#at);
      else return undefined;
    }
    return [...this.#offsets, this.#at];
  }

  #escape(): void {
    ESCAPE.lastIndex = this.#at;
    const written = ESCAPE.exec(this.#source)?.[0] ?? '\\';
    if (/^\\\r?\n/.test(written)) {
      this.#at += written.length;
      return;
    }
    const units = written.startsWith('\\U') && Number.parseInt(written.slice(2), 16) > 0xff_ff ? 2 : 1;
    for (let i = 0; i < units; i++) this.#offsets.push(this.#at);
    this.#at += written.length;
  }

  /** One line break is a space, each further one a line feed. */
  #fold(text: string): void {
    const breaks = text.split('\n').length - 1;
    for (let i = 0; i < Math.max(1, breaks - 1); i++) this.#offsets.push(this.#at);
    this.#at += text.length;
  }

  #skip(spaces: number): void {
    for (let i = 0; i < spaces && this.#source[this.#at] === ' '; i++) this.#at++;
  }

  #take(length: number): void {
    this.#offsets.push(this.#at);
    this.#at += length;
  }
}

/** Spaces before the first character that is none, on its line. */
function leadingSpaces(text: string): number {
  return /^(?:[ \t]*\r?\n)*( *)/.exec(text)?.[1]?.length ?? 0;
}
