import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenCarrier } from '../config/index.js';

type HeaderLines = readonly (readonly [name: string, value: string])[];

/** RFC 6750 section 2.1; the only form a token of the configuration has. */
const TOKEN68 = /^[A-Za-z0-9._~+/-]+=*$/;

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'latin1').digest();
}

/**
 * Tells whether a call carries the configured token. Both sides are hashed and the hashes compared, so that the time
 * taken depends neither on the length of the secret nor on how much of it was guessed. More than one line of the
 * headers that can carry it is a no: two readers could choose differently.
 *
 * @param token the token of `server.agent_auth`; undefined where none is configured, then every call passes.
 * @param carriers where it may stand; header and scheme in lower case.
 */
export function agentTokenCheck(
  token: string | undefined,
  carriers: readonly TokenCarrier[],
): (headers: HeaderLines) => boolean {
  if (token === undefined) return () => true;
  const wanted = digest(token);
  const schemes = new Map<string, (string | undefined)[]>();
  for (const { header, scheme } of carriers) schemes.set(header, [...(schemes.get(header) ?? []), scheme]);
  const lengths = new Set([...schemes.keys()].map((header) => header.length));
  return (headers) => {
    let sent = '';
    let lines = 0;
    for (const [name, text] of headers) {
      if (!lengths.has(name.length)) continue;
      const found = schemes.get(name.toLowerCase());
      if (found === undefined) continue;
      sent = tokenIn(text, found);
      lines++;
    }
    if (lines !== 1) sent = '';
    // Compared on every path, also without a token: the answer takes the same steps.
    const same = timingSafeEqual(digest(sent), wanted);
    return same && sent !== '';
  };
}

/**
 * RFC 9110 section 11.6.1: what a 401 names is what would do. A header that carries the bare token is named itself, as
 * no scheme is registered for it.
 */
export function challengeOf(carriers: readonly TokenCarrier[]): string {
  const schemes = carriers.map(({ header, scheme }) => scheme ?? header);
  return [...new Set(schemes)].map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join(', ');
}

/** The token in a header value that has one of these schemes, undefined standing for none; empty where it has not. */
function tokenIn(value: string, schemes: readonly (string | undefined)[]): string {
  // RFC 9110 section 11.4: one space or more behind the scheme; section 11.1: the scheme has no case.
  const [, scheme, rest] = /^([^ ]+)(?: +([^ ]+))? *$/.exec(value) ?? [];
  const isBare = rest === undefined;
  if (scheme === undefined || !schemes.includes(isBare ? undefined : scheme.toLowerCase())) return '';
  const token = isBare ? scheme : scheme.toLowerCase() === 'basic' ? ofBasic(rest) : rest;
  return TOKEN68.test(token) ? token : '';
}

/** RFC 7617 section 2: the password, whoever the user is; the user where the password is empty. */
function ofBasic(credentials: string): string {
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('latin1')) ?? [];
  return password === '' ? user : password;
}
