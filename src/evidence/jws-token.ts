import type { KeyObject } from 'node:crypto';
import { errors, flattenedVerify } from 'jose';
import { Fault } from '../fault/index.js';
import { compileScanPlan, DEFAULT_SCAN_LIMITS, KEEP, scanWhole } from '../json/index.js';
import type { PublicKey } from '../upstream/index.js';

/** What a JOSE algorithm needs: a secret of at least so many bytes, or a public key of a kind. */
type AlgorithmRow =
  | { readonly leastBytes: number }
  | { readonly type: 'rsa' | 'ec' | 'ed25519'; readonly curve?: string; readonly also?: string };

/**
 * The algorithms that can be allowed (RFC 7518 section 3.1, RFC 8037 section 3.1, RFC 9864). `none` is not among them, nor
 * can it ever be: what is not in this table has no key.
 */
export const JWS_ALGORITHMS: ReadonlyMap<string, AlgorithmRow> = new Map<string, AlgorithmRow>([
  // RFC 7518 section 3.2: a key is at least as long as the hash
  ['HS256', { leastBytes: 32 }],
  ['HS384', { leastBytes: 48 }],
  ['HS512', { leastBytes: 64 }],
  ['RS256', { type: 'rsa' }],
  ['RS384', { type: 'rsa' }],
  ['RS512', { type: 'rsa' }],
  ['PS256', { type: 'rsa' }],
  ['PS384', { type: 'rsa' }],
  ['PS512', { type: 'rsa' }],
  ['ES256', { type: 'ec', curve: 'prime256v1' }],
  ['ES384', { type: 'ec', curve: 'secp384r1' }],
  ['ES512', { type: 'ec', curve: 'secp521r1' }],
  ['EdDSA', { type: 'ed25519', also: 'Ed25519' }],
  ['Ed25519', { type: 'ed25519', also: 'EdDSA' }],
]);

/** Whether a public key is one for a JOSE algorithm; never for one that takes a secret. */
export function fitsJws(algorithm: string, { key, alg }: PublicKey): boolean {
  const row = JWS_ALGORITHMS.get(algorithm);
  if (row === undefined || 'leastBytes' in row) return false;
  if (key.type !== 'public' || key.asymmetricKeyType !== row.type) return false;
  if (row.curve !== undefined && key.asymmetricKeyDetails?.namedCurve !== row.curve) return false;
  return alg === undefined || alg === algorithm || alg === row.also;
}

/** A JWS in compact form (RFC 7515 section 7.1), taken apart and its header read; nothing in it is verified yet. */
export interface JwsToken {
  readonly protected: string;
  /** Empty where it is detached (appendix F). */
  readonly payload: string;
  readonly signature: string;
  readonly alg: string;
  readonly kid: string | undefined;
  readonly typ: string | undefined;
  /** RFC 7797: the payload is signed as it is. */
  readonly isPlain: boolean;
}

/** Bytes of one protected header, decoded. */
const HEADER_BYTES = 4_096;

const HEADER_PLAN = compileScanPlan({
  limits: {
    ...DEFAULT_SCAN_LIMITS,
    depth: 4,
    members: 32,
    items: 32,
    tokens: 512,
    stringBytes: HEADER_BYTES,
  },
  projection: KEEP,
});

/**
 * Takes a JWS apart, strictly: three parts in base64url with one spelling each, a header without a name that stands
 * twice, an allowed algorithm, and no extension that must be understood (section 4.1.11) but `b64`, and that only where
 * the payload is detached.
 */
export function readToken(text: string, allowed: ReadonlySet<string>, isDetached: boolean): JwsToken | Fault {
  const parts = text.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || header === '' || !parts.every(isBase64Url)) {
    return new Fault('SIG_FORM', { note: 'no compact JWS' });
  }
  if (isDetached !== (payload === '')) {
    return new Fault('SIG_FORM', { note: isDetached ? 'the payload is not detached' : 'no payload' });
  }
  const values = readHeader(header);
  if (values === undefined) return new Fault('SIG_FORM', { note: 'malformed JWS header' });
  const { alg, kid, typ, crit, b64 } = values;
  if (typeof alg !== 'string' || !isTextOrAbsent(kid) || !isTextOrAbsent(typ)) {
    return new Fault('SIG_FORM', { note: 'malformed JWS header' });
  }
  if (!allowed.has(alg)) return new Fault('SIG_ALGORITHM', { note: 'an algorithm that is not allowed' });
  if (signature === '') return new Fault('SIG_FORM', { note: 'an empty signature' });
  const isPlain = isDetached && b64 === false && isOnlyB64(crit);
  if (!isPlain && (crit !== undefined || b64 !== undefined)) {
    return new Fault('SIG_ALGORITHM', { note: 'a critical extension' });
  }
  return { protected: header, payload, signature, alg, kid, typ, isPlain };
}

function readHeader(coded: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = Buffer.from(coded, 'base64url');
  if (bytes.byteLength > HEADER_BYTES) return undefined;
  const scanned = scanWhole(bytes, HEADER_PLAN);
  if (scanned instanceof Fault || scanned.kind !== 'object') return undefined;
  return JSON.parse(scanned.text) as Readonly<Record<string, unknown>>;
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isOnlyB64(crit: unknown): boolean {
  return Array.isArray(crit) && crit.length === 1 && crit[0] === 'b64';
}

function isBase64Url(text: string): boolean {
  return /^[A-Za-z0-9_-]*$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** The payload, when one of the keys made the signature. `body` is the payload of a detached one. */
export async function verifyToken(
  token: JwsToken,
  keys: readonly KeyObject[],
  body?: Uint8Array,
): Promise<Uint8Array | Fault> {
  const payload = body === undefined || token.isPlain ? (body ?? token.payload) : base64Url(body);
  const jws = { protected: token.protected, payload, signature: token.signature };
  for (const key of keys) {
    try {
      return (await flattenedVerify(jws, key, { algorithms: [token.alg] })).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return new Fault('SIG_INVALID');
}

function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
