import type { ScanResult } from '../../../src/json/scan.js';
import { isDigit, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './bytes.js';

export type ValueKind = ScanResult['kind'];

// RFC 8259 section 3: the three literal names, lower case and nothing else.
const WORDS: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)] as const),
);

/** The kind of value that starts with a byte, if any does (RFC 8259 section 3). */
export function kindOf(byte: number): ValueKind | undefined {
  if (byte === OPEN_BRACE) return 'object';
  if (byte === OPEN_BRACKET) return 'array';
  if (byte === QUOTE) return 'string';
  if (byte === MINUS || isDigit(byte)) return 'number';
  return WORDS.has(byte) ? 'literal' : undefined;
}

/** The whole of the literal that starts with a byte. */
export function wordOf(byte: number): Uint8Array {
  const word = WORDS.get(byte);
  if (word === undefined) throw new Error('no literal starts with this byte');
  return word;
}
