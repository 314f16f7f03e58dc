import { constants, createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { Fault } from '../fault/index.js';
import type { PublicKey } from '../upstream/index.js';
import {
  type ContentDigest,
  DIGEST_ALGORITHMS,
  type DigestAlgorithm,
  readContentDigest,
} from './content-digest.js';
import { type Component, componentId, readComponent, signatureBase } from './message-signature-base.js';
import {
  findKey,
  type KeyNeed,
  type RunningSignature,
  type SignatureRule,
  type SignedAnswer,
  secretsOf,
  type VerificationKey,
} from './signature.js';
import { type BareItem, type InnerList, parseDictionary } from './structured-field.js';

/** The algorithms of RFC 9421 section 3.3 that are verified; RSASSA-PKCS1 v1.5 is not. */
export const MESSAGE_ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512', 'hmac-sha256'] as const;
export type MessageAlgorithm = (typeof MESSAGE_ALGORITHMS)[number];

/** What a contract pins of the signature. Times in milliseconds. */
export interface MessageSignatureTerms {
  readonly id: string;
  readonly algorithm: MessageAlgorithm;
  readonly components: readonly Component[];
  readonly label: string | undefined;
  readonly tag: string | undefined;
  readonly maxAgeMs: number;
  readonly skewMs: number;
}

/** Parameters of section 2.3; another one could change the meaning of a signature, and is not understood. */
const PARAMETERS: Readonly<Record<string, BareItem['kind']>> = {
  created: 'integer',
  expires: 'integer',
  nonce: 'string',
  alg: 'string',
  keyid: 'string',
  tag: 'string',
};

/**
 * HTTP Message Signatures on responses (RFC 9421 section 3.2), with the Content-Digest that they have to cover: without
 * it nothing of the body would be signed.
 */
export function messageSignature(terms: MessageSignatureTerms, need: KeyNeed): SignatureRule {
  return {
    id: terms.id,
    need,
    begin(answer, key) {
      const found = readSignature(answer, terms);
      if (found instanceof Fault) return found;
      const digest = readContentDigest(answer.headers, Object.keys(DIGEST_ALGORITHMS) as DigestAlgorithm[]);
      if (digest instanceof Fault) return digest;
      const base = signatureBase(found.list, answer);
      if (base === undefined)
        return new Fault('SIG_COVERAGE', { note: 'a component that is not in the answer' });
      return running(terms.algorithm, Buffer.from(base, 'latin1'), found, digest, answer, key);
    },
  };
}

interface Found {
  readonly list: InnerList;
  readonly signature: Uint8Array;
  readonly keyid: string | undefined;
}

function running(
  algorithm: MessageAlgorithm,
  base: Uint8Array,
  { signature, keyid }: Found,
  digest: ContentDigest,
  { cancellation }: SignedAnswer,
  key: VerificationKey | undefined,
): RunningSignature {
  return {
    update: (chunk) => digest.update(chunk),
    async finish() {
      if (!digest.isRight()) return new Fault('SIG_DIGEST', { note: 'Content-Digest' });
      if (algorithm === 'hmac-sha256') {
        const isRight = secretsOf(key).map((secret) => isMac(base, secret, signature));
        return isRight.includes(true) ? undefined : new Fault('SIG_INVALID');
      }
      const query = { kid: keyid, fits: (candidate: PublicKey) => fitsMessage(algorithm, candidate) };
      const found = await findKey(key, query, cancellation);
      if (found instanceof Fault) return found;
      return isSigned(algorithm, base, found, signature) ? undefined : new Fault('SIG_INVALID');
    },
  };
}

/** The one signature that is meant, everything in it as pinned; what is left to verify is the signature itself. */
function readSignature({ headers, now }: SignedAnswer, terms: MessageSignatureTerms): Found | Fault {
  for (const name of ['signature-input', 'signature']) {
    if (!headers.has(name)) return new Fault('SIG_MISSING', { note: `no ${name}` });
  }
  const inputs = parseDictionary(headers.all('signature-input').join(', '));
  const signatures = parseDictionary(headers.all('signature').join(', '));
  if (inputs === undefined || signatures === undefined) return new Fault('SIG_FORM');
  const meant = [...inputs].filter(([label, list]) => isMeant(label, list.parameters.get('tag'), terms));
  const [only, another] = meant;
  if (only === undefined) return new Fault('SIG_MISSING', { note: 'no signature with this label and tag' });
  if (another !== undefined) return new Fault('SIG_FORM', { note: 'more than one signature may be meant' });
  const [label, list] = only;
  const member = signatures.get(label);
  if (member === undefined) return new Fault('SIG_MISSING', { note: 'signature has no such label' });
  if (!('items' in list) || !('item' in member) || member.item.kind !== 'bytes') return new Fault('SIG_FORM');
  if (member.parameters.size > 0) return new Fault('SIG_FORM');
  const fault = badParameters(list, terms, now) ?? badCoverage(list, terms);
  return fault ?? { list, signature: member.item.value, keyid: textOf(list, 'keyid') };
}

function isMeant(label: string, tag: BareItem | undefined, terms: MessageSignatureTerms): boolean {
  if (terms.label !== undefined && label !== terms.label) return false;
  return terms.tag === undefined || (tag?.kind === 'string' && tag.value === terms.tag);
}

function badParameters(list: InnerList, terms: MessageSignatureTerms, now: number): Fault | undefined {
  for (const [name, { kind }] of list.parameters) {
    const wanted = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (kind !== wanted) return new Fault('SIG_FORM', { note: 'a parameter that is not understood' });
  }
  // Section 3.2: `alg` must agree with what is known of the key, and it is the contract that knows
  const alg = textOf(list, 'alg');
  if (alg !== undefined && alg !== terms.algorithm) return new Fault('SIG_ALGORITHM');
  const created = numberOf(list, 'created');
  if (created === undefined) return new Fault('SIG_FORM', { note: 'no parameter created' });
  const expires = numberOf(list, 'expires');
  if (created * 1000 > now + terms.skewMs)
    return new Fault('SIG_TIME', { note: 'created lies in the future' });
  if (now - created * 1000 > terms.maxAgeMs + terms.skewMs) return new Fault('SIG_TIME', { note: 'too old' });
  if (expires !== undefined && expires * 1000 <= now - terms.skewMs) {
    return new Fault('SIG_TIME', { note: 'expired' });
  }
  return undefined;
}

function badCoverage(list: InnerList, terms: MessageSignatureTerms): Fault | undefined {
  const covered = new Set<string>();
  for (const item of list.items) {
    const component = readComponent(item);
    if (component === undefined)
      return new Fault('SIG_COVERAGE', { note: 'a component that cannot be known' });
    covered.add(componentId(component));
  }
  const missing = terms.components.map(componentId).find((id) => !covered.has(id));
  return missing === undefined ? undefined : new Fault('SIG_COVERAGE', { note: `${missing} is not covered` });
}

function textOf({ parameters }: InnerList, name: string): string | undefined {
  const item = parameters.get(name);
  return item?.kind === 'string' ? item.value : undefined;
}

function numberOf({ parameters }: InnerList, name: string): number | undefined {
  const item = parameters.get(name);
  return item?.kind === 'integer' ? item.value : undefined;
}

/** Whether a key is one for the algorithm; a set may say which one it is for (RFC 7518 section 3.1, RFC 9864). */
export function fitsMessage(algorithm: MessageAlgorithm, { key, alg }: PublicKey): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  switch (algorithm) {
    case 'ed25519':
      return type === 'ed25519' && (alg === undefined || alg === 'EdDSA' || alg === 'Ed25519');
    case 'ecdsa-p256-sha256':
      return type === 'ec' && details?.namedCurve === 'prime256v1' && (alg === undefined || alg === 'ES256');
    case 'rsa-pss-sha512':
      return (type === 'rsa' || isForSha512(key)) && (alg === undefined || alg === 'PS512');
    case 'hmac-sha256':
      return false;
  }
}

/** An RSASSA-PSS key that is not restricted to other parameters (RFC 8017 appendix A.2.3). */
function isForSha512({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (asymmetricKeyType !== 'rsa-pss') return false;
  const { hashAlgorithm = 'sha512', mgf1HashAlgorithm = 'sha512', saltLength = 64 } = details ?? {};
  return hashAlgorithm === 'sha512' && mgf1HashAlgorithm === 'sha512' && saltLength <= 64;
}

/** RFC 9421 sections 3.3.1, 3.3.4 and 3.3.6. */
export function isSigned(
  algorithm: Exclude<MessageAlgorithm, 'hmac-sha256'>,
  base: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
): boolean {
  switch (algorithm) {
    case 'ed25519':
      return verify(null, base, key, signature);
    case 'ecdsa-p256-sha256':
      return verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, signature);
    case 'rsa-pss-sha512':
      return verify(
        'sha512',
        base,
        { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
        signature,
      );
  }
}

/** RFC 9421 section 3.3.3, in constant time. */
export function isMac(base: Uint8Array, secret: KeyObject, signature: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(base).digest();
  return signature.byteLength === expected.byteLength && timingSafeEqual(signature, expected);
}
