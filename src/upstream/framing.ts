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

/** Statuses whose responses have no content, whatever their headers say (RFC 9112 section 6.3, rule 1). */
function hasNoContent(status: number, method: Method): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/**
 * Whether the head of a final response frames its body in exactly one way. The HTTP parser is laxer: it takes
 * `Transfer-Encoding: gzip, chunked` and `chunked, chunked` for plain bodies.
 */
export function checkFraming(headers: ResponseHeaders, status: number, method: Method): Fault | undefined {
  // RFC 9112 section 6.1: nothing but one "chunked" is understood here, and beside Content-Length it is an attack
  const encodings = headers.all('transfer-encoding');
  if (encodings.length > 0) {
    if (encodings.length > 1 || trimOws(encodings[0] ?? '').toLowerCase() !== 'chunked') {
      return new Fault('BYT_FRAMING', { rule: 'transfer-encoding' });
    }
    if (headers.all('content-length').length > 0) {
      return new Fault('BYT_FRAMING', { rule: 'content-length' });
    }
  }

  for (const name of SINGLETONS) {
    if (headers.all(name).length > 1) return new Fault('BYT_HEADER_DUPLICATE', { rule: name });
  }

  // RFC 9110 section 8.6; a list is what a proxy makes of two lines
  const length = headers.single('content-length');
  if (length?.includes(',')) return new Fault('BYT_HEADER_DUPLICATE', { rule: 'content-length' });
  if (length !== undefined && declaredLength(headers) === undefined) {
    return new Fault('BYT_PROTOCOL', { rule: 'content-length' });
  }

  // RFC 9110 sections 8.6 and 15.3.6: a 204 carries neither header and a 205 no content. A zero says the same
  // thing and is harmless; chunked framing of a 205 may be empty, which only its body shows.
  if (status === 204 && method !== 'HEAD' && (encodings.length > 0 || (declaredLength(headers) ?? 0) > 0)) {
    return new Fault('BYT_BODY_UNEXPECTED');
  }
  if (status === 205 && method !== 'HEAD' && (declaredLength(headers) ?? 0) > 0) {
    return new Fault('BYT_BODY_UNEXPECTED');
  }
  return undefined;
}

/** Content-Length in bytes; undefined when it is absent, repeated or not one exact decimal number. */
export function declaredLength(headers: ResponseHeaders): number | undefined {
  const value = trimOws(headers.single('content-length') ?? '');
  if (!/^[0-9]+$/.test(value)) return undefined;
  const length = Number(value);
  return Number.isSafeInteger(length) ? length : undefined;
}

/** Whether only the end of the connection ends the body (RFC 9112 section 6.3, rule 8): its loss cannot be seen. */
export function isCloseDelimited(headers: ResponseHeaders, status: number, method: Method): boolean {
  if (hasNoContent(status, method)) return false;
  return headers.all('content-length').length === 0 && headers.all('transfer-encoding').length === 0;
}
