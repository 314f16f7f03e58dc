import type { AgentCode } from '../fault/index.js';
import type { Method, RetryReason } from '../upstream/index.js';

/**
 * The shape of `assay.yaml`, after it passed config/config.schema.json and its variables were filled in. These are the
 * words an operator writes; the schema is the reference. Sizes and durations are text with a unit.
 */
export interface ConfigDefinition {
  readonly version: 1;
  readonly contracts?: string;
  readonly server?: ServerDefinition;
  readonly upstreams: Readonly<Record<string, UpstreamDefinition>>;
  readonly failure_profiles?: Readonly<Record<string, ProfileDefinition>>;
  readonly routes: readonly RouteDefinition[];
  readonly audit?: {
    readonly file: string;
    readonly durability?: 'durable' | 'async';
    readonly retain?: string;
  };
  readonly quarantine?: {
    readonly dir: string;
    readonly item?: string;
    readonly total?: string;
    readonly retain?: string;
  };
}

export interface ServerDefinition {
  readonly listen?: string;
  readonly admin?: string;
  readonly agent_auth?: {
    readonly bearer: { readonly secret: string };
    /** Default: `authorization` with the scheme `Bearer`. */
    readonly carriers?: readonly { readonly header: string; readonly scheme?: string }[];
  };
  readonly request_ids?: 'own' | 'accept';
  readonly log?: { readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent' };
  readonly pressure?: {
    readonly event_loop_delay?: string;
    readonly heap?: string;
    readonly rss?: string;
    readonly in_flight?: number;
  };
}

export interface SecretReference {
  readonly secret: string;
  /** Default `{}`. */
  readonly format?: string;
  /** Absent secret: header not sent. Default false. */
  readonly optional?: boolean;
}

export interface UpstreamDefinition {
  readonly base_url: string;
  /** Default `/` and the upstream's name; `/` where it has a listener of its own. */
  readonly mount?: string;
  /** Default: `server.listen`, with all others. */
  readonly listen?: string;
  readonly headers?: Readonly<Record<string, string | SecretReference>>;
  readonly codings?: readonly ('gzip' | 'br')[];
  /** What signatures are verified with, by the names that contracts call them by. */
  readonly keys?: Readonly<Record<string, KeyDefinition>>;
  readonly connections?: number;
  readonly limits?: LimitsDefinition;
  readonly retry?: RetryDefinition;
  /** Absent: none. */
  readonly breaker?: BreakerDefinition;
  readonly failure_profile?: string;
  readonly answer_headers?: Readonly<Record<string, string>>;
  readonly statuses?: Readonly<Partial<Record<AgentCode, number>>>;
}

/** Exactly one of `secret`, `file` and `jwks`. */
export interface KeyDefinition {
  readonly secret?: string;
  /** The one before, while keys are changed. */
  readonly previous?: string;
  /** Default `text`. */
  readonly encoding?: 'text' | 'base64' | 'hex';
  readonly file?: string;
  readonly kid?: string;
  readonly jwks?: {
    readonly url: string;
    readonly timeout?: string;
    readonly size?: string;
    readonly refresh?: string;
    readonly keep?: string;
    readonly retry?: string;
  };
}

export interface RetryDefinition {
  readonly attempts: number;
  readonly within?: string;
  readonly on?: readonly RetryReason[];
  readonly backoff?: string;
  readonly backoff_max?: string;
  /** A header's name, lower-case. */
  readonly idempotency_key?: string;
}

export interface BreakerDefinition {
  readonly failures: number;
  readonly open?: string;
}

/** Keys of LIMITS (limits.ts). */
export type LimitsDefinition = Readonly<Partial<Record<string, string | number>>>;

export interface ProfileDefinition {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface RouteDefinition {
  readonly tool: string;
  readonly upstream: string;
  readonly method: Method;
  readonly path: string;
  /** `tool@major` */
  readonly contract: string;
  readonly answer?: 'envelope' | 'data';
  readonly limits?: LimitsDefinition;
  readonly retry?: RetryDefinition;
  /** Default: true for GET and HEAD. */
  readonly read_only?: boolean;
}

/** A definition of which ill-shaped parts were taken out, so that the rest can still be looked at. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? readonly (Sound<Item> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: Sound<T[K]> | undefined }
    : T;
