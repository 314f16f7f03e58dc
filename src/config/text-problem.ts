import { type PlacedProblem, placed } from './placed-problem.js';
import type { TextLines } from './text-lines.js';

/** Characters outside c-printable (YAML 1.2.2 section 5.1). */
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The first character that a YAML text must not hold. */
export function textProblem(lines: TextLines): PlacedProblem | undefined {
  const match = UNPRINTABLE.exec(lines.text);
  if (match === null) return undefined;
  const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const place = lines.place(match.index);
  if (match[0] === '\0') return placed('not-text', place, 'this is a binary file', 'Name a YAML file.');
  const remedy = `Remove it, or write it as an escape in double quotes: "\\u${code}".`;
  return placed('control-character', place, `the control character U+${code} cannot stand in YAML`, remedy);
}
