import { Fault, type Problem } from '../fault/index.js';
import type { Projection } from '../json/index.js';
import { FixedKeys } from '../upstream/index.js';
import { projectionTo } from './jws-claims.js';
import type {
  KeyNeed,
  KeyRing,
  ReadAnswer,
  RunningSignature,
  SignatureRule,
  SignedAnswer,
  Verdict,
  VerificationKey,
} from './signature.js';

/** Everything that a contract demands to be signed, compiled; the keys are still only names. */
export class SignatureRules {
  readonly #rules: readonly SignatureRule[];
  readonly #unsigned: ReadonlySet<number>;
  readonly #document: readonly string[] | undefined;

  /**
   * @param unsigned statuses whose answers are believed without
   * @param document where the JWS stands whose payload is the answer
   */
  constructor(
    rules: readonly SignatureRule[],
    unsigned: ReadonlySet<number>,
    document: readonly string[] | undefined,
  ) {
    this.#rules = rules;
    this.#unsigned = unsigned;
    this.#document = document;
  }

  /** The names of the keys that have to be given. */
  get keyNames(): readonly string[] {
    return [...new Set(this.#rules.flatMap(({ need }) => (need === undefined ? [] : [need.name])))];
  }

  /** The same with keys, or what is wrong with them, as problems of contract.yaml. */
  withKeys(ring: KeyRing): AnswerVerifier | { readonly problems: readonly Problem[] } {
    const problems: Problem[] = [];
    const bound = this.#rules.map((rule): BoundRule => {
      const key = rule.need === undefined ? undefined : ring.get(rule.need.name);
      if (rule.need !== undefined) {
        const wrong = unfit(rule.need, key);
        if (wrong !== undefined) problems.push({ pointer: rule.need.pointer, rule: 'key', ...wrong });
      }
      return [rule, key];
    });
    return problems.length > 0 ? { problems } : new AnswerVerifier(bound, this.#unsigned, this.#document);
  }
}

type BoundRule = readonly [rule: SignatureRule, key: VerificationKey | undefined];

function unfit(
  { name, kind, leastBytes, fits }: KeyNeed,
  key: VerificationKey | undefined,
): { readonly message: string; readonly remedy: string } | undefined {
  if (key === undefined) {
    return { message: `there is no key ${name}`, remedy: `Add ${name} to keys of the upstream.` };
  }
  if (key.kind !== kind) {
    return kind === 'secret'
      ? { message: `the key ${name} is no secret`, remedy: `Write ${name}: { secret: NAME }.` }
      : {
          message: `the key ${name} is a secret, and the algorithm needs a public key`,
          remedy: `Write ${name}: { file: key.pem }, or jwks with a URL.`,
        };
  }
  if (key.kind === 'secret') {
    const short = key.secrets.some(({ symmetricKeySize = 0 }) => symmetricKeySize < leastBytes);
    if (!short) return undefined;
    const message = `the secret of ${name} has fewer than ${leastBytes} bytes`;
    return { message, remedy: 'Use a longer secret; it is guessed otherwise.' };
  }
  // What a key set behind a URL holds shows when it is fetched
  if (!(key.keys instanceof FixedKeys) || key.keys.keys.some(fits)) return undefined;
  const message = `the key ${name} is not of the kind that the algorithm needs`;
  return { message, remedy: 'Give the key that goes with the algorithm, or change the algorithm.' };
}

/** Verifies the answers of one route. */
export class AnswerVerifier {
  readonly #rules: readonly BoundRule[];
  readonly #unsigned: ReadonlySet<number>;
  /** What to keep of a body whose answer is the payload of a JWS in it; undefined where the body is the answer. */
  readonly envelope: Projection | undefined;

  constructor(
    rules: readonly BoundRule[],
    unsigned: ReadonlySet<number>,
    document: readonly string[] | undefined,
  ) {
    this.#rules = rules;
    this.#unsigned = unsigned;
    this.envelope = document && projectionTo(document);
  }

  /** Whether an answer with this status has to be signed. */
  demands(status: number): boolean {
    return !this.#unsigned.has(status);
  }

  /** Looks at the head: whatever can be refused without the body is. */
  begin(answer: SignedAnswer): Verification | Fault {
    const running: RunningSignature[] = [];
    for (const [rule, key] of this.#rules) {
      const begun = rule.begin(answer, key);
      if (begun instanceof Fault) return named(begun, rule);
      running.push(begun);
    }
    return new Verification(
      running,
      this.#rules.map(([rule]) => rule),
    );
  }
}

/** All signatures of one answer while its body arrives. */
export class Verification {
  readonly #running: readonly RunningSignature[];
  readonly #rules: readonly SignatureRule[];

  constructor(running: readonly RunningSignature[], rules: readonly SignatureRule[]) {
    this.#running = running;
    this.#rules = rules;
  }

  /** The next bytes of the body as they came, before content decoding. */
  update(chunk: Uint8Array): void {
    for (const signature of this.#running) signature.update?.(chunk);
  }

  /** The first signature that does not hold; the payload, where one takes the document's place. */
  async finish(answer: ReadAnswer): Promise<Verdict> {
    let payload: Verdict;
    for (const [index, signature] of this.#running.entries()) {
      const verdict = await signature.finish(answer);
      if (verdict instanceof Fault) return named(verdict, this.#rules[index]);
      payload ??= verdict;
    }
    return payload;
  }
}

function named(fault: Fault, rule: SignatureRule | undefined): Fault {
  return rule === undefined ? fault : new Fault(fault.code, { ...fault.detail, rule: rule.id });
}
