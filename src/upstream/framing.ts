import { Fault } from '../fault/index.js';
import { trimOws } from './response-headers.js';
import type { Method, ResponseHeaders } from './types.js';

/**
 * Headers that may stand once and whose value says what the body is or how old it is: where one is repeated, two
 * readers could choose differently, so the answer is refused. The other singletons (ETag, Last-Modified, Expires,
 * Location, Retry-After ...) are not read by any stage unless a contract selects one, and
 * `ResponseHeaders.single` gives nothing for a repeated header: they are dropped. Content-Encoding is a list by
 * definition, and `contentCoding` refuses a second entry.
 */
export const SINGLETONS = [
  'content-type',
  'content-length',
  'content-location',
  'content-range',
  'date',
  'age',
] as const;

const SINGLETON_BITS: ReadonlyMap<string, number> = new Map(SINGLETONS.map((name, i) => [name, 1 << i]));

/** Responses without content, whatever their headers say (RFC 9112 section 6.3, rule 1). */
export function hasNoContent(status: number, method: Method): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/**
 * Whether the head of a final response frames its body in exactly one way. The HTTP parser is laxer: it takes
 * `Transfer-Encoding: gzip, chunked` and `chunked, chunked` for plain bodies.
 *
 * @param version of HTTP in the status line, where it is known
 */
export function checkFraming(headers: ResponseHeaders, version?: string): Fault | undefined {
  // RFC 9112 section 6.1: nothing but one "chunked" is understood here, and beside Content-Length it is an attack
  if (headers.has('transfer-encoding')) {
    const encodings = headers.all('transfer-encoding');
    if (encodings.length > 1 || trimOws(encodings[0] ?? '').toLowerCase() !== 'chunked') {
      return new Fault('BYT_FRAMING', { rule: 'transfer-encoding' });
    }
    // HTTP/1.0 has no transfer codings: a client must take such a message for wrongly framed
    if (headers.has('content-length') || version === '1.0') {
      return new Fault('BYT_FRAMING', { rule: 'transfer-encoding' });
    }
  }

  const repeated = repeatedSingleton(headers);
  if (repeated !== undefined) return new Fault('BYT_HEADER_DUPLICATE', { rule: repeated });

  // RFC 9110 section 8.6; a list is what a proxy makes of two lines
  const length = headers.single('content-length');
  if (length?.includes(',')) return new Fault('BYT_HEADER_DUPLICATE', { rule: 'content-length' });
  if (length !== undefined && declaredLength(headers) === undefined) {
    return new Fault('BYT_PROTOCOL', { rule: 'content-length' });
  }
  return undefined;
}

/** The first of the singletons, in their order, that stands twice. */
function repeatedSingleton(headers: ResponseHeaders): string | undefined {
  let seen = 0;
  let repeated = 0;
  for (const [name] of headers.lines) {
    const bit = SINGLETON_BITS.get(name);
    if (bit === undefined) continue;
    repeated |= seen & bit;
    seen |= bit;
  }
  return repeated === 0
    ? undefined
    : SINGLETONS.find((name) => (repeated & (SINGLETON_BITS.get(name) ?? 0)) !== 0);
}

/** Content-Length in bytes; undefined when it is absent, repeated or not one exact decimal number. */
export function declaredLength(headers: ResponseHeaders): number | undefined {
  const value = trimOws(headers.single('content-length') ?? '');
  if (value === '' || !/^[0-9]+$/.test(value)) return undefined;
  const length = Number(value);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Whether only the end of the connection ends the body (RFC 9112 section 6.3, rule 8): its loss cannot be seen. */
export function isCloseDelimited(headers: ResponseHeaders, status: number, method: Method): boolean {
  if (hasNoContent(status, method)) return false;
  return !headers.has('content-length') && !headers.has('transfer-encoding');
}
