import { isJsonNumber, numberVerdict } from '../json/index.js';

/** What the plain readers give for a text that they leave to the whole parser. */
export const NOT_PLAIN: unique symbol = Symbol('not plain');

/** Printable characters that nobody takes for a space or the end of a line, the line feed, and no tab. */
export const PLAIN_TEXT =
  /^[\n\x20-\x7e\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

// YAML 1.2.2 section 5.7: the escapes that people use; none that names half a character, or one that there is not.
const ESCAPE = String.raw`\\(?:["\\/nt]|x[0-9a-fA-F]{2}|(?:u|U0000)(?![dD][89a-fA-F])[0-9a-fA-F]{4}|U000[1-9a-fA-F][0-9a-fA-F]{4}|U0010[0-9a-fA-F]{4})`;
const ESCAPES = new RegExp(ESCAPE, 'g');
/** A text in double quotes that ends on its line. */
export const DOUBLE_QUOTED = new RegExp(String.raw`"((?:[^"\\]|${ESCAPE})*)"`, 'y');
/** The same in single quotes. */
export const SINGLE_QUOTED = /'((?:[^']|'')*)'/y;

// YAML 1.2.2 section 10.3.2, core schema.
const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ...['null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
/** Every number of the core schema. */
const NUMBER =
  /^[-+]?(?:(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F]+|\.(?:inf|Inf|INF|nan|NaN|NAN))$/;

/** What an unquoted text means in the core schema. */
export function plainScalar(text: string): unknown {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!/^[-.0-9]/.test(text)) return text;
  if (isJsonNumber(text)) return numberVerdict(text) === 'exact' ? Number(text) : NOT_PLAIN;
  return NUMBER.test(text) || text.startsWith('-') ? NOT_PLAIN : text;
}

/** What stands between double quotes, its escapes resolved. */
export function unescaped(quoted: string): string {
  return quoted.includes('\\') ? quoted.replace(ESCAPES, character) : quoted;
}

/** The character of one escape. */
function character(written: string): string {
  const kind = written[1];
  if (kind === 'n') return '\n';
  if (kind === 't') return '\t';
  return written.length === 2 ? (kind ?? '') : String.fromCodePoint(Number.parseInt(written.slice(2), 16));
}
