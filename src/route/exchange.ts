import type { TypedRequest } from '../contract/index.js';
import type { Fault, Stage } from '../fault/index.js';
import { type AttemptRecord, type AuditRecord, sha256Hex } from '../record/index.js';
import { Cancellation, type UpstreamRequest } from '../upstream/index.js';
import type { AgentAnswer, IncomingCall } from './call.js';
import type { Mount, RoutePlan } from './plan.js';
import type { RetainedBody } from './retain.js';

/** The record of one call while it runs. Stages write down what they saw; nothing is ever read back into the call. */
export class Exchange {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly agent: string | null;
  /** Target and header lines of the agent's call, as received. */
  readonly target: string;
  readonly headers: IncomingCall['headers'];
  /** Ends the call: cancelled by whoever made it, by its deadline, or after a bug. */
  readonly cancellation: Cancellation;
  /** Whether anybody keeps the SHA-256 of request, body and answer: an audit file does. */
  readonly digests: boolean;
  plan: RoutePlan | undefined;
  /** Where the call lies that no route takes. */
  mount: Mount | undefined;
  typed: TypedRequest | undefined;
  readonly attempts: AttemptRecord[] = [];
  alternative: number | null = null;
  bodySha256: string | null = null;
  /** The last attempt's write has left, or may have: the agent must not be told that nothing happened. */
  writeLeft = false;
  /** An attempt before the last one may have changed something, and nothing that came later says whether it did. */
  writeOpen = false;
  /** Seconds for which the last attempt's answer asks to wait. */
  retryAfter: number | undefined;
  /** Start of the last attempt's answer, for quarantine; bounded. */
  retained: RetainedBody | undefined;
  quarantine: string | null = null;
  readonly #begun = performance.now();
  /** Which stages ended, and when. */
  readonly #stages: Stage[] = [];
  readonly #ends: number[] = [];
  #requestHead: string | null = null;
  #requestSha256: string | null = null;

  constructor(call: IncomingCall, requestId: string, startedAt: number, digests: boolean) {
    this.requestId = requestId;
    this.startedAt = startedAt;
    this.agent = call.agent ?? null;
    this.target = call.target;
    this.headers = call.headers;
    this.cancellation = call.cancellation ?? new Cancellation();
    this.digests = digests;
  }

  /** Books the time since the last mark on a stage. */
  mark(stage: Stage): void {
    this.#stages.push(stage);
    this.#ends.push(performance.now());
  }

  /** Drops what the last attempt left behind: whatever follows it starts anew. */
  forget(): void {
    this.alternative = null;
    this.bodySha256 = null;
    this.retained = undefined;
    this.retryAfter = undefined;
    this.writeLeft = false;
  }

  /** Takes down the request that leaves. A body is digested now, so that it need not be kept until the record is made. */
  leaves({ method, target, body }: UpstreamRequest): void {
    const head = `${method} ${target}\n`;
    if (body === undefined) this.#requestHead = head;
    else if (this.digests) this.#requestSha256 = sha256Hex(Buffer.concat([Buffer.from(head), body]));
  }

  /** The audit record of the call as it ended, with the answer that goes out. */
  record(
    fault: Fault | undefined,
    answer: AgentAnswer,
    { version, configDigest }: { readonly version: string; readonly configDigest: string },
  ): AuditRecord {
    const { plan } = this;
    const about = plan === undefined ? NO_ROUTE : routeRecord(plan);
    return {
      time: new Date(this.startedAt).toISOString(),
      request_id: this.requestId,
      sidecar: version,
      tool: about.tool,
      route: about.route,
      request_sha256: this.#requestDigest(),
      agent: this.agent,
      contract: about.contract,
      config_digest: configDigest,
      upstream: about.upstream,
      attempts: this.attempts,
      outcome: fault === undefined ? 'success' : 'failure',
      agent_code: fault?.agent ?? null,
      operator_code: fault?.code ?? null,
      stage: fault?.stage ?? null,
      fault: fault?.detail ?? null,
      alternative: this.alternative,
      body_sha256: this.bodySha256,
      answer: {
        status: answer.status,
        sha256: this.digests ? sha256Hex(answer.body) : null,
        bytes: Buffer.byteLength(answer.body),
      },
      quarantine: this.quarantine,
      stages_us: this.#stagesUs(),
    };
  }

  #stagesUs(): Partial<Record<Stage, number>> {
    const durations: Partial<Record<Stage, number>> = {};
    let last = this.#begun;
    for (const [i, stage] of this.#stages.entries()) {
      const end = this.#ends[i] ?? last;
      durations[stage] = (durations[stage] ?? 0) + Math.round((end - last) * 1000);
      last = end;
    }
    return durations;
  }

  /** SHA-256 over method, target and body of the request that left. */
  #requestDigest(): string | null {
    if (this.digests && this.#requestHead !== null) this.#requestSha256 = sha256Hex(this.#requestHead);
    return this.#requestSha256;
  }
}

/** What every record of a route says of it. */
type RouteRecord = Pick<AuditRecord, 'tool' | 'route' | 'contract' | 'upstream'>;

const NO_ROUTE: RouteRecord = { tool: null, route: null, contract: null, upstream: null };

const ROUTE_RECORDS = new WeakMap<RoutePlan, RouteRecord>();

/** Made once per route: who writes records down knows the same parts again by identity. */
function routeRecord(plan: RoutePlan): RouteRecord {
  const known = ROUTE_RECORDS.get(plan);
  if (known !== undefined) return known;
  const { name, version, digest } = plan.contract;
  const made: RouteRecord = {
    tool: plan.tool,
    route: { method: plan.method, path: plan.mount + plan.path },
    contract: { name, version, digest },
    upstream: plan.upstream.origin,
  };
  ROUTE_RECORDS.set(plan, made);
  return made;
}
