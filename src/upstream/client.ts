import { Pool } from 'undici';
import { Fault } from '../fault/index.js';
import type { Cancellation } from './cancellation.js';
import { acceptEncoding } from './coding.js';
import { WiredClient, type WiredOptions } from './connect.js';
import { Exchange } from './exchange.js';
import type { Answer, Send, TransportLimits, UpstreamPlan, UpstreamRequest } from './types.js';

/** Idle connections are closed after this time, whatever the upstream allows. */
const IDLE_MS = 4_000;
const IDLE_MAX_MS = 60_000;

/** Written by the client itself, or never: they speak of the connection and not of the request (RFC 9110 section 7.6.1). */
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'accept-encoding',
  'connection',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a request target may hold: visible ASCII without the fragment (RFC 9112 section 3.2.1). */
const ORIGIN_FORM = /^\/[!-"$-~]*$/;

/**
 * The connections to one upstream. Requests go to its origin and nowhere else: no redirect is followed, no proxy and
 * no cookie is used, nothing is decoded and nothing repeated.
 */
export class UpstreamClient {
  readonly #plan: UpstreamPlan;
  readonly #pool: Pool;
  readonly #fixedHeaders: readonly string[];

  constructor(plan: UpstreamPlan) {
    this.#plan = plan;
    this.#fixedHeaders = fixedHeaders(plan);
    this.#pool = new Pool(plan.origin, {
      connections: plan.connections,
      pipelining: 1,
      allowH2: false,
      // A backstop (and the bound of trailers): undici counts neither status lines nor separators, Exchange does
      maxHeaderSize: plan.headerBytes + 1,
      // Late idle timers in undici; the bounds are the first-byte timer and the deadline of the call
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MAX_MS,
      factory: (origin, options) => new WiredClient(origin, options, plan.connectMs),
    });
  }

  /**
   * Sends one request and resolves with the head of its final response, already found sound: framing, header sizes
   * and duplicates are checked here. Rejects never: what goes wrong is a Fault, UPS_* before the answer and BYT_* in it.
   */
  readonly send: Send = (request, limits, cancellation) => this.#send(request, limits, cancellation);

  /** Takes no more requests, and resolves when those under way are through. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Closes every connection; requests under way end with UPS_CLOSED or BYT_TRUNCATED. */
  destroy(): Promise<void> {
    return this.#pool.destroy();
  }

  #send(
    request: UpstreamRequest,
    limits: TransportLimits,
    cancellation: Cancellation,
  ): Promise<Answer | Fault> {
    if (cancellation.fault !== undefined) return Promise.resolve(cancellation.fault);
    const path = this.#plan.basePath + request.target;
    if (!request.target.startsWith('/') || !ORIGIN_FORM.test(path)) {
      return Promise.resolve(new Fault('INTERNAL', { note: 'The request target is not a path.' }));
    }
    return new Promise((resolve) => {
      const exchange = new Exchange(request.method, limits, cancellation, resolve);
      const options: WiredOptions = {
        path,
        method: request.method,
        headers: this.#headers(request),
        body: request.body ?? null,
        exchange,
      };
      this.#pool.dispatch(options, exchange);
    });
  }

  /** Header lines as they leave, names and values in turn; the configuration's win over the request's. */
  #headers(request: UpstreamRequest): string[] {
    const lines: string[] = [];
    for (const [name, value] of request.headers) {
      if (!OWN_HEADERS.has(name) && !this.#plan.headers.has(name)) lines.push(name, value);
    }
    lines.push(...this.#fixedHeaders);
    return lines;
  }
}

/** The header lines that leave with every request, names and values in turn. */
function fixedHeaders(plan: UpstreamPlan): string[] {
  const lines = [...plan.headers].filter(([name]) => !OWN_HEADERS.has(name)).flat();
  lines.push('accept-encoding', acceptEncoding(plan.codings));
  return lines;
}
