/** Narrowest terminal on which two columns can still be read. */
const TWO_COLUMNS = 100;
const WIDEST = 200;
const GAP = ' | ';

export interface Panel {
  readonly title: string;
  /** Lines of printable ASCII; long ones are broken anywhere. */
  readonly lines: readonly string[];
}

/**
 * Two panels beside each other at the terminal's width, or one under the other where it is narrow or there is none
 * (a pipe, a file).
 */
export function sideBySide(left: Panel, right: Panel, columns: number | undefined): string {
  if (columns === undefined || columns < TWO_COLUMNS) {
    const width = Math.max(40, (columns ?? TWO_COLUMNS) - 4);
    return [left, right]
      .flatMap(({ title, lines }) => [`  ${title}`, ...fold(lines, width).map((line) => `    ${line}`)])
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
  }
  const width = Math.floor((Math.min(columns, WIDEST) - 2 - GAP.length) / 2);
  const [a, b] = [left, right].map(({ title, lines }) => [title, '-'.repeat(width), ...fold(lines, width)]);
  const rows = Math.max(a?.length ?? 0, b?.length ?? 0);
  return Array.from({ length: rows }, (_, i) =>
    `  ${(a?.[i] ?? '').padEnd(width)}${GAP}${b?.[i] ?? ''}`.trimEnd().concat('\n'),
  ).join('');
}

function fold(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => {
    const parts: string[] = [];
    for (let at = 0; at < line.length; at += width) parts.push(line.slice(at, at + width));
    return parts.length === 0 ? [''] : parts;
  });
}
