import type { AgentCode } from '../fault/index.js';

/**
 * The shape of `contract.yaml`, after it passed config/contract.schema.json. These are the words a tool author
 * writes; nothing here is compiled yet. docs/contracts.md is the reference.
 */
export interface ContractDefinition {
  /** The name the agent knows: `^[a-z][a-z0-9_]{0,63}$`. */
  readonly tool: string;
  /** Semantic version; its major number is the folder's name and the route's `tool@major`. */
  readonly version: string;
  readonly purpose: string;
  readonly request: RequestDefinition;
  /** In order; exactly one must accept an answer. */
  readonly responses: readonly ResponseDefinition[];
  /** JSON Schema of `data`: closed and bounded. Absent when every alternative is a failure. */
  readonly result?: SchemaRef;
  /** Response member names that differ only in case are duplicates. Default `case_sensitive`. */
  readonly names?: 'case_sensitive' | 'case_insensitive';
  /** `string`: numbers of the answer reach schema and selection as text holding their exact digits. */
  readonly numbers?: 'number' | 'string';
}

/** The name of a schema file beside the contract (`x.schema.json`, optional `#/pointer`), or a schema written in place. */
export type SchemaRef = string | JsonSchema;
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export interface RequestDefinition {
  /** One per `{name}` of the route's path template; all are required. */
  readonly params?: Readonly<Record<string, JsonSchema>>;
  /** Closed: any other parameter is refused. `type: array` allows a repeated parameter. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Names of `query` that must be sent. */
  readonly required_query?: readonly string[];
  /** Headers of the agent's call that are validated and forwarded; lower-case names. Every other is dropped. */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly required_headers?: readonly string[];
  readonly body?: {
    /** `application/json` for now. */
    readonly media_type: 'application/json';
    readonly schema: SchemaRef;
    readonly required?: boolean;
  };
}

export interface ResponseDefinition {
  readonly status: number | readonly number[];
  /**
   * `application/json` (the default) also takes every `application/*+json` but `application/problem+json`;
   * any other value is taken literally.
   */
  readonly media_type?: string;
  /** Absent: the body is not read (failure), or must be empty (select). */
  readonly schema?: SchemaRef;
  /** Exactly one of `select` and `failure`. */
  readonly select?: SelectDefinition;
  readonly checks?: readonly CheckDefinition[];
  readonly failure?: AgentCode | { readonly by: string; readonly map: Readonly<Record<string, AgentCode>> };
}

/** The result: an object of fields, or the items of an array (`{ each, ... }`) where the result is an array. */
export type SelectDefinition = FieldsDefinition | EachDefinition;
export type FieldsDefinition = Readonly<Record<string, FieldDefinition>>;

/**
 * One field of the result.
 *
 * - a string: a source
 * - `{ from, ... }`: a source with rules
 * - `{ object: { field: ... } }`: a nested object of fields
 * - `{ each, ... }`: an array
 *
 * A **source** is a JSON Pointer into the response (inside `each`: into the item) - `""` or `/a/b` -,
 * `request.params.NAME`, `request.query.NAME`, `request.headers.NAME`, `request.body/POINTER`, `request.id`,
 * or `header:NAME` (a response header that stands once).
 */
export type FieldDefinition = string | FromDefinition | ObjectDefinition | EachDefinition;

export interface FromDefinition {
  readonly from: string;
  /** Upstream value (its text) -> result value. A value not listed is refused. */
  readonly map?: Readonly<Record<string, string | number | boolean | null>>;
  /** Text with exactly one `{}`, which the value's text replaces. */
  readonly template?: string;
  readonly convert?: 'integer' | 'string' | 'epoch_s' | 'epoch_ms';
  /** Absent in the answer: absent in the result. */
  readonly optional?: boolean;
  /** `display`: goes to the envelope's `untrusted_text`, with line breaks and emoji sequences allowed. */
  readonly text?: 'display';
  /** Code points; required with `text: display`, where more is refused. */
  readonly max_length?: number;
}

export interface ObjectDefinition {
  readonly object: FieldsDefinition;
}

export interface EachDefinition {
  /** JSON Pointer to the array. */
  readonly each: string;
  /** More items are refused. Exactly one of `max` and `take`. */
  readonly max?: number;
  /** The first N items are given, and their number in the answer as the sibling field that `total` names. */
  readonly take?: number;
  /** Required with `take`, which is allowed only where the array is a field of an object. */
  readonly total?: string;
  /** What each item becomes; exactly one of `select` (an object) and `item` (a scalar). */
  readonly select?: FieldsDefinition;
  readonly item?: string | Omit<FromDefinition, 'optional' | 'text'>;
  readonly optional?: boolean;
}

export type CheckDefinition = BindDefinition | FreshDefinition;

/** The answer belongs to this request. Exactly one of `equals` and `ends_with`. */
export interface BindDefinition {
  readonly id: string;
  /** A source (see FieldDefinition), into the response or `header:NAME`. */
  readonly bind: string;
  /** Check the source in every item of this array (JSON Pointer); `bind` is then relative to the item. */
  readonly each?: string;
  /** Text with `{request.params.x}`, `{request.query.x}`, `{request.body/ptr}`, `{request.id}` in it. */
  readonly equals?: string;
  readonly ends_with?: string;
  /** ASCII letters compare without case (GitHub's owner and repository names). */
  readonly ignore_case?: boolean;
}

/** The answer is of now. */
export interface FreshDefinition {
  readonly id: string;
  readonly fresh: {
    /** Exactly one of `from` (JSON Pointer to a time) and `header` (`date`: an HTTP-date; `age`: seconds). */
    readonly from?: string;
    readonly header?: 'date' | 'age' | 'last-modified';
    /** How `from` tells time. Default `rfc3339`. */
    readonly format?: 'rfc3339' | 'epoch_s' | 'epoch_ms';
    /** Oldest accepted age: `60s`, `5m`, `24h`. */
    readonly within: string;
    /** How far in the future is put down to clocks. Default `5s`. */
    readonly skew?: string;
  };
}

/** A contract as loaded from its folder, every text parsed, nothing compiled. */
export interface ContractSource {
  /** `tool@major` */
  readonly name: string;
  readonly definition: ContractDefinition;
  /** File name -> parsed schema document. */
  readonly schemas: ReadonlyMap<string, unknown>;
}
