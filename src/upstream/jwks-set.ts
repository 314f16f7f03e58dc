import { createPublicKey, type KeyObject } from 'node:crypto';
import { Fault } from '../fault/index.js';
import { compileScanPlan, DEFAULT_SCAN_LIMITS, KEEP, scanWhole } from '../json/index.js';

/** One public key that signatures may be verified with. */
export interface PublicKey {
  /** Its id in the set (RFC 7517 section 4.5). */
  readonly kid: string | undefined;
  /** The one JOSE algorithm it is for (section 4.4), where the set says so. */
  readonly alg: string | undefined;
  readonly key: KeyObject;
}

/** Most keys of one set. */
export const MOST_KEYS = 64;

const SCAN_PLAN = compileScanPlan({
  limits: { ...DEFAULT_SCAN_LIMITS, depth: 8, members: 64, items: 256, tokens: 20_000, stringBytes: 16_384 },
  projection: KEEP,
});

/** Members of a JWK that make it a private or a secret one (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A modulus below this is no key (RFC 7518 section 3.3). */
export const LEAST_RSA_BITS = 2_048;

/**
 * Reads a JWK Set (RFC 7517 section 5), strictly: a name that stands twice, a private or secret key, or a key of a known
 * kind that is none refuse the whole of it. A key of another kind, or for another use than signatures, is passed over
 * as section 5 says.
 *
 * @returns the keys, or one sentence on why it is none
 */
export function readKeySet(bytes: Uint8Array): readonly PublicKey[] | string {
  const scanned = scanWhole(bytes, SCAN_PLAN);
  if (scanned instanceof Fault) return `holds no sound JSON (${scanned.code})`;
  const set = JSON.parse(scanned.text) as unknown;
  if (!isRecord(set) || !Array.isArray(set.keys)) return 'has no array keys';
  if (set.keys.length > MOST_KEYS) return `has more than ${MOST_KEYS} keys`;
  const keys: PublicKey[] = [];
  for (const [index, jwk] of set.keys.entries()) {
    if (!isRecord(jwk) || typeof jwk.kty !== 'string')
      return `has something else than a JWK in keys[${index}]`;
    if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(jwk, member))) {
      return `has a private or secret key in keys[${index}]`;
    }
    if (!isForVerifying(jwk)) continue;
    const key = publicKey(jwk);
    if (key === undefined) return `has no sound public key in keys[${index}]`;
    const kid = textOf(jwk.kid);
    const alg = textOf(jwk.alg);
    if (kid === null || alg === null) return `has a kid or alg that is no text in keys[${index}]`;
    keys.push({ kid, alg, key });
  }
  return keys.length === 0 ? 'has no key for signatures' : keys;
}

/** The kinds that any algorithm here takes. */
function isForVerifying(jwk: Readonly<Record<string, unknown>>): boolean {
  const { kty, crv, use, key_ops: operations } = jwk;
  if (use !== undefined && use !== 'sig') return false;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return false;
  if (kty === 'RSA') return true;
  if (kty === 'EC') return crv === 'P-256' || crv === 'P-384' || crv === 'P-521';
  return kty === 'OKP' && crv === 'Ed25519';
}

function publicKey(jwk: Readonly<Record<string, unknown>>): KeyObject | undefined {
  try {
    return soundKey(createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }));
  } catch {
    return undefined;
  }
}

/** The key, unless it is an RSA key that is too short. */
export function soundKey(key: KeyObject): KeyObject | undefined {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return bits !== undefined && bits < LEAST_RSA_BITS ? undefined : key;
}

/** Undefined where it is absent, null where it is no text. */
function textOf(value: unknown): string | undefined | null {
  return value === undefined || typeof value === 'string' ? value : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type JsonWebKey = Extract<Parameters<typeof createPublicKey>[0], { readonly format: 'jwk' }>['key'];

/** What a signature says of its key, and which keys can have made it. */
export interface KeyQuery {
  /** The key id that the signature names. */
  readonly kid: string | undefined;
  fits(key: PublicKey): boolean;
}

/**
 * The one key of a set that a signature can have been made with: by key id, and where the signature names none the only
 * one that fits. Two that fit are none: nothing tells which is meant.
 */
export function chooseKey(keys: readonly PublicKey[], { kid, fits }: KeyQuery): KeyObject | undefined {
  const [only, another] = keys.filter((key) => (kid === undefined || key.kid === kid) && fits(key));
  return another === undefined ? only?.key : undefined;
}

/** Text of a PEM file with one public key (RFC 7468 section 13): the key, or one sentence on why it is none. */
export function readPublicKey(text: string): KeyObject | string {
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----/g)].map((match) => match[1]);
  // From a private key node would make the public one; but whoever only verifies has no business with it
  if (labels.some((label) => label?.endsWith('PRIVATE KEY') === true)) return 'holds a private key';
  if (labels.length !== 1 || labels[0] !== 'PUBLIC KEY')
    return 'does not hold exactly one PUBLIC KEY in PEM form';
  try {
    return soundKey(createPublicKey(text)) ?? `holds an RSA key of fewer than ${LEAST_RSA_BITS} bits`;
  } catch {
    return 'holds no sound public key';
  }
}
