import { ResponseHeaders } from './types.js';

/** Raw header lines as undici hands them over: name, value, name, value ... */
export type RawHeaders = readonly (Uint8Array | string)[];

function latin1(part: Uint8Array | string): string {
  if (typeof part === 'string') return part;
  return Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
}

/**
 * Header lines from the parser: names in lower case, order and repetitions kept, values as latin1 text so that each
 * byte is one character (RFC 9110 section 5.5 leaves their meaning open). Lines, not an object: no name can be
 * special, and no value hides another. The white space around a value is no part of it; the parser leaves the one behind.
 */
export function responseHeaders(raw: RawHeaders): ResponseHeaders {
  const lines: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    lines.push([latin1(raw[i] ?? '').toLowerCase(), trimOws(latin1(raw[i + 1] ?? ''))]);
  }
  return new ResponseHeaders(lines);
}

/**
 * A value without the optional white space around it (RFC 9110 section 5.6.3): space and tab, nothing else. No pattern:
 * one that ends in `[\t ]+$` starts anew at every blank inside the value, which costs seconds for a long run of them.
 */
export function trimOws(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value[start])) start++;
  while (end > start && isBlank(value[end - 1])) end--;
  return value.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
