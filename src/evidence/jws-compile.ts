import type { JwsDefinition } from '../contract/index.js';
import { bodyJws, digestJws, documentJws, type JwsTerms } from './jws.js';
import { ClaimReader } from './jws-claims.js';
import { fitsJws, JWS_ALGORITHMS } from './jws-token.js';
import type { KeyNeed, SignatureRule } from './signature.js';
import { publicNeed, type SignatureReport, secretNeed } from './signature-report.js';

/** What a contract demands of a JWS, compiled. */
export function jwsRule({ id, jws }: JwsDefinition, report: SignatureReport): SignatureRule | undefined {
  const need = needOf(jws, report);
  const terms: JwsTerms = { id, algorithms: new Set(jws.algorithms), type: jws.type };
  const wanted = jws.covers === 'document' ? 'from' : 'header';
  const other = wanted === 'from' ? 'header' : 'from';
  if (jws[other] !== undefined) {
    const message = `covers: ${jws.covers} goes with ${wanted}, not with ${other}`;
    const reason =
      wanted === 'from'
        ? 'from: /token'
        : 'header: x-jws-signature; a JWS cannot cover the body it stands in';
    report.say(`/jws/${other}`, message, `write ${reason}`);
  } else if (jws[wanted] === undefined) {
    report.say(
      '/jws/covers',
      `covers: ${jws.covers} needs ${wanted}`,
      `write ${wanted}: ${wanted === 'from' ? '/token' : 'x-jws-signature'}`,
    );
  }
  if ((jws.digest !== undefined) !== (jws.covers === 'digest')) {
    const remedy = 'write digest: { claim: /body_sha256, algorithm: sha-256, encoding: hex }';
    report.say('/jws/covers', 'digest and covers: digest go together', remedy);
  }
  const claims = claimsOf(jws, report);
  if (need === undefined) return undefined;
  if (jws.covers === 'body') return bodyJws(terms, need, jws.header ?? '');
  if (claims === undefined) return undefined;
  if (jws.covers === 'document') return documentJws(terms, need, report.path('/jws/from', jws.from), claims);
  return jws.digest && digestJws(terms, need, jws.header ?? '', claims, jws.digest);
}

/** Undefined with `covers: body`, whose payload is the body and no set of claims. */
function claimsOf(jws: JwsDefinition['jws'], report: SignatureReport): ClaimReader | undefined {
  const { issuer, audience, max_age: maxAge } = jws;
  const skewMs = report.duration('/jws/skew', jws.skew);
  const maxAgeMs = maxAge === undefined ? undefined : report.duration('/jws/max_age', maxAge);
  if (jws.covers === 'body') {
    for (const member of ['issuer', 'audience', 'max_age', 'skew'] as const) {
      if (jws[member] === undefined) continue;
      const remedy = 'remove it, and bind who, for whom and when with checks on the answer';
      report.say(
        `/jws/${member}`,
        `with covers: body the payload is the body, which has no ${member}`,
        remedy,
      );
    }
    return undefined;
  }
  if (issuer === undefined || audience === undefined) {
    const message = `covers: ${jws.covers} needs issuer and audience, or a token of another service would do`;
    report.say('/jws', message, 'write issuer: https://issuer.example and audience: my-sidecar');
    return undefined;
  }
  const claim = jws.digest === undefined ? undefined : report.path('/jws/digest/claim', jws.digest.claim);
  return new ClaimReader({ issuer, audience, maxAgeMs, skewMs }, claim);
}

function needOf({ key, algorithms }: JwsDefinition['jws'], report: SignatureReport): KeyNeed | undefined {
  const rows = algorithms.map((name) => JWS_ALGORITHMS.get(name));
  for (const [index, row] of rows.entries()) {
    if (row !== undefined) continue;
    const remedy = `use one of ${[...JWS_ALGORITHMS.keys()].join(', ')}`;
    report.say(
      `/jws/algorithms/${index}`,
      `"${algorithms[index]}" is not an algorithm that can be allowed`,
      remedy,
    );
  }
  const least = rows.flatMap((row) => (row !== undefined && 'leastBytes' in row ? [row.leastBytes] : []));
  const pointer = `${report.pointer}/jws/key`;
  if (least.length === 0) {
    return publicNeed(key, pointer, (candidate) => algorithms.some((name) => fitsJws(name, candidate)));
  }
  if (least.length === rows.length) return secretNeed(key, pointer, Math.max(...least));
  // RFC 8725 section 2.1: a public key that is taken for a secret lets anybody sign
  const message = 'algorithms with a secret and algorithms with public keys stand side by side';
  report.say('/jws/algorithms', message, 'keep those of one kind');
  return undefined;
}
