import { Fault } from '../fault/index.js';
import { trimOws } from './response-headers.js';
import type { Coding, ResponseHeaders } from './types.js';

/**
 * The one content coding of a body (RFC 9110 section 8.4). More than one, an unknown one (deflate has two meanings
 * and is not offered) and one that was not offered are refused; `identity` may be spelt out.
 *
 * @param offered what accept-encoding of the request named
 */
export function contentCoding(
  headers: ResponseHeaders,
  offered: readonly Coding[],
): Coding | 'identity' | Fault {
  if (!headers.has('content-encoding')) return 'identity';
  const lines = headers.all('content-encoding');
  const names = lines.flatMap((line) => line.split(',')).map((name) => trimOws(name).toLowerCase());
  const [name] = names;
  if (names.length > 1) return new Fault('BYT_CODING', { note: `${names.length} codings` });
  if (name === 'identity') return 'identity';
  return offered.find((coding) => coding === name) ?? new Fault('BYT_CODING');
}

/** What is offered to the upstream: only what is decoded, and nothing by chance (RFC 9110 section 12.5.3). */
export function acceptEncoding(codings: readonly Coding[]): string {
  return codings.length === 0 ? 'identity' : codings.join(', ');
}
