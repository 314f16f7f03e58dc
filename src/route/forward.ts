import { Fault } from '../fault/index.js';
import {
  type Answer,
  type ByteMeter,
  LateTlsFailure,
  retryAfterSeconds,
  StaleConnection,
  type UpstreamRequest,
} from '../upstream/index.js';
import { Deadline } from './deadline.js';
import type { PipelineDeps } from './deps.js';
import type { Exchange } from './exchange.js';
import { withIdempotencyKey } from './idempotency-key.js';
import { Repeats } from './repeats.js';
import { startRetaining } from './retain.js';
import { scan } from './scan.js';
import { scanSigned } from './scan-signed.js';
import { type Evidence, Forwarded, type Requested, type Scanned } from './stages.js';
import { transport } from './transport.js';
import { isWrite } from './write.js';

/** Stages 6 to 9: what the document of an answer is worth. */
export type Judge = (scanned: Scanned, exchange: Exchange) => Evidence | Fault | Promise<Evidence | Fault>;

/**
 * Stages 3 to 9 for every attempt, under one deadline. Only the last attempt's fault is told; nothing of an earlier
 * attempt is kept, but that a write of it may have happened.
 */
export async function obtain(
  requested: Requested,
  exchange: Exchange,
  deps: PipelineDeps,
  judge: Judge,
): Promise<Evidence | Fault> {
  const { plan } = requested;
  const { cancellation } = exchange;
  const deadline = new Deadline(plan.limits.totalMs, cancellation);
  const started = performance.now();
  try {
    let request = outgoing(requested, exchange, deps);
    let repeats: Repeats | undefined;
    for (;;) {
      const outcome = await attempt(requested, request, exchange, deps, judge);
      if (!(outcome instanceof Fault)) return outcome;
      repeats ??= new Repeats(plan, started);
      const pause = repeats.after(outcome, exchange);
      if (pause === undefined) return outcome;
      exchange.forget();
      if (pause > 0) await deadline.pause(pause);
      if (cancellation.fault !== undefined) return cancellation.fault;
      // Other idle connections of the pool may have gone the same way.
      if (outcome instanceof StaleConnection) request = { ...request, fresh: true };
    }
  } catch (error) {
    // Our bug, told as INTERNAL further up; the upstream connection must not outlive the call.
    cancellation.cancel(new Fault('INTERNAL'));
    throw error;
  } finally {
    deadline.clear();
  }
}

/** The request of every attempt. */
function outgoing({ plan, upstream }: Requested, exchange: Exchange, deps: PipelineDeps): UpstreamRequest {
  const { idempotencyKey } = plan.retry;
  if (idempotencyKey === undefined || !isWrite(plan)) return upstream;
  return withIdempotencyKey(upstream, idempotencyKey, deps.acceptRequestId ? undefined : exchange.requestId);
}

/** Stages 3 to 9 once, with their record. */
async function attempt(
  requested: Requested,
  request: UpstreamRequest,
  exchange: Exchange,
  deps: PipelineDeps,
  judge: Judge,
): Promise<Evidence | Fault> {
  const { plan } = requested;
  const started = performance.now();
  const meter: ByteMeter = { wireBytes: 0, decodedBytes: 0 };
  exchange.writeLeft = isWrite(plan);
  const answer = await deps.send(plan.upstream)(request, plan.limits, exchange.cancellation);
  exchange.mark('forward');
  let outcome: Evidence | Fault;
  if (answer instanceof Fault) {
    if (NOT_SENT.has(answer.code) && !(answer instanceof LateTlsFailure)) exchange.writeLeft = false;
    // No attempt was made.
    if (answer.code === 'UPS_CIRCUIT_OPEN') return answer;
    outcome = answer;
  } else {
    const scanned = await read(requested, answer, exchange, meter, deps, request);
    const judged = scanned instanceof Fault ? scanned : judge(scanned, exchange);
    outcome = judged instanceof Promise ? await judged : judged;
    if (outcome instanceof Fault && plan.retry.attempts > 1) {
      const asked = answer.headers.single('retry-after');
      exchange.retryAfter = retryAfterSeconds(asked, deps.now(), Number.MAX_SAFE_INTEGER);
    }
  }
  exchange.attempts.push({
    status: answer instanceof Fault ? null : answer.status,
    ms: Math.round((performance.now() - started) * 1000) / 1000,
    wire_bytes: meter.wireBytes,
    decoded_bytes: meter.decodedBytes,
    fault: outcome instanceof Fault ? outcome.code : null,
  });
  return outcome;
}

/** Faults that prove that no byte of the request was taken; of TLS, those of the handshake. */
const NOT_SENT: ReadonlySet<Fault['code']> = new Set([
  'UPS_DNS',
  'UPS_CONNECT',
  'UPS_CONNECT_TIMEOUT',
  'UPS_TLS',
  'UPS_CIRCUIT_OPEN',
]);

/** Stages 4 and 5; a small body that is there already is done at once. */
function read(
  { plan, typed }: Requested,
  answer: Answer,
  exchange: Exchange,
  meter: ByteMeter,
  deps: PipelineDeps,
  request: UpstreamRequest,
): Scanned | Fault | Promise<Scanned | Fault> {
  const { headers } = answer;
  const context = { request: typed, requestId: exchange.requestId, headers, now: deps.now() };
  if (deps.retainBytes > 0) exchange.retained = startRetaining(answer);
  const transported = transport(new Forwarded(plan, answer, context));
  exchange.mark('transport');
  if (transported instanceof Fault) {
    answer.body.discard();
    return transported;
  }
  const { signatures } = plan;
  if (signatures === undefined) return scan(transported, exchange, meter, deps.retainBytes);
  return scanSigned(signatures, transported, exchange, meter, deps.retainBytes, request);
}
