import { Fault } from '../fault/index.js';
import {
  compileScanPlan,
  KEEP,
  type Pick,
  type Projection,
  resolvePointer,
  scanWhole,
} from '../json/index.js';

/** What a contract pins of the claims in a payload (RFC 7519 section 4.1). Times in milliseconds. */
export interface ClaimTerms {
  readonly issuer: string;
  readonly audience: string;
  /** Age by `iat`; undefined: `exp` bounds it, and has to be there. */
  readonly maxAgeMs: number | undefined;
  readonly skewMs: number;
}

const REGISTERED = ['iss', 'aud', 'exp', 'nbf', 'iat'];

/** A payload is as large as the body may be, which is bounded already; these limits bound nothing else. */
const LIMITS = {
  depth: 256,
  members: 1_000_000,
  items: 10_000_000,
  tokens: 100_000_000,
  nameBytes: 65_536,
  stringBytes: 67_108_864,
  numberBytes: 4_096,
};

/** Reads claims out of payloads: the registered ones, and one more that `claim` leads to. */
export class ClaimReader {
  readonly #terms: ClaimTerms;
  readonly #claim: readonly string[] | undefined;
  readonly #plan;

  constructor(terms: ClaimTerms, claim?: readonly string[]) {
    this.#terms = terms;
    this.#claim = claim;
    const members = new Map<string, Projection>(REGISTERED.map((name) => [name, KEEP]));
    const [first, ...rest] = claim ?? [];
    if (first !== undefined && !members.has(first)) members.set(first, projectionTo(rest));
    this.#plan = compileScanPlan({ limits: LIMITS, projection: { members } });
  }

  /** The value of the claim that is asked for, once the registered ones are as pinned. */
  read(payload: Uint8Array, now: number): { readonly claim: unknown } | Fault {
    const scanned = scanWhole(payload, this.#plan);
    if (scanned instanceof Fault) return new Fault('SIG_FORM', { note: `the payload: ${scanned.code}` });
    if (scanned.kind !== 'object') return new Fault('SIG_FORM', { note: 'the payload is no object' });
    const claims = JSON.parse(scanned.text) as Readonly<Record<string, unknown>>;
    const fault = this.#claims(claims) ?? this.#times(claims, now);
    if (fault !== undefined) return fault;
    return { claim: this.#claim && resolvePointer(claims, this.#claim)?.value };
  }

  #claims({ iss, aud }: Readonly<Record<string, unknown>>): Fault | undefined {
    if (iss !== this.#terms.issuer) return new Fault('SIG_CLAIMS', { note: 'iss' });
    // RFC 7519 section 4.1.3: one text, or a list of them
    const audiences = Array.isArray(aud) ? aud : [aud];
    return audiences.includes(this.#terms.audience) ? undefined : new Fault('SIG_CLAIMS', { note: 'aud' });
  }

  #times(claims: Readonly<Record<string, unknown>>, now: number): Fault | undefined {
    const { maxAgeMs, skewMs } = this.#terms;
    for (const name of ['exp', 'nbf', 'iat']) {
      if (claims[name] !== undefined && typeof claims[name] !== 'number') {
        return new Fault('SIG_CLAIMS', { note: `${name} is no number` });
      }
    }
    const needed = maxAgeMs === undefined ? 'exp' : 'iat';
    if (claims[needed] === undefined) return new Fault('SIG_CLAIMS', { note: `no ${needed}` });
    // RFC 7519 section 4.1.4: on or after exp it is not accepted
    if (secondsOf(claims.exp) <= now - skewMs) return new Fault('SIG_TIME', { note: 'expired' });
    if (secondsOf(claims.nbf) > now + skewMs) return new Fault('SIG_TIME', { note: 'not yet valid' });
    if (secondsOf(claims.iat) > now + skewMs)
      return new Fault('SIG_TIME', { note: 'iat lies in the future' });
    if (maxAgeMs !== undefined && now - secondsOf(claims.iat) > maxAgeMs + skewMs) {
      return new Fault('SIG_TIME', { note: 'too old' });
    }
    return undefined;
  }
}

/** A NumericDate in milliseconds; NaN, which no comparison is true of, where there is none. */
function secondsOf(claim: unknown): number {
  return typeof claim === 'number' ? claim * 1000 : Number.NaN;
}

/** What keeps one place of a document and nothing else of it; where the place may be in a list, that of every item. */
export function projectionTo(path: readonly string[]): Projection {
  return path.reduceRight<Projection>((below, name): Pick => {
    const members = new Map([[name, below]]);
    return /^(?:0|[1-9][0-9]*)$/.test(name) ? { members, items: below } : { members };
  }, KEEP);
}
