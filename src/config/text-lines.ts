/** A stretch of one line. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** UTF-16 units; at least 1. */
  readonly length: number;
}

/** Turns offsets in a text into lines and columns. Lines end with LF or CRLF. */
export class TextLines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The text of a line without its end. */
  line(number: number): string {
    const start = this.#starts[number - 1];
    if (start === undefined) return '';
    const end = (this.#starts[number] ?? this.text.length + 1) - 1;
    return this.text.slice(start, this.text[end - 1] === '\r' ? end - 1 : end);
  }

  /** The offset at which a line starts. */
  startOf(number: number): number {
    return this.#starts[number - 1] ?? this.text.length;
  }

  /** Where the range from `start` to `end` begins, and how much of it stands on that line. */
  place(start: number, end = start + 1): Place {
    const at = Math.max(0, Math.min(start, this.text.length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const column = at - (this.#starts[low] ?? 0);
    const rest = this.line(low + 1).length - column;
    return { line: low + 1, column: column + 1, length: Math.max(1, Math.min(end - at, rest)) };
  }
}
