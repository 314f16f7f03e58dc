import { ResponseHeaders } from './types.js';

/** Raw header lines as undici hands them over: name, value, name, value ... */
export type RawHeaders = readonly (Uint8Array | string)[];

function latin1(part: Uint8Array | string): string {
  return typeof part === 'string' ? part : Buffer.from(part.buffer, part.byteOffset, part.length).latin1Slice();
}

/**
 * Header lines from the parser: names in lower case, order and repetitions kept, values as latin1 text so that each
 * byte is one character (RFC 9110 section 5.5 leaves their meaning open). Lines, not an object: no name can be
 * special, and no value hides another.
 */
export function responseHeaders(raw: RawHeaders): ResponseHeaders {
  const lines: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    lines.push([latin1(raw[i] ?? '').toLowerCase(), latin1(raw[i + 1] ?? '')]);
  }
  return new ResponseHeaders(lines);
}

/** Bytes of the lines on the wire, each with its colon, space and line end. */
export function headerBytes(raw: RawHeaders): number {
  let bytes = 0;
  for (let i = 0; i + 1 < raw.length; i += 2) bytes += (raw[i]?.length ?? 0) + (raw[i + 1]?.length ?? 0) + 4;
  return bytes;
}

/** A value without the optional white space around it (RFC 9110 section 5.6.3): space and tab, nothing else. */
export function trimOws(value: string): string {
  return value.replace(/^[\t ]+|[\t ]+$/g, '');
}
