import type { AgentCode } from '../fault/index.js';
import type { Cancellation } from '../upstream/index.js';

/** One request of the agent as it arrived, before anything is believed of it. */
export interface IncomingCall {
  readonly method: string;
  /** Request target exactly as on the wire: raw path and query. */
  readonly target: string;
  /** Header lines as received, names in any case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The whole body, or null when it went over the server's limit. */
  readonly body: Uint8Array | null;
  /** Cancelled with REQ_ABORTED when the agent host goes away; undefined where that cannot happen. */
  readonly cancellation?: Cancellation;
  /** The server found it has to shed this call. */
  readonly shed?: boolean;
  /** Whether the bearer token was the configured one; true where none is configured. */
  readonly authenticated: boolean;
  /** Name of the authenticated agent identity, for the record. */
  readonly agent?: string;
}

/** What the agent gets: built here, to the byte. */
export interface AgentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; UTF-8 on the wire. */
  readonly body: string;
  readonly outcome: 'success' | AgentCode;
}
