import type { Fault } from '../fault/index.js';
import type { BreakerPolicy } from './breaker.js';
import type { Cancellation } from './cancellation.js';

/** HTTP methods a route can have. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Methods that change nothing (RFC 9110 section 9.2.1), so that repeating them is harmless. */
export function isSafe(method: Method): boolean {
  return method === 'GET' || method === 'HEAD';
}

export type Coding = 'gzip' | 'br';

/** Limits on one call to an upstream; times in milliseconds, sizes in bytes. Scan limits are apart (json/limits.ts). */
export interface TransportLimits {
  /** Name resolution, TCP and TLS. */
  readonly connectMs: number;
  /** From the request sent to the complete response headers. */
  readonly firstByteMs: number;
  /** Everything: all attempts, the whole body. */
  readonly totalMs: number;
  /** The body as it comes, before decoding; chunk sizes, chunk extensions and trailers may weigh as much again. */
  readonly wireBytes: number;
  readonly decodedBytes: number;
  /** Decoded bytes per wire byte. */
  readonly ratio: number;
  /** Status line and headers on the wire, those of interim responses included. */
  readonly headerBytes: number;
  /** Header lines of one response. */
  readonly headerLines: number;
  /** Interim (1xx) responses before the final one. */
  readonly interimResponses: number;
  /** Longest pause that is passed on to the agent as Retry-After; what asks for a longer one is cut down to it. */
  readonly retryAfterMs: number;
}

export const DEFAULT_TRANSPORT_LIMITS: TransportLimits = {
  connectMs: 2_000,
  firstByteMs: 5_000,
  totalMs: 10_000,
  wireBytes: 1_048_576,
  decodedBytes: 4_194_304,
  ratio: 100,
  headerBytes: 65_536,
  headerLines: 128,
  interimResponses: 16,
  retryAfterMs: 3_600_000,
};

/**
 * What another attempt may follow: a connection fault, a time-out, a failure that the contract declares as
 * UPSTREAM_UNAVAILABLE, an invalid answer (once, never more), or a status.
 */
export type RetryReason = 'connect' | 'timeout' | 'unavailable' | 'invalid_response' | number;

/** Pauses between attempts: at random below a bound that doubles, so that sidecars that failed together part. */
export interface Backoff {
  /** Bound of the first pause. */
  readonly baseMs: number;
  /** No bound is larger. */
  readonly capMs: number;
}

export interface RetryPolicy {
  /** Attempts in all, at least 1. */
  readonly attempts: number;
  /** Budget in milliseconds within which another attempt may start. */
  readonly withinMs: number;
  /** What qualifies. */
  readonly on: ReadonlySet<RetryReason>;
  /** Default: DEFAULT_BACKOFF. */
  readonly backoff?: Backoff;
  /**
   * Name of the header (lower-case) that makes a repeated write one write for the upstream. A call that may change
   * something gets it and may be repeated; without, only calls that change nothing are.
   */
  readonly idempotencyKey?: string;
}

/** One configured remote API. */
export interface UpstreamPlan {
  readonly name: string;
  /** `https://host:port` */
  readonly origin: string;
  /** Path of base_url without trailing slash, put before every path; may be empty. */
  readonly basePath: string;
  /** Lower-case name -> value, sent with every request; credentials are resolved in it. Never logged. */
  readonly headers: ReadonlyMap<string, string>;
  /** Content codings that are offered and decoded. */
  readonly codings: readonly Coding[];
  /** Most connections at a time. */
  readonly connections: number;
  readonly connectMs: number;
  /** Header limit of the HTTP parser: the largest of the upstream's routes. */
  readonly headerBytes: number;
  /** How long an idle connection is kept where the upstream announces no time of its own. Default: IDLE_MS. */
  readonly idleMs?: number;
  /** Absent: requests are sent however many have failed. */
  readonly breaker?: BreakerPolicy;
}

/** One request as it leaves: everything in it was built here from validated values. */
export interface UpstreamRequest {
  readonly method: Method;
  /** Raw path and query after `basePath`, starting with `/`. */
  readonly target: string;
  /** Lower-case names; only what contract and configuration declare. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: Uint8Array;
  /** On a connection of its own, which nothing else was or will be sent on. */
  readonly fresh?: boolean;
}

/** Response headers as received: names lower-case, in order, repeated lines kept apart, values as latin1 text. */
export class ResponseHeaders {
  readonly #lines: readonly (readonly [name: string, value: string])[];

  constructor(lines: readonly (readonly [name: string, value: string])[]) {
    this.#lines = lines;
  }

  get lines(): readonly (readonly [name: string, value: string])[] {
    return this.#lines;
  }

  /** Every value of a header, in order. */
  all(name: string): string[] {
    const values: string[] = [];
    for (const line of this.#lines) if (line[0] === name) values.push(line[1]);
    return values;
  }

  has(name: string): boolean {
    for (const line of this.#lines) if (line[0] === name) return true;
    return false;
  }

  /** The value of a header that stands exactly once; undefined when absent or repeated. */
  single(name: string): string | undefined {
    let value: string | undefined;
    for (const line of this.#lines) {
      if (line[0] !== name) continue;
      if (value !== undefined) return undefined;
      value = line[1];
    }
    return value;
  }
}

/**
 * The body of an answer, not yet read. Exactly one of `drain` and `discard` is called.
 */
export interface AnswerBody {
  /**
   * Hands each chunk to `sink` in order and resolves when the body is complete (undefined) or at the first fault,
   * whether of the wire or returned by `sink`; after a fault the connection is closed and nothing more is read, unless
   * the last byte of the body has come: then nothing more is to be read, and the connection stays.
   * A chunk is only valid during the call.
   */
  drain(sink: (chunk: Uint8Array) => Fault | undefined): Promise<Fault | undefined>;
  /** Reads nothing and closes the connection; one whose body had already arrived whole stays in the pool. */
  discard(): void;
  /**
   * The body where all of it has already arrived, in one piece that may be kept; reading it does not take the place of
   * drain or discard.
   */
  readonly whole?: Uint8Array | undefined;
  /** For a reader that works asynchronously (the content decoder). A body that is held in memory has none. */
  readonly flow?: BodyFlow;
}

/** How an asynchronous reader of a body holds back its source. Only valid while `drain` runs. */
export interface BodyFlow {
  /** Stops the reading of the socket; at most what one read of it brought still comes. */
  pause(): void;
  /** Takes `pause` back. Not from inside the sink. */
  resume(): void;
  /** Closes the connection; `drain` resolves with this fault. */
  cancel(fault: Fault): void;
}

/** The head of a final response, its body waiting. */
export interface Answer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: AnswerBody;
  /** The response carries neither Content-Length nor chunked framing: its end is the end of the connection. */
  readonly closeDelimited: boolean;
}

/** Sends one request and gives the head of the final response. `cancellation` ends it, wherever it is. */
export type Send = (
  request: UpstreamRequest,
  limits: TransportLimits,
  cancellation: Cancellation,
) => Promise<Answer | Fault>;
