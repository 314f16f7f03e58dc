import type { KeyObject } from 'node:crypto';
import { Fault } from '../fault/index.js';
import { KeptBytes } from '../json/index.js';
import { Cancellation } from './cancellation.js';
import { UpstreamClient } from './client.js';
import { chooseKey, type KeyQuery, type PublicKey, readKeySet } from './jwks-set.js';
import { parseMediaType } from './media-type.js';
import { type ByteMeter, decodedBody } from './transport.js';
import { DEFAULT_TRANSPORT_LIMITS, type Send, type TransportLimits, type UpstreamPlan } from './types.js';

/** Where public keys come from: a file, or a key set behind a URL. */
export interface PublicKeys {
  /** The key, or why there is none: SIG_KEY, SIG_KEYS_UNAVAILABLE, or the reason of the cancellation. */
  find(query: KeyQuery, cancellation: Cancellation): KeyObject | Fault | Promise<KeyObject | Fault>;
}

/** Keys that do not change while the program runs. */
export class FixedKeys implements PublicKeys {
  readonly keys: readonly PublicKey[];
  readonly #anyId: boolean;

  /** @param anyId it is one key that was pinned itself, so that whatever id a signature gives it is the one meant */
  constructor(keys: readonly PublicKey[], anyId = false) {
    this.keys = keys;
    this.#anyId = anyId;
  }

  find(query: KeyQuery): KeyObject | Fault {
    const key = chooseKey(this.keys, this.#anyId ? { ...query, kid: undefined } : query);
    return key ?? new Fault('SIG_KEY');
  }
}

/** How a key set is fetched and for how long it is believed; times in milliseconds, sizes in bytes. */
export interface KeySetOptions {
  /** `https://host:port` */
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  /** For everything: connection, head and body. */
  readonly timeoutMs: number;
  readonly bytes: number;
  /** Age after which it is fetched anew, while calls still go on with the one that is there. */
  readonly refreshMs: number;
  /** Age after which it counts for nothing: a call then waits for a new one, or is refused. */
  readonly keepMs: number;
  /** Least time between two fetches for a key id that the set does not have. */
  readonly retryMs: number;
}

export const DEFAULT_KEY_SET_OPTIONS = {
  timeoutMs: 2_000,
  bytes: 65_536,
  refreshMs: 600_000,
  keepMs: 3_600_000,
  retryMs: 30_000,
} as const satisfies Partial<KeySetOptions>;

/** Least time between two fetches after one that failed. Calls in between are refused at once. */
export const FAILED_PAUSE_MS = 5_000;

interface Held {
  readonly keys: readonly PublicKey[];
  readonly at: number;
}

/** What stands for the network and the clock in tests. */
export interface KeySetDeps {
  /** Monotonic milliseconds. */
  now(): number;
  /** Opens connections to the set's origin; they are closed after each fetch. */
  connect(plan: UpstreamPlan): { readonly send: Send; destroy(): Promise<void> };
}

const NETWORK: KeySetDeps = { now: () => performance.now(), connect: (plan) => new UpstreamClient(plan) };

/**
 * The key set behind a URL (RFC 7517 section 5). Nothing is fetched before the first signature needs it, so that no
 * start waits for it; one fetch at a time serves all calls that wait. What cannot be fetched, is not sound, or is older
 * than `keepMs` verifies nothing.
 */
export class RemoteKeys implements PublicKeys {
  readonly #options: KeySetOptions;
  readonly #deps: KeySetDeps;
  #held: Held | undefined;
  #fetching: Promise<Held | Fault> | undefined;
  /** When the last fetch began, and whether it failed. */
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #failure: Fault | undefined;

  constructor(options: KeySetOptions, deps: KeySetDeps = NETWORK) {
    this.#options = options;
    this.#deps = deps;
  }

  find(query: KeyQuery, cancellation: Cancellation): KeyObject | Fault | Promise<KeyObject | Fault> {
    const held = this.#current();
    if (held === undefined) return this.#afterFetch(query, cancellation);
    const key = chooseKey(held.keys, query);
    if (key === undefined) {
      return this.#mayFetch(this.#options.retryMs) || this.#fetching !== undefined
        ? this.#afterFetch(query, cancellation)
        : new Fault('SIG_KEY');
    }
    // In the background: this call has its key, and a failure shows when the set is too old
    if (this.#deps.now() - held.at > this.#options.refreshMs && this.#mayFetch(FAILED_PAUSE_MS))
      void this.#fetch();
    return key;
  }

  #current(): Held | undefined {
    const held = this.#held;
    return held !== undefined && this.#deps.now() - held.at <= this.#options.keepMs ? held : undefined;
  }

  #mayFetch(pauseMs: number): boolean {
    const pause = this.#failure === undefined ? pauseMs : Math.max(FAILED_PAUSE_MS, pauseMs);
    return this.#fetching === undefined && this.#deps.now() - this.#fetchedAt >= pause;
  }

  async #afterFetch(query: KeyQuery, cancellation: Cancellation): Promise<KeyObject | Fault> {
    const recent = this.#deps.now() - this.#fetchedAt < FAILED_PAUSE_MS;
    if (this.#fetching === undefined && this.#failure !== undefined && recent) return this.#failure;
    const held = await unlessCancelled(this.#fetching ?? this.#fetch(), cancellation);
    if (held instanceof Fault) return held;
    return chooseKey(held.keys, query) ?? new Fault('SIG_KEY');
  }

  /** Never rejects. */
  #fetch(): Promise<Held | Fault> {
    this.#fetchedAt = this.#deps.now();
    const fetching = this.#get().then((keys) => {
      this.#fetching = undefined;
      this.#failure = keys instanceof Fault ? keys : undefined;
      if (keys instanceof Fault) return keys;
      this.#held = { keys, at: this.#fetchedAt };
      return this.#held;
    });
    this.#fetching = fetching;
    return fetching;
  }

  async #get(): Promise<readonly PublicKey[] | Fault> {
    const { timeoutMs } = this.#options;
    const client = this.#deps.connect(planOf(this.#options));
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel(new Fault('UPS_TOTAL_TIMEOUT')), timeoutMs);
    try {
      return await fetchKeys(client.send, this.#options, cancellation);
    } catch (error) {
      // A bug of ours must not become an unhandled rejection of a fetch that nobody waits for
      return unavailable(`a bug: ${error instanceof Error ? error.name : 'thrown'}`);
    } finally {
      clearTimeout(timer);
      client.destroy().catch(() => {});
    }
  }
}

function planOf({ origin, timeoutMs }: KeySetOptions): UpstreamPlan {
  return {
    name: 'jwks',
    origin,
    basePath: '',
    headers: new Map(),
    codings: [],
    connections: 1,
    connectMs: timeoutMs,
    headerBytes: DEFAULT_TRANSPORT_LIMITS.headerBytes,
  };
}

async function fetchKeys(
  send: Send,
  { target, timeoutMs, bytes }: KeySetOptions,
  cancellation: Cancellation,
): Promise<readonly PublicKey[] | Fault> {
  const limits: TransportLimits = {
    ...DEFAULT_TRANSPORT_LIMITS,
    connectMs: timeoutMs,
    firstByteMs: timeoutMs,
    totalMs: timeoutMs,
    wireBytes: bytes,
    decodedBytes: bytes,
  };
  const headers = new Map([['accept', 'application/jwk-set+json, application/json']]);
  const answer = await send({ method: 'GET', target, headers }, limits, cancellation);
  if (answer instanceof Fault) return unavailable(answer.code);
  const refuse = (what: string) => {
    answer.body.discard();
    return unavailable(what);
  };
  if (answer.status !== 200) return refuse(`status ${answer.status}`);
  if (answer.headers.has('content-encoding')) return refuse('a content coding that was not asked for');
  const type = parseMediaType(answer.headers.single('content-type') ?? '')?.type;
  if (type !== 'application/json' && type !== 'application/jwk-set+json') return refuse('no JSON');
  const meter: ByteMeter = { wireBytes: 0, decodedBytes: 0 };
  const kept = new KeptBytes();
  const fault = await decodedBody(answer.body, 'identity', limits, meter, cancellation).drain((chunk) => {
    kept.append(chunk);
    return undefined;
  });
  if (fault !== undefined) return unavailable(fault.code);
  const keys = readKeySet(kept.bytes());
  return typeof keys === 'string' ? unavailable(`the set ${keys}`) : keys;
}

function unavailable(note: string): Fault {
  return new Fault('SIG_KEYS_UNAVAILABLE', { note });
}

/** What comes first: the outcome, or the end of the call that waits for it. */
function unlessCancelled<T>(outcome: Promise<T>, cancellation: Cancellation): Promise<T | Fault> {
  if (cancellation.fault !== undefined) return Promise.resolve(cancellation.fault);
  return new Promise((resolve, reject) => {
    cancellation.on(resolve);
    outcome.then(resolve, reject).finally(() => cancellation.off(resolve));
  });
}
