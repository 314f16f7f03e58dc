import type { Spread } from './statistics.js';

/** A table that reads well as it stands and is Markdown too. The first column is text, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |\n`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|\n`;
  return line(head) + rule + rows.map(line).join('');
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

/** Three significant digits; thousands apart. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : 2);
}

/** `median (min..max)`; of a single round the median alone. */
export function spreadText({ median, min, max }: Spread): string {
  if (min === max) return figure(median);
  return `${figure(median)} (${figure(min)}..${figure(max)})`;
}
