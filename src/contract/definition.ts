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
  /** What every answer must carry, all of it, but for alternatives that say `unsigned`. docs/signatures.md. */
  readonly signatures?: readonly SignatureDefinition[];
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
    readonly media_type: 'application/json' | 'application/x-www-form-urlencoded';
    readonly schema: SchemaRef;
    readonly required?: boolean;
    /** Of an urlencoded body: how its lists leave, `a[0]=`, `a[]=` or `a=`. Default: as they came. */
    readonly arrays?: 'indices' | 'brackets' | 'repeat';
  };
}

export interface ResponseDefinition {
  readonly status: number | readonly number[];
  /**
   * `application/json` (the default) also takes every `application/*+json` but `application/problem+json`;
   * any other value is taken literally.
   */
  readonly media_type?: string;
  /** How the body becomes a document. Absent: it is one JSON document. */
  readonly parse?: ParseDefinition;
  /** Absent: the body is not read (failure), or must be empty (select). */
  readonly schema?: SchemaRef;
  /**
   * Headers of the answer and their schemas; lower-case names, read as `type` says. One that is not as its schema says
   * refuses the answer. `header:NAME` then gives a value of that type.
   */
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  /** Names of `headers` that must be there. */
  readonly required_headers?: readonly string[];
  /** Links to further pages that are kept, and lead to this proxy. Absent: Link headers are dropped. */
  readonly links?: LinksDefinition;
  /** Exactly one of `select` and `failure`. */
  readonly select?: SelectDefinition;
  readonly checks?: readonly CheckDefinition[];
  /** A failure that is believed without the contract's signatures. */
  readonly unsigned?: true;
  readonly failure?: AgentCode | FailureByValue | FailureCases;
}

/** The code that a value of the answer maps to; a value that is not listed refuses the answer. */
export interface FailureByValue {
  readonly by: string;
  readonly map: Readonly<Record<string, AgentCode>>;
}

/** The code of the first case whose rule holds; an answer on which none holds is refused. */
export interface FailureCases {
  readonly reads: ReadsDefinition;
  readonly cases: readonly { readonly when: string; readonly code: AgentCode }[];
}

/**
 * - `ndjson`: newline-delimited JSON. The document is the array of its lines, at most `max`. `media_type` is
 *   `application/x-ndjson` unless said otherwise.
 * - `pattern`: text that the pattern must match as a whole. The document is the object of its named groups; without a
 *   `schema` it is the one that the groups make. `media_type` is `text/plain` unless said otherwise.
 */
export type ParseDefinition =
  | 'ndjson'
  | { readonly ndjson: { readonly max: number } }
  | { readonly pattern: string };

/**
 * `rewrite`: links with the relation types next, prev, previous, first and last. `paths`: templates of other paths under
 * which the upstream links to the same resource, `/repositories/{id}/issues`.
 */
export type LinksDefinition =
  | 'rewrite'
  | {
      readonly rewrite: readonly ('next' | 'prev' | 'previous' | 'first' | 'last')[];
      readonly paths?: readonly string[];
    };

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
 * `header:NAME` (a response header that stands once), or `link:REL?NAME` (a query parameter of the one link of that
 * relation type, such as `link:next?page`; absent where there is no such link).
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
  /** More items are refused. Exactly one of `max`, `take` and `cursor`. */
  readonly max?: number;
  /** The first N items are given, and their number in the answer as the sibling field that `total` names. */
  readonly take?: number;
  /** Required with `take`, which is allowed only where the array is a field of an object. */
  readonly total?: string;
  /**
   * The name of the sibling field that tells whether there are further pages, and how to ask for them. All items of this
   * page are given, as many as the result schema takes.
   */
  readonly cursor?: string;
  /** What each item becomes; exactly one of `select` (an object) and `item` (a scalar). */
  readonly select?: FieldsDefinition;
  readonly item?: string | Omit<FromDefinition, 'optional' | 'text'>;
  readonly optional?: boolean;
}

export type CheckDefinition = BindDefinition | FreshDefinition | RuleDefinition;

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

/** A sentence in CEL about values of the answer, the request and the time that must be true. */
export interface RuleDefinition {
  readonly id: string;
  readonly rule: string;
  readonly reads: ReadsDefinition;
  /** The rule must hold for every item of this array (JSON Pointer); pointers in `reads` then start at the item. */
  readonly each?: string;
}

/**
 * The names that a rule calls values by: a source (see FieldDefinition), one value of each item of an array, or the
 * number of items of an array.
 */
export type ReadsDefinition = Readonly<Record<string, ReadDefinition>>;
export type ReadDefinition =
  | string
  | { readonly each: string; readonly item: string }
  | { readonly count: string };

export type SignatureDefinition =
  | ContentDigestDefinition
  | HmacDefinition
  | MessageSignatureDefinition
  | JwsDefinition;

/** Content-Digest (RFC 9530): the body arrived as it was sent. Proves nothing about who sent it. */
export interface ContentDigestDefinition {
  readonly id: string;
  /** Algorithms of which at least one must be there; default both. */
  readonly content_digest: { readonly algorithms?: readonly ('sha-256' | 'sha-512')[] };
}

/** A message authentication code over the body in a header, as webhooks have it. */
export interface HmacDefinition {
  readonly id: string;
  readonly hmac: {
    /** Name of a key of the upstream's configuration: a secret. */
    readonly key: string;
    readonly header: string;
    /** Text before the code, such as `sha256=`. Default none. */
    readonly prefix?: string;
    /** Default `hex`. */
    readonly encoding?: 'hex' | 'base64';
    readonly algorithm: 'sha256' | 'sha384' | 'sha512';
  };
}

/** HTTP Message Signatures (RFC 9421), with the Content-Digest that they cover. */
export interface MessageSignatureDefinition {
  readonly id: string;
  readonly message_signature: {
    readonly key: string;
    readonly algorithm: 'ed25519' | 'ecdsa-p256-sha256' | 'rsa-pss-sha512' | 'hmac-sha256';
    /** What it covers at least: `@status` and `content-digest` always, and `@method;req` and the like. */
    readonly components: readonly string[];
    /** Which signature, where an answer may carry several; default: there is exactly one. */
    readonly label?: string;
    readonly tag?: string;
    /** Oldest accepted age by `created`. */
    readonly max_age: string;
    /** Default `5s`. */
    readonly skew?: string;
  };
}

/** JSON Web Signature (RFC 7515), compact. */
export interface JwsDefinition {
  readonly id: string;
  readonly jws: {
    readonly key: string;
    /** JOSE algorithms, all of them with public keys or all of them (HS256 ...) with a secret. */
    readonly algorithms: readonly string[];
    /** JSON Pointer to the JWS in the answer; with `covers: document` only. */
    readonly from?: string;
    /** Header that holds it; with `covers: body` and `covers: digest`. */
    readonly header?: string;
    /**
     * - `document`: its payload is the answer; schema, selection and checks see nothing else.
     * - `body`: detached (RFC 7515 appendix F); the body as it came is the payload.
     * - `digest`: its payload holds a digest of the body as it came.
     */
    readonly covers: 'document' | 'body' | 'digest';
    readonly digest?: {
      /** JSON Pointer into the payload. */
      readonly claim: string;
      readonly algorithm: 'sha-256' | 'sha-512';
      readonly encoding: 'hex' | 'base64' | 'base64url';
    };
    /** `iss` and `aud`; required but with `covers: body`, whose payload has no claims. */
    readonly issuer?: string;
    readonly audience?: string;
    /** Header parameter `typ`. */
    readonly type?: string;
    /** Oldest accepted age by `iat`, which must then be there; without, `exp` must. */
    readonly max_age?: string;
    /** Default `5s`. */
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
