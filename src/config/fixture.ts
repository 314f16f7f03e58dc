import type { AgentCode, OperatorCode } from '../fault/index.js';

/** One file under `fixtures/accept`, `fixtures/refuse` or `fixtures/past`, after it passed config/fixture.schema.json. */
export interface FixtureDefinition {
  readonly title: string;
  /** What the agent asks: text values as they would stand in a call, before escaping. */
  readonly request?: {
    readonly params?: Readonly<Record<string, string | number | boolean>>;
    readonly query?: Readonly<
      Record<string, string | number | boolean | readonly (string | number | boolean)[]>
    >;
    readonly headers?: Readonly<Record<string, string>>;
    /** A value, sent as JSON or, where the contract's body is one, as a form; a text is a form as it stands. */
    readonly body?: unknown;
  };
  /** The clock of the call, RFC 3339. Default `2026-01-01T00:00:00Z`. */
  readonly now?: string;
  /** What signatures are verified with, by name; exactly one member each. For fixtures alone. */
  readonly keys?: Readonly<
    Record<
      string,
      {
        readonly secret?: string;
        readonly public_key?: string;
        readonly jwks?: Readonly<Record<string, unknown>>;
      }
    >
  >;
  /** The upstream's answer; exactly one of `body`, `body_text`, `body_base64` and `body_file`, or none for an empty one. */
  readonly answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    /** A value, sent as JSON. */
    readonly body?: unknown;
    /** The bytes as text, exactly. */
    readonly body_text?: string;
    readonly body_base64?: string;
    /** A file beside the fixture. */
    readonly body_file?: string;
  };
  readonly expect:
    | {
        /** accept and past: the exact result, and the untrusted text where the contract has some. */
        readonly result: unknown;
        readonly untrusted_text?: Readonly<Record<string, string>>;
      }
    | {
        /** refuse: the operator code, with pointer (into the answer) and agent code where they matter. */
        readonly code: OperatorCode;
        readonly pointer?: string;
        readonly agent?: AgentCode;
      };
}

export const FIXTURE_KINDS = ['accept', 'refuse', 'past'] as const;
export type FixtureKind = (typeof FIXTURE_KINDS)[number];

/** A fixture as loaded from its file. */
export interface LoadedFixture {
  /** Path of the fixture. */
  readonly file: string;
  /** The folder it stands in. */
  readonly kind: FixtureKind;
  /** `body_file`, where there is one, is resolved to an absolute path. */
  readonly definition: FixtureDefinition;
  /** The bytes of the answer's body, whichever way they are given; empty for none. */
  readonly body: Uint8Array;
}
