import type { AgentCode, Fault, RelatedFinding } from '../fault/index.js';
import type { Projection } from '../json/index.js';
import type { ResponseHeaders } from '../upstream/index.js';
import type { CheckDefinition, JsonSchema } from './definition.js';
import type { ReadPath } from './read-path.js';
import type { TextPattern } from './text-pattern.js';

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
  /** It demands signatures: no route may serve it without. */
  readonly isSigned?: true;
}

export interface StatusGroup {
  readonly alternatives: readonly Alternative[];
  /** Union of what its alternatives for JSON look at. */
  readonly projection: Projection;
  /** Where it has alternatives for ndjson: the union of what they look at in one line. */
  readonly lines?: LinesProjection;
}

export interface LinesProjection {
  readonly line: Projection;
  /** Whether anything looks at the lines as items: their number, or what stands in them. */
  readonly keepsLines: boolean;
}

export interface Alternative {
  /** Index in `responses`. */
  readonly index: number;
  readonly statuses: ReadonlySet<number>;
  /** `json`: application/json and +json; otherwise a literal lower-case `type/subtype`. */
  readonly mediaType: string;
  /** `none`: no schema, so the body is not read (failure) or must be empty (select). */
  readonly body: 'json' | 'ndjson' | 'text' | 'none';
  /** ndjson: most lines, where the contract says. */
  readonly maxLines?: number;
  /** text: what the whole body must match; its groups are the document. */
  readonly pattern?: TextPattern;
  /** The schema's verdict; always true for `none`. A throw inside is caught and is a CON_THREW Fault. */
  accepts(value: unknown): boolean | Fault;
  /** The first finding for a refused value; undefined for one that is accepted. */
  first(value: unknown): RelatedFinding | undefined;
  /** All findings for a refused value, bounded, the first one first; computed only for the operator. */
  explain(value: unknown): readonly RelatedFinding[];
  readonly outcome: SelectOutcome | FailureOutcome;
  /** Schemas of response headers, by name; absent where the contract declares none. */
  readonly headers?: HeaderRules;
}

/** Declared headers of an answer. Lower-case name -> rule. */
export type HeaderRules = ReadonlyMap<string, ValueRule>;

/** Which links to further pages an answer may carry on. */
export interface LinkRules {
  /** Relation types, in lower case. */
  readonly rels: ReadonlySet<string>;
  /** Other paths under which the upstream links to the same resource: segments, undefined for any one. */
  readonly paths: readonly (readonly (string | undefined)[])[];
}

export interface SelectOutcome {
  readonly kind: 'select';
  readonly checks: readonly CheckDefinition[];
  select(value: unknown, context: CallContext): Selection | Fault;
  /** Absent: Link headers are dropped. */
  readonly links?: LinkRules;
}

export interface FailureOutcome {
  readonly kind: 'failure';
  /** The agent code the answer means, CON_UNMAPPED_FAILURE, or (a case threw) CON_THREW. */
  code(value: unknown, context: CallContext): AgentCode | Fault;
}

/** The compiled cases of a failure. */
export interface FailureRules {
  /** Places in the answer that the cases look at, so that the projection keeps them. */
  readonly reads: readonly ReadPath[];
  readonly code: FailureOutcome['code'];
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
  /** Value of the Link header towards the agent, where the contract passes links on. */
  readonly links?: string;
}

export interface RequestRules {
  readonly params: ReadonlyMap<string, ValueRule>;
  readonly query: ReadonlyMap<string, ValueRule>;
  readonly headers: ReadonlyMap<string, ValueRule>;
  readonly body?: BodyRule;
}

export interface BodyRule {
  readonly required: boolean;
  /** How an urlencoded body is read; absent where the body is JSON. */
  readonly form?: FormRule;
  validate(value: unknown): RelatedFinding | undefined;
}

export interface FormRule {
  readonly shape: FormObject;
  /** How lists leave: `a[0]=`, `a[]=` or a repeated `a=`. Default: as they came. */
  readonly arrays?: FormArrays;
}

export type FormArrays = 'indices' | 'brackets' | 'repeat';

/** What a part of an urlencoded body is to be read as. May contain itself. */
export type FormShape = FormObject | FormList | { readonly kind: 'text'; readonly type: ValueRule['type'] };

export interface FormObject {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, FormShape>;
  /** Members of any other name; absent where there are none. */
  readonly others?: FormShape | undefined;
}

export interface FormList {
  readonly kind: 'list';
  /** Undefined where the list has to be empty. */
  readonly item: FormShape | undefined;
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
