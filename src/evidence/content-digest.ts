import { createHash, type Hash, timingSafeEqual } from 'node:crypto';
import { Fault } from '../fault/index.js';
import type { ResponseHeaders } from '../upstream/index.js';
import { parseDictionary } from './structured-field.js';

/** RFC 9530 section 5: the algorithms that are for this purpose. The name in the field, and the one here. */
export const DIGEST_ALGORITHMS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;
export type DigestAlgorithm = keyof typeof DIGEST_ALGORITHMS;

const DIGEST_BYTES: Readonly<Record<DigestAlgorithm, number>> = { 'sha-256': 32, 'sha-512': 64 };

/** The digests of one body that an answer announced, compared when its last byte is there. */
export class ContentDigest {
  readonly #expected: readonly (readonly [hash: Hash, digest: Uint8Array])[];

  constructor(digests: ReadonlyMap<DigestAlgorithm, Uint8Array>) {
    this.#expected = [...digests].map(([name, digest]) => [createHash(DIGEST_ALGORITHMS[name]), digest]);
  }

  /** The next bytes of the body as they came, before content decoding. */
  update(chunk: Uint8Array): void {
    for (const [hash] of this.#expected) hash.update(chunk);
  }

  /** Whether every announced digest is that of the bytes. */
  isRight(): boolean {
    return this.#expected.every(([hash, digest]) => timingSafeEqual(hash.digest(), digest));
  }
}

/**
 * Reads Content-Digest (RFC 9530 section 2), the digest of the coded content. At least one of `accepted` has to be there;
 * of the two algorithms that are known, every one that is there has to be right. Others say nothing and are passed over.
 */
export function readContentDigest(
  headers: ResponseHeaders,
  accepted: readonly DigestAlgorithm[],
): ContentDigest | Fault {
  const lines = headers.all('content-digest');
  if (lines.length === 0) return new Fault('SIG_MISSING', { note: 'no Content-Digest' });
  // RFC 9651 section 4.2: the lines of one field are one text
  const members = parseDictionary(lines.join(', '));
  if (members === undefined) return malformed();
  const digests = new Map<DigestAlgorithm, Uint8Array>();
  for (const name of Object.keys(DIGEST_ALGORITHMS) as DigestAlgorithm[]) {
    const member = members.get(name);
    if (member === undefined) continue;
    if (!('item' in member) || member.item.kind !== 'bytes') return malformed();
    if (member.item.value.byteLength !== DIGEST_BYTES[name]) return malformed();
    digests.set(name, member.item.value);
  }
  if (accepted.some((name) => digests.has(name))) return new ContentDigest(digests);
  return new Fault('SIG_MISSING', { note: `Content-Digest without ${accepted.join(' or ')}` });
}

function malformed(): Fault {
  return new Fault('SIG_FORM', { note: 'malformed Content-Digest' });
}
