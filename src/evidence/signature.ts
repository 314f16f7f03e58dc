import type { KeyObject } from 'node:crypto';
import type { Fault } from '../fault/index.js';
import type {
  Cancellation,
  KeyQuery,
  PublicKey,
  PublicKeys,
  ResponseHeaders,
  UpstreamPlan,
  UpstreamRequest,
} from '../upstream/index.js';

/** A key of the configuration: a secret that both sides have (and the one before it), or public keys. */
export type VerificationKey =
  | { readonly kind: 'secret'; readonly secrets: readonly KeyObject[] }
  | { readonly kind: 'public'; readonly keys: PublicKeys };

/** Keys by the names that contracts call them by. */
export type KeyRing = ReadonlyMap<string, VerificationKey>;

/** What a contract needs of a key that it names. */
export interface KeyNeed {
  readonly name: string;
  /** JSON Pointer to the name in contract.yaml. */
  readonly pointer: string;
  readonly kind: VerificationKey['kind'];
  /** For a secret: fewer bytes are no key. */
  readonly leastBytes: number;
  /** For public keys: whether one is of a kind that the algorithms can use. */
  fits(key: PublicKey): boolean;
}

/** What a signature can be about besides the body. */
export interface SignedAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The request that left, and where to. */
  readonly request: UpstreamRequest;
  readonly upstream: UpstreamPlan;
  /** Milliseconds since the epoch when the head of the answer arrived. */
  readonly now: number;
  /** Ends the waiting for a key set. */
  readonly cancellation: Cancellation;
}

/** What is known when the body is complete. */
export interface ReadAnswer {
  /** The scanned document, or undefined where the contract declares no body. */
  readonly document: unknown;
}

/** One kind of signature, compiled: what it demands of every answer. */
export interface SignatureRule {
  readonly id: string;
  readonly need: KeyNeed | undefined;
  /** Looks at the head; a Fault refuses the answer before its body is read. */
  begin(answer: SignedAnswer, key: VerificationKey | undefined): RunningSignature | Fault;
}

/** One signature of one answer while its body arrives. */
export interface RunningSignature {
  /** The next bytes of the body as they came, before content decoding. Valid during the call only. */
  update?(chunk: Uint8Array): void;
  /**
   * The verdict, when the body is complete; a payload where it takes the document's place. Never rejects but for our bugs.
   */
  finish(answer: ReadAnswer): Verdict | Promise<Verdict>;
}

/** Undefined: it holds. */
export type Verdict = Fault | { readonly payload: Uint8Array } | undefined;

/** The public key that a signature names. */
export function findKey(
  key: VerificationKey | undefined,
  query: KeyQuery,
  cancellation: Cancellation,
): KeyObject | Fault | Promise<KeyObject | Fault> {
  if (key?.kind !== 'public') throw new Error('a signature without the key that was bound to it');
  return key.keys.find(query, cancellation);
}

/** The secrets that a code may have been made with. */
export function secretsOf(key: VerificationKey | undefined): readonly KeyObject[] {
  if (key?.kind !== 'secret') throw new Error('a signature without the secret that was bound to it');
  return key.secrets;
}
