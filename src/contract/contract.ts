import type { AgentCode, Fault, RelatedFinding } from '../fault/index.js';
import type { Projection } from '../json/index.js';
import type { ResponseHeaders } from '../upstream/index.js';
import type { CheckDefinition, JsonSchema } from './definition.js';

/** A compiled contract: frozen, no I/O, everything that can be decided at load is decided. */
export interface Contract {
  readonly tool: string;
  readonly version: string;
  /** `tool@major` */
  readonly name: string;
  readonly purpose: string;
  /** SHA-256 (hex) of the contract's normal form: definition and the schemas it names. */
  readonly digest: string;
  readonly request: RequestRules;
  readonly alternatives: readonly Alternative[];
  /** status -> what can be said with it. */
  readonly byStatus: ReadonlyMap<number, StatusGroup>;
  /** Media types for the request's Accept header, most specific first. */
  readonly accept: string;
  readonly result: ResultRules;
  readonly caseInsensitiveNames: boolean;
  readonly numbers: 'number' | 'string';
}

export interface StatusGroup {
  readonly alternatives: readonly Alternative[];
  /** Union of what its alternatives look at. */
  readonly projection: Projection;
}

export interface Alternative {
  /** Index in `responses`. */
  readonly index: number;
  readonly statuses: ReadonlySet<number>;
  /** `json`: application/json and +json; otherwise a literal lower-case `type/subtype`. */
  readonly mediaType: string;
  /** `none`: no schema, so the body is not read (failure) or must be empty (select). */
  readonly body: 'json' | 'none';
  /** The schema's verdict; always true for `none`. A throw inside is caught and is a CON_THREW Fault. */
  accepts(value: unknown): boolean | Fault;
  /** All findings for a refused value, bounded; computed only for the operator. */
  explain(value: unknown): readonly RelatedFinding[];
  readonly outcome: SelectOutcome | FailureOutcome;
}

export interface SelectOutcome {
  readonly kind: 'select';
  readonly checks: readonly CheckDefinition[];
  select(value: unknown, context: CallContext): Selection | Fault;
}

export interface FailureOutcome {
  readonly kind: 'failure';
  /** The agent code the answer means, or CON_UNMAPPED_FAILURE. */
  code(value: unknown): AgentCode | Fault;
}

/** What selection and checks can look at besides the validated answer. */
export interface CallContext {
  readonly request: TypedRequest;
  readonly requestId: string;
  readonly headers: ResponseHeaders;
  /** Milliseconds since the epoch when the head of the answer arrived. */
  readonly now: number;
}

export type Scalar = string | number | boolean | null;

/** The agent's call after validation: typed values, nothing undeclared. Objects have no prototype. */
export interface TypedRequest {
  readonly params: Readonly<Record<string, Scalar>>;
  readonly query: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A fresh result: plain data made here. */
export interface Selection {
  readonly data: unknown;
  readonly untrustedText?: Readonly<Record<string, string>>;
}

export interface RequestRules {
  readonly params: ReadonlyMap<string, ValueRule>;
  readonly query: ReadonlyMap<string, ValueRule>;
  readonly headers: ReadonlyMap<string, ValueRule>;
  readonly body?: { readonly required: boolean; validate(value: unknown): RelatedFinding | undefined };
}

/** One declared parameter, query member or header. */
export interface ValueRule {
  /** How its text is read. `integer` and `number` take JSON's lexemes only, `boolean` takes `true` and `false`. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  /** May be repeated; validate gets an array. */
  readonly array: boolean;
  readonly required: boolean;
  validate(value: unknown): RelatedFinding | undefined;
}

export interface ResultRules {
  validate(value: unknown): RelatedFinding | undefined;
  /** JSON Schema of `data`, self-contained, for the envelope schema and documents. */
  readonly schema: JsonSchema;
  /** Largest possible `data` in bytes of UTF-8 JSON. */
  readonly maxBytes: number;
  /** Fields of `untrusted_text` and their most code points; absent where no alternative has any. */
  readonly untrustedText?: ReadonlyMap<string, number>;
}
