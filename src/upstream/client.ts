import { Fault } from '../fault/index.js';
import { Breaker, type BreakerStatus } from './breaker.js';
import type { Cancellation } from './cancellation.js';
import { acceptEncoding } from './coding.js';
import { WiredClient, type WiredOptions } from './connect.js';
import { Exchange } from './exchange.js';
import type { Answer, Send, TransportLimits, UpstreamPlan, UpstreamRequest } from './types.js';
import { type Client, Pool } from './undici.js';

/** How long an idle connection is kept where the upstream announces no time of its own (`keep-alive: timeout=`). */
export const IDLE_MS = 4_000;
/** And the most that it may announce. */
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
  readonly #options: Client.Options;
  readonly #pool: Pool;
  /** Connections of requests that want one of their own, until they are through and closed. */
  readonly #fresh = new Map<WiredClient, Promise<void>>();
  readonly #fixedHeaders: readonly string[];
  readonly #breaker: Breaker | undefined;

  constructor(plan: UpstreamPlan) {
    this.#plan = plan;
    this.#fixedHeaders = fixedHeaders(plan);
    this.#breaker = plan.breaker === undefined ? undefined : new Breaker(plan.breaker);
    const idleMs = plan.idleMs ?? IDLE_MS;
    this.#options = {
      pipelining: 1,
      allowH2: false,
      // A backstop (and the bound of trailers): undici counts neither status lines nor separators, Exchange does
      maxHeaderSize: plan.headerBytes + 1,
      // Late idle timers in undici; the bounds are the first-byte timer and the deadline of the call
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: Math.max(idleMs, IDLE_MAX_MS),
    };
    this.#pool = new Pool(plan.origin, {
      ...this.#options,
      connections: plan.connections,
      factory: (origin, options) => new WiredClient(origin, options, plan.connectMs),
    });
  }

  /**
   * Sends one request and resolves with the head of its final response, already found sound: framing, header sizes
   * and duplicates are checked here. Rejects never: what goes wrong is a Fault, UPS_* before the answer and BYT_* in it.
   */
  readonly send: Send = (request, limits, cancellation) =>
    this.#breaker === undefined
      ? this.#send(request, limits, cancellation)
      : this.#guarded(this.#breaker, request, limits, cancellation);

  /** Undefined where no breaker is configured. */
  get breaker(): BreakerStatus | undefined {
    return this.#breaker?.status;
  }

  /** Takes no more requests, and resolves when those under way are through. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), ...this.#fresh.values()]);
  }

  /** Closes every connection; requests under way end with UPS_CLOSED or BYT_TRUNCATED. */
  async destroy(): Promise<void> {
    await Promise.all([this.#pool.destroy(), ...[...this.#fresh.keys()].map((client) => client.destroy())]);
  }

  async #guarded(breaker: Breaker, ...sent: Parameters<Send>): Promise<Answer | Fault> {
    const pass = breaker.enter();
    if (pass instanceof Fault) return pass;
    let outcome: Answer | Fault = new Fault('INTERNAL');
    try {
      outcome = await this.#send(...sent);
      return outcome;
    } finally {
      breaker.left(pass, outcome instanceof Fault ? outcome : outcome.status);
    }
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
      if (request.fresh === true) this.#dispatchAlone(options, exchange);
      else this.#pool.dispatch(options, exchange);
    });
  }

  /** Opens a connection for this request alone, beside those of the pool, and closes it after the answer. */
  #dispatchAlone(options: WiredOptions, exchange: Exchange): void {
    const client = new WiredClient(new URL(this.#plan.origin), this.#options, this.#plan.connectMs);
    client.dispatch(options, exchange);
    const closed = client.close().then(() => void this.#fresh.delete(client));
    this.#fresh.set(client, closed);
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
