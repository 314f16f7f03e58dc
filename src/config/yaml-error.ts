import type { YAMLError } from 'yaml';
import { type PlacedProblem, placed } from './placed-problem.js';
import type { TextLines } from './text-lines.js';

/** What a person does about a syntax error, by the parser's code; the parser's message says what is wrong. */
const REMEDIES: Partial<Record<YAMLError['code'], string>> = {
  BAD_DQ_ESCAPE: 'Double the backslash, or use single quotes, which know no escapes.',
  BAD_INDENT: 'Indent with spaces, the same number for all keys of a map.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a value that holds ": " in quotes, or start the inner map on its own line.',
  MISSING_CHAR: 'Look for a quote, a bracket, a comma or a colon that is missing here or on the line before.',
  MULTILINE_IMPLICIT_KEY: 'Look for a missing colon on this line or the one before.',
  NON_STRING_KEY: 'Use plain text as a key.',
  TAB_AS_INDENT: 'Indent with spaces.',
  UNEXPECTED_TOKEN: 'Put values that hold { } [ ] , or ": " in quotes, such as "${NAME}" inside { }.',
};

/** A YAML syntax error in this project's words. */
export function syntaxProblem(error: YAMLError, lines: TextLines): PlacedProblem {
  const [start, end] = error.pos;
  const text = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  const remedy = REMEDIES[error.code] ?? 'Look at the YAML syntax here and on the line before.';
  // The parser sometimes quotes what it met; a value may be a secret.
  const message = text.replace(/(?<=\w): .*$/s, '').replace(/[.:]$/, '');
  return placed(`yaml-${error.code.toLowerCase().replaceAll('_', '-')}`, lines.place(start, end), message, remedy);
}
