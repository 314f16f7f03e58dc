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
  UNEXPECTED_TOKEN: `Put values that hold { } [ ] , or ": " in quotes, such as "\${NAME}" inside { }.`,
};

/** The parser's names of what it met, where they are not a person's. */
const WORDS: Readonly<Record<string, string>> = {
  'flow-map-start': '{',
  'flow-map-end': '}',
  'flow-seq-start': '[',
  'flow-seq-end': ']',
  'map-value-ind': ':',
  'explicit-key-ind': '?',
  'seq-item-ind': '-',
  scalar: 'text',
};

const MAX_ERRORS = 20;

/** The parser's errors in this project's words: one per line, and none of those that only follow from an earlier one. */
export function syntaxProblems(errors: readonly YAMLError[], lines: TextLines): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  const seen = new Set<number>();
  for (const error of errors) {
    const place = lines.place(...error.pos);
    // After a slip the rest of the file is no longer part of the document, and every token of it an error.
    const follows = error.message.includes('in YAML stream') && problems.length > 0;
    if (seen.has(place.line) || follows || problems.length === MAX_ERRORS) continue;
    seen.add(place.line);
    const rule = `yaml-${error.code.toLowerCase().replaceAll('_', '-')}`;
    const remedy = REMEDIES[error.code] ?? 'Look at the YAML syntax here and on the line before.';
    problems.push(placed(rule, place, messageOf(error), remedy));
  }
  return problems;
}

function messageOf(error: YAMLError): string {
  if (error.code === 'NON_STRING_KEY') return 'a key must be plain text';
  // The parser sometimes quotes what it met after a colon; that may be a secret.
  const text = error.message.replace(/(?<=\w): .*$/s, '').replace(/[.:]$/, '');
  return text
    .replace(/[a-z]+(?:-[a-z]+)+|\bscalar\b/g, (word) => WORDS[word] ?? word)
    .replace('at node end', 'after a value')
    .replace('"quote', 'double quote')
    .replace("'quote", 'single quote')
    .replace(/^./, (first) => first.toLowerCase());
}
