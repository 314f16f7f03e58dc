import { createHash, timingSafeEqual } from 'node:crypto';

type HeaderLines = readonly (readonly [name: string, value: string])[];

/** RFC 6750 section 2.1: one space or more between scheme and token68; the scheme has no case (RFC 9110 section 11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'latin1').digest();
}

/**
 * Tells whether a call carries the configured token. Both sides are hashed and the hashes compared, so that the time
 * taken depends neither on the length of the secret nor on how much of it was guessed. More than one Authorization
 * line is a no: two readers could choose differently.
 *
 * @param token the token of `server.agent_auth`; undefined where none is configured, then every call passes.
 */
export function bearerCheck(token: string | undefined): (headers: HeaderLines) => boolean {
  if (token === undefined) return () => true;
  const wanted = digest(token);
  return (headers) => {
    let value: string | undefined;
    let lines = 0;
    for (const [name, text] of headers) {
      if (name.length === 13 && name.toLowerCase() === 'authorization') {
        value = text;
        lines++;
      }
    }
    const sent = lines === 1 && value !== undefined ? (BEARER.exec(value)?.[1] ?? '') : '';
    // Compared on every path, also without a token: the answer takes the same steps.
    const same = timingSafeEqual(digest(sent), wanted);
    return same && sent !== '';
  };
}
