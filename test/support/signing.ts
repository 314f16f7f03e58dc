import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { CompactSign, FlattenedSign } from 'jose';
import type { KeyRing, VerificationKey } from '../../src/evidence/index.js';
import { FixedKeys } from '../../src/upstream/index.js';

// The signer's side, written on its own: nothing of src/evidence is used to make what src/evidence verifies.

/** RFC 9421 appendix B.1.4 and B.1.3, RFC 7515 appendix A.3 and RFC 8037 appendix A.1 publish their private keys. */
const JWKS = {
  ed25519: {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
    x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  },
  p256: {
    kty: 'EC',
    crv: 'P-256',
    x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
    y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
    d: 'UpuF81l-kOxbjf7T4mNSv0r5tN67Gim7rnf6EFpcYDs',
  },
};

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function pair(jwk: object): KeyPair {
  const privateKey = createPrivateKey({ key: jwk as never, format: 'jwk' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export const ED25519: KeyPair = pair(JWKS.ed25519);
export const P256: KeyPair = pair(JWKS.p256);
export const RSA: KeyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const OTHER_ED25519: KeyPair = generateKeyPairSync('ed25519');
export const SECRET = createSecretKey(Buffer.from('a secret of both, thirty-two bytes or more'));
export const OTHER_SECRET = createSecretKey(Buffer.from('the secret of somebody else, as long as it'));

export function publicKeys(
  ...keys: (KeyObject | { key: KeyObject; kid?: string; alg?: string })[]
): VerificationKey {
  const all = keys.map((key) => ('type' in key ? { key } : key));
  return {
    kind: 'public',
    keys: new FixedKeys(
      all.map(({ key, ...rest }) => ({ kid: undefined, alg: undefined, ...rest, key })),
      all.length === 1 && !('kid' in (all[0] ?? {})),
    ),
  };
}

export function secrets(...keys: KeyObject[]): VerificationKey {
  return { kind: 'secret', secrets: keys };
}

export function ring(keys: Record<string, VerificationKey>): KeyRing {
  return new Map(Object.entries(keys));
}

export function hmac(
  body: Uint8Array,
  encoding: 'hex' | 'base64' = 'hex',
  key = SECRET,
  hash = 'sha256',
): string {
  return createHmac(hash, key).update(body).digest(encoding);
}

export function contentDigest(body: Uint8Array, ...algorithms: ('sha-256' | 'sha-512')[]): string {
  const list = algorithms.length === 0 ? (['sha-256'] as const) : algorithms;
  return list
    .map((name) => `${name}=:${createHash(name.replace('-', '')).update(body).digest('base64')}:`)
    .join(', ');
}

export type MessageAlgorithm = 'ed25519' | 'ecdsa-p256-sha256' | 'rsa-pss-sha512' | 'hmac-sha256';

export interface SignMessage {
  /** Identifier as it stands in the base, `"@status"`, and its value. */
  readonly components: readonly (readonly [id: string, value: string])[];
  /** `created=1;keyid="a"`, as it stands on the wire. */
  readonly parameters: string;
  readonly algorithm?: MessageAlgorithm;
  readonly key?: KeyObject;
  readonly label?: string;
}

/** The header lines of one HTTP message signature. */
export function messageSignature(options: SignMessage): { input: string; signature: string } {
  const { components, parameters, algorithm = 'ed25519', label = 'sig1' } = options;
  const list = `(${components.map(([id]) => id).join(' ')})${parameters === '' ? '' : `;${parameters}`}`;
  const lines = components.map(([id, value]) => `${id}: ${value}`);
  const base = Buffer.from([...lines, `"@signature-params": ${list}`].join('\n'));
  const value = signBase(base, algorithm, options.key).toString('base64');
  return { input: `${label}=${list}`, signature: `${label}=:${value}:` };
}

function signBase(base: Uint8Array, algorithm: MessageAlgorithm, key: KeyObject | undefined): Buffer {
  switch (algorithm) {
    case 'ed25519':
      return sign(null, base, key ?? ED25519.privateKey);
    case 'ecdsa-p256-sha256':
      return sign('sha256', base, { key: key ?? P256.privateKey, dsaEncoding: 'ieee-p1363' });
    case 'rsa-pss-sha512': {
      const padding = constants.RSA_PKCS1_PSS_PADDING;
      return sign('sha512', base, { key: key ?? RSA.privateKey, padding, saltLength: 64 });
    }
    case 'hmac-sha256':
      return createHmac('sha256', key ?? SECRET)
        .update(base)
        .digest();
  }
}

type Header = { readonly alg: string; readonly [name: string]: unknown };

/** A JWS over claims, or over whatever bytes. */
export function jws(
  payload: object | Uint8Array,
  key: KeyObject = ED25519.privateKey,
  header: Header = { alg: 'EdDSA' },
): Promise<string> {
  const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload));
  return new CompactSign(bytes).setProtectedHeader(header).sign(key);
}

/** `header..signature`. */
export async function detachedJws(
  body: Uint8Array,
  key: KeyObject = ED25519.privateKey,
  header: Header = { alg: 'EdDSA' },
): Promise<string> {
  const signed = await new FlattenedSign(body).setProtectedHeader(header as never).sign(key, {
    crit: { b64: true },
  } as never);
  return `${signed.protected}..${signed.signature}`;
}
