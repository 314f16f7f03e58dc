import type { TypedRequest } from '../contract/index.js';
import type { Fault, Stage } from '../fault/index.js';
import type { AttemptRecord, AuditRecord } from '../record/index.js';
import type { AgentAnswer, IncomingCall } from './call.js';
import type { RoutePlan } from './plan.js';
import type { RetainedBody } from './retain.js';

/** The record of one call while it runs. Stages write down what they saw; nothing is ever read back into the call. */
export class Exchange {
  readonly call: IncomingCall;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  plan: RoutePlan | undefined;
  typed: TypedRequest | undefined;
  requestSha256: string | null = null;
  readonly attempts: AttemptRecord[] = [];
  alternative: number | null = null;
  bodySha256: string | null = null;
  /** A write has left, or may have: the agent must not be told that nothing happened. */
  writeLeft = false;
  /** Start of the last attempt's answer, for quarantine; bounded. */
  retained: RetainedBody | undefined;
  quarantine: string | null = null;
  readonly stagesMs: Partial<Record<Stage, number>> = {};
  #mark = performance.now();

  constructor(call: IncomingCall, requestId: string, startedAt: number) {
    this.call = call;
    this.requestId = requestId;
    this.startedAt = startedAt;
  }

  /** Books the time since the last mark on a stage. */
  mark(stage: Stage): void {
    const now = performance.now();
    this.stagesMs[stage] = Math.round(((this.stagesMs[stage] ?? 0) + now - this.#mark) * 1000) / 1000;
    this.#mark = now;
  }

  /** The audit record; `answer` is null only where none could be built. */
  record(
    fault: Fault | undefined,
    answer: (AgentAnswer & { readonly sha256: string }) | null,
    { version, configDigest }: { readonly version: string; readonly configDigest: string },
  ): AuditRecord {
    const { plan } = this;
    return {
      time: new Date(this.startedAt).toISOString(),
      request_id: this.requestId,
      sidecar: version,
      tool: plan?.tool ?? null,
      route: plan === undefined ? null : { method: plan.method, path: plan.mount + plan.path },
      request_sha256: this.requestSha256,
      agent: this.call.agent ?? null,
      contract:
        plan === undefined
          ? null
          : { name: plan.contract.name, version: plan.contract.version, digest: plan.contract.digest },
      config_digest: configDigest,
      upstream: plan?.upstream.origin ?? null,
      attempts: this.attempts,
      outcome: fault === undefined ? 'success' : 'failure',
      agent_code: fault?.agent ?? null,
      operator_code: fault?.code ?? null,
      stage: fault?.stage ?? null,
      fault: fault?.detail ?? null,
      alternative: this.alternative,
      body_sha256: this.bodySha256,
      answer:
        answer === null
          ? null
          : { status: answer.status, sha256: answer.sha256, bytes: answer.body.byteLength },
      quarantine: this.quarantine,
      stages_ms: this.stagesMs,
    };
  }
}
