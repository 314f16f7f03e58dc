import { createHash } from 'node:crypto';
import type { ContractDefinition, SignatureDefinition } from '../../src/contract/index.js';
import type { KeyRing } from '../../src/evidence/index.js';
import { THING } from '../support/harness.js';
import {
  contentDigest,
  detachedJws,
  ED25519,
  hmac,
  jws,
  type MessageAlgorithm,
  messageSignature,
  P256,
  publicKeys,
  RSA,
  ring,
  SECRET,
  secrets,
} from '../support/signing.js';

/** Milliseconds since the epoch: the clock of every call here. */
export const NOW = 1_800_000_000_000;
export const SECONDS = NOW / 1000;

export const GOOD = '{"id":1,"name":"signed name"}';

/** One answer of an upstream: header lines and the body as it goes over the wire, any content coding applied. */
export interface Signed {
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What the signer knows of the call. */
export interface Signing {
  /** The body as it goes over the wire. */
  readonly body: Uint8Array;
  readonly method: string;
  readonly targetUri: string;
  readonly status: number;
}

/** One way to sign: what a contract says of it, with what keys, and what a sound upstream sends. */
export interface SignedKind {
  readonly signature: SignatureDefinition;
  readonly keys: KeyRing;
  sign(signing: Signing): Signed | Promise<Signed>;
}

/** With a payload for the answer, an alternative without schema has nothing to look for it in. */
export function contractOf(...signatures: SignatureDefinition[]): ContractDefinition {
  const isPayload = signatures.some((signature) => 'jws' in signature && signature.jws.covers === 'document');
  const responses = THING.responses.map((response) =>
    isPayload && response.schema === undefined ? { ...response, unsigned: true as const } : response,
  );
  return { ...THING, responses, signatures };
}

export function header(
  name: string,
  value: (signing: Signing) => string | Promise<string>,
): SignedKind['sign'] {
  return async (signing) => ({ lines: [[name, await value(signing)]], body: signing.body });
}

export const COMPONENTS = ['@status', 'content-digest', '@method;req', '@target-uri;req'];

export interface MessageOptions {
  readonly parameters?: string;
  readonly key?: Parameters<typeof messageSignature>[0]['key'];
  /** Covered components in place of the usual ones. */
  components?(signing: Signing, digest: string): readonly (readonly [string, string])[];
}

export function signMessage(
  { body, method, targetUri, status }: Signing,
  algorithm: MessageAlgorithm,
  { parameters = `created=${SECONDS};keyid="k"`, key, components }: MessageOptions = {},
): Signed {
  const digest = contentDigest(body);
  const covered = components?.({ body, method, targetUri, status }, digest) ?? [
    ['"@status"', String(status)],
    ['"content-digest"', digest],
    ['"@method";req', method],
    ['"@target-uri";req', targetUri],
  ];
  const made = messageSignature({
    components: covered,
    parameters,
    algorithm,
    ...(key === undefined ? {} : { key }),
  });
  return {
    lines: [
      ['content-digest', digest],
      ['signature-input', made.input],
      ['signature', made.signature],
    ],
    body,
  };
}

export function message(algorithm: MessageAlgorithm, keys: KeyRing): SignedKind {
  return {
    signature: {
      id: 'signed',
      message_signature: { key: 'k', algorithm, components: COMPONENTS, max_age: '60s' },
    },
    keys,
    sign: (signing) => signMessage(signing, algorithm),
  };
}

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'thing-agents';
export const CLAIMS = { iss: ISSUER, aud: AUDIENCE, exp: SECONDS + 60 };
const PINNED = { key: 'k', issuer: ISSUER, audience: AUDIENCE, algorithms: ['EdDSA'] } as const;

export const digestClaim = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');

/** The answer of `GOOD` as the payload of a token, with things beside it that nobody signed. */
export function inToken(token: string): Buffer {
  return Buffer.from(JSON.stringify({ id: 2, name: 'unsigned name', token }));
}

export const KINDS: Readonly<Record<string, SignedKind>> = {
  'Content-Digest': {
    signature: { id: 'whole', content_digest: {} },
    keys: new Map(),
    sign: header('content-digest', ({ body }) => contentDigest(body)),
  },
  'HMAC as GitHub sends it': {
    signature: {
      id: 'signed',
      hmac: { key: 'k', header: 'x-hub-signature-256', prefix: 'sha256=', algorithm: 'sha256' },
    },
    keys: ring({ k: secrets(SECRET) }),
    sign: header('x-hub-signature-256', ({ body }) => `sha256=${hmac(body)}`),
  },
  'HMAC in base64': {
    signature: { id: 'signed', hmac: { key: 'k', header: 'x-mac', encoding: 'base64', algorithm: 'sha512' } },
    keys: ring({ k: secrets(SECRET) }),
    sign: header('x-mac', ({ body }) => hmac(body, 'base64', SECRET, 'sha512')),
  },
  'HTTP message signature, ed25519': message('ed25519', ring({ k: publicKeys(ED25519.publicKey) })),
  'HTTP message signature, ecdsa-p256-sha256': message(
    'ecdsa-p256-sha256',
    ring({ k: publicKeys(P256.publicKey) }),
  ),
  'HTTP message signature, rsa-pss-sha512': message('rsa-pss-sha512', ring({ k: publicKeys(RSA.publicKey) })),
  'HTTP message signature, hmac-sha256': message('hmac-sha256', ring({ k: secrets(SECRET) })),
  'JWS over the body': {
    signature: { id: 'signed', jws: { key: 'k', algorithms: ['EdDSA'], covers: 'body', header: 'x-jws' } },
    keys: ring({ k: publicKeys(ED25519.publicKey) }),
    sign: header('x-jws', ({ body }) => detachedJws(body)),
  },
  'JWS over the body as it is': {
    signature: { id: 'signed', jws: { key: 'k', algorithms: ['EdDSA'], covers: 'body', header: 'x-jws' } },
    keys: ring({ k: publicKeys(ED25519.publicKey) }),
    sign: header('x-jws', ({ body }) =>
      detachedJws(body, ED25519.privateKey, { alg: 'EdDSA', b64: false, crit: ['b64'] }),
    ),
  },
  'JWS with a digest of the body': {
    signature: {
      id: 'signed',
      jws: {
        ...PINNED,
        covers: 'digest',
        header: 'x-jws',
        digest: { claim: '/body/sha256', algorithm: 'sha-256', encoding: 'hex' },
      },
    },
    keys: ring({ k: publicKeys(ED25519.publicKey) }),
    sign: header('x-jws', ({ body }) => jws({ ...CLAIMS, body: { sha256: digestClaim(body) } })),
  },
};

/** The kind whose payload is the answer: it cannot be made of a body that is there already. */
export const DOCUMENT: SignedKind = {
  signature: { id: 'signed', jws: { ...PINNED, covers: 'document', from: '/token' } },
  keys: ring({ k: publicKeys(ED25519.publicKey) }),
  async sign({ body }) {
    const claims = { ...CLAIMS, ...(JSON.parse(Buffer.from(body).toString()) as object) };
    return { lines: [], body: inToken(await jws(claims)) };
  },
};
