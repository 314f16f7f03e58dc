import { createHash, timingSafeEqual } from 'node:crypto';
import { Fault } from '../fault/index.js';
import { formatPointer, KeptBytes, resolvePointer } from '../json/index.js';
import type { PublicKey } from '../upstream/index.js';
import { DIGEST_ALGORITHMS, type DigestAlgorithm } from './content-digest.js';
import type { ClaimReader } from './jws-claims.js';
import { fitsJws, type JwsToken, readToken, verifyToken } from './jws-token.js';
import {
  findKey,
  type KeyNeed,
  type SignatureRule,
  type SignedAnswer,
  secretsOf,
  type VerificationKey,
} from './signature.js';

/** What a contract pins of every JWS. */
export interface JwsTerms {
  readonly id: string;
  readonly algorithms: ReadonlySet<string>;
  readonly type: string | undefined;
}

export interface DigestClaim {
  readonly algorithm: DigestAlgorithm;
  readonly encoding: 'hex' | 'base64' | 'base64url';
}

/** The payload of the JWS in a member is the answer (RFC 7515 section 7.1): what stands beside it counts for nothing. */
export function documentJws(
  terms: JwsTerms,
  need: KeyNeed,
  from: readonly string[],
  claims: ClaimReader,
): SignatureRule {
  const at = { instance: formatPointer(from) };
  return {
    id: terms.id,
    need,
    begin: (answer, key) => ({
      async finish({ document }) {
        const text = resolvePointer(document, from)?.value;
        if (text === undefined) return new Fault('SIG_MISSING', at);
        if (typeof text !== 'string') return new Fault('SIG_FORM', at);
        const token = tokenOf(text, terms, false);
        if (token instanceof Fault) return token;
        const payload = await verified(token, answer, key);
        if (payload instanceof Fault) return payload;
        const read = claims.read(payload, answer.now);
        return read instanceof Fault ? read : { payload };
      },
    }),
  };
}

/** A JWS in a header whose detached payload is the body as it came (RFC 7515 appendix F, RFC 7797). */
export function bodyJws(terms: JwsTerms, need: KeyNeed, header: string): SignatureRule {
  return {
    id: terms.id,
    need,
    begin(answer, key) {
      const token = headerToken(answer, header, terms, true);
      if (token instanceof Fault) return token;
      // Its signature is made over all of it at once; the limits of the body bound what is held
      const kept = new KeptBytes();
      return {
        update: (chunk) => kept.append(chunk),
        async finish() {
          const payload = await verified(token, answer, key, kept.bytes());
          return payload instanceof Fault ? payload : undefined;
        },
      };
    },
  };
}

/** A JWS in a header whose payload holds a digest of the body as it came. */
export function digestJws(
  terms: JwsTerms,
  need: KeyNeed,
  header: string,
  claims: ClaimReader,
  { algorithm, encoding }: DigestClaim,
): SignatureRule {
  return {
    id: terms.id,
    need,
    begin(answer, key) {
      const token = headerToken(answer, header, terms, false);
      if (token instanceof Fault) return token;
      const hash = createHash(DIGEST_ALGORITHMS[algorithm]);
      return {
        update: (chunk) => {
          hash.update(chunk);
        },
        async finish() {
          const payload = await verified(token, answer, key);
          if (payload instanceof Fault) return payload;
          const read = claims.read(payload, answer.now);
          if (read instanceof Fault) return read;
          if (typeof read.claim !== 'string') return new Fault('SIG_CLAIMS', { note: 'no digest' });
          const digest = hash.digest();
          const claimed = Buffer.from(read.claim, encoding);
          const isRight = claimed.byteLength === digest.byteLength && timingSafeEqual(claimed, digest);
          return isRight && isSpelt(read.claim, digest, encoding) ? undefined : new Fault('SIG_DIGEST');
        },
      };
    },
  };
}

/** One spelling only, but for the case of hex digits. */
function isSpelt(text: string, digest: Buffer, encoding: DigestClaim['encoding']): boolean {
  return (encoding === 'hex' ? text.toLowerCase() : text) === digest.toString(encoding);
}

function headerToken(
  { headers }: SignedAnswer,
  header: string,
  terms: JwsTerms,
  isDetached: boolean,
): JwsToken | Fault {
  if (!headers.has(header)) return new Fault('SIG_MISSING', { note: `no ${header}` });
  const text = headers.single(header);
  if (text === undefined) return new Fault('SIG_FORM', { note: `${header} stands more than once` });
  return tokenOf(text, terms, isDetached);
}

function tokenOf(text: string, { algorithms, type }: JwsTerms, isDetached: boolean): JwsToken | Fault {
  const token = readToken(text, algorithms, isDetached);
  if (token instanceof Fault || type === undefined) return token;
  // RFC 7515 section 4.1.9: media types compare without case
  return token.typ?.toLowerCase() === type.toLowerCase() ? token : new Fault('SIG_CLAIMS', { note: 'typ' });
}

async function verified(
  token: JwsToken,
  { cancellation }: SignedAnswer,
  key: VerificationKey | undefined,
  body?: Uint8Array,
): Promise<Uint8Array | Fault> {
  if (key?.kind === 'secret') return verifyToken(token, secretsOf(key), body);
  const fits = (candidate: PublicKey) => fitsJws(token.alg, candidate);
  const found = await findKey(key, { kid: token.kid, fits }, cancellation);
  return found instanceof Fault ? found : verifyToken(token, [found], body);
}
