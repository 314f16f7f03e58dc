import type { Diagnostic, Problem } from '../fault/index.js';
import type { PlacedProblem } from './placed-problem.js';
import type { Place, TextLines } from './text-lines.js';
import type { YamlFile } from './yaml-file.js';

/** Characters of a line that a frame shows. */
const WIDTH = 100;

/**
 * Gives a Problem its place in a file, and a frame: the line with a caret under it. What stands at a `hidden` place
 * (a secret) is shown as `[hidden]`.
 */
export function toDiagnostic(
  file: string,
  yaml: Pick<YamlFile, 'lines' | 'locate'>,
  problem: Problem | PlacedProblem,
  hidden: readonly Place[] = [],
): Diagnostic {
  const { place, ...rest } = { place: undefined, ...problem };
  const at = place ?? yaml.locate(problem.pointer, problem.atKey, problem.within);
  return { ...rest, file, line: at.line, column: at.column, frame: frameOf(yaml.lines, at, hidden) };
}

/** A Diagnostic of a file as a whole, where there is no line to show. */
export function fileDiagnostic(file: string, rule: string, message: string, remedy: string): Diagnostic {
  return { file, pointer: '', rule, message, remedy, line: 1, column: 1, frame: '' };
}

/** By file, then by place; what is said twice of one place is said once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const files = [...new Set(diagnostics.map((d) => d.file))];
  return diagnostics
    .filter((d) => {
      const key = `${d.file}:${d.line}:${d.column}:${d.rule}:${d.message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column);
}

/**
 * ```
 *   14 |     connect: 2000
 *      |              ^^^^
 * ```
 * Tabs stay tabs in the caret's line, so that both lines advance alike; of a long line the part around the caret is
 * shown. A line with nothing in it has no frame.
 */
function frameOf(lines: TextLines, place: Place, hidden: readonly Place[]): string {
  let text = lines.line(place.line);
  if (text.trim() === '') return '';
  let start = Math.min(place.column - 1, text.length);
  let end = Math.min(start + place.length, text.length);
  // From the right, so that places further left stay true.
  const here = hidden.filter((h) => h.line === place.line).sort((a, b) => b.column - a.column);
  for (const { column, length } of here) {
    const [from, to] = [column - 1, Math.min(column - 1 + length, text.length)];
    text = `${text.slice(0, from)}[hidden]${text.slice(to)}`;
    const width = '[hidden]'.length;
    const grown = width - (to - from);
    // What lies inside becomes the whole of what is shown in its place.
    if (start > from) start = start >= to ? start + grown : from;
    if (end > from) end = end >= to ? end + grown : from + width;
  }
  const cut = Math.max(0, Math.min(start - WIDTH / 2, text.length - WIDTH));
  if (cut > 0 || text.length > WIDTH) {
    const head = cut > 0 ? '…' : '';
    const tail = cut + WIDTH < text.length ? '…' : '';
    text = head + text.slice(cut, cut + WIDTH) + tail;
    start += head.length - cut;
    end = Math.min(end + head.length - cut, text.length - tail.length);
  }
  const gutter = String(place.line).padStart(4);
  const blank = ' '.repeat(gutter.length);
  const indent = text.slice(0, start).replace(/[^\t]/g, ' ');
  const carets = '^'.repeat(Math.max(1, end - start));
  return `${gutter} | ${printable(text)}\n${blank} | ${indent}${carets}`;
}

/** A frame goes to a terminal: what could move its cursor is shown as a replacement character. */
function printable(text: string): string {
  return text.replace(
    /[^\t\x20-\x7e\xa0-\u200a\u2010-\u2027\u2030-\u205f\u2070-\ufefe\uff00-\uffff]/g,
    '\ufffd',
  );
}
