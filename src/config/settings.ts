import type { ContractSource } from '../contract/index.js';
import type { Diagnostic } from '../fault/index.js';
import type { Assembled, Mount, RoutePlan } from '../route/index.js';

/** A whole configuration, loaded, compiled and frozen. */
export interface Settings {
  readonly server: ServerSettings;
  readonly routes: readonly RoutePlan[];
  /** Where agents call: `server.listen` first, then the upstreams with a listener of their own. */
  readonly listeners: readonly ListenerSettings[];
  readonly audit: AuditSettings | undefined;
  readonly quarantine: QuarantineSettings | undefined;
  /** SHA-256 (hex) of the configuration's normal form, secrets by name only. */
  readonly digest: string;
  /** Contracts that routes use, with the folder each came from, for fixtures. */
  readonly contracts: readonly LoadedContract[];
  /** What the operator should know though it stops nothing, a sentence each: a header that is not sent. */
  readonly warnings: readonly string[];
}

export interface LoadedContract {
  readonly source: ContractSource;
  readonly folder: string;
  /** The source, compiled: the very object that serves the calls of its routes. */
  readonly assembled: Assembled;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** One address of the agent side, and what is found there. */
export interface ListenerSettings {
  readonly endpoint: Endpoint;
  /** Whose own it is; undefined: `server.listen`. */
  readonly upstream: string | undefined;
  readonly routes: readonly RoutePlan[];
  readonly mounts: readonly Mount[];
}

/** Where the agent's token may stand in a call. */
export interface TokenCarrier {
  /** In lower case. */
  readonly header: string;
  /** What stands before the token, in lower case; undefined: the token stands alone. */
  readonly scheme: string | undefined;
}

export interface ServerSettings {
  readonly listen: Endpoint;
  /** Absent: no admin listener. */
  readonly admin: Endpoint | undefined;
  /** Token the agent must send; undefined on loopback without agent_auth. */
  readonly bearer: string | undefined;
  /** The headers in which it may send it; as a rule `authorization: Bearer ...` alone. */
  readonly carriers: readonly TokenCarrier[];
  /** Use the agent host's `x-request-id` where it is well formed. Default false. */
  readonly acceptRequestId: boolean;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent' };
  readonly pressure: PressureSettings;
}

export interface PressureSettings {
  readonly eventLoopDelayMs: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Calls in flight over all routes. */
  readonly inFlight: number;
}

export interface AuditSettings {
  readonly file: string;
  readonly durability: 'async' | 'durable';
  /** Days that rotated files are kept; undefined: for ever. */
  readonly retainMs: number | undefined;
}

export interface QuarantineSettings {
  readonly dir: string;
  readonly itemBytes: number;
  readonly totalBytes: number;
  readonly retainMs: number;
}

/** What loading gives: settings, or everything that is wrong, at once. */
export type LoadResult = { readonly settings: Settings } | { readonly diagnostics: readonly Diagnostic[] };
