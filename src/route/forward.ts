import { Fault } from '../fault/index.js';
import { type Answer, type ByteMeter, backoffMs, isSafe, mayRetry } from '../upstream/index.js';
import { Deadline } from './deadline.js';
import type { PipelineDeps } from './deps.js';
import type { Exchange } from './exchange.js';
import { startRetaining } from './retain.js';
import { scan } from './scan.js';
import { Forwarded, type Requested, type Scanned } from './stages.js';
import { transport } from './transport.js';

/**
 * Stages 3 to 5 for every attempt, under one deadline. Only the last attempt's fault is told; nothing of an earlier
 * attempt is kept.
 */
export async function obtain(
  requested: Requested,
  exchange: Exchange,
  deps: PipelineDeps,
): Promise<Scanned | Fault> {
  const { plan } = requested;
  const { cancellation } = exchange;
  const deadline = new Deadline(plan.limits.totalMs, cancellation);
  const started = performance.now();
  try {
    for (let made = 1; ; made++) {
      const outcome = await attempt(requested, exchange, deps);
      if (!(outcome instanceof Fault)) return outcome;
      const status = exchange.attempts.at(-1)?.status ?? null;
      const elapsed = performance.now() - started;
      if (!mayRetry(plan.retry, plan.method, outcome, status, made, elapsed)) return outcome;
      await deadline.pause(backoffMs(made, Math.random()));
      if (cancellation.fault !== undefined) return cancellation.fault;
    }
  } catch (error) {
    // Our bug, told as INTERNAL further up; the upstream connection must not outlive the call.
    cancellation.cancel(new Fault('INTERNAL'));
    throw error;
  } finally {
    deadline.clear();
  }
}

/** Stages 3 to 5 once, with their record. */
async function attempt(
  requested: Requested,
  exchange: Exchange,
  deps: PipelineDeps,
): Promise<Scanned | Fault> {
  const { plan } = requested;
  const started = performance.now();
  const meter: ByteMeter = { wireBytes: 0, decodedBytes: 0 };
  exchange.retained = undefined;
  exchange.bodySha256 = null;
  exchange.writeLeft = !isSafe(plan.method);
  const answer = await deps.send(plan.upstream)(requested.upstream, plan.limits, exchange.cancellation);
  exchange.mark('forward');
  let outcome: Scanned | Fault;
  if (answer instanceof Fault) {
    if (NOT_SENT.has(answer.code)) exchange.writeLeft = false;
    outcome = answer;
  } else {
    outcome = await read(requested, answer, exchange, meter, deps);
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

/** Faults that prove that no byte of the request was taken. */
const NOT_SENT: ReadonlySet<Fault['code']> = new Set([
  'UPS_DNS',
  'UPS_CONNECT',
  'UPS_CONNECT_TIMEOUT',
  'UPS_TLS',
]);

/** Stages 4 and 5; a small body that is there already is done at once. */
function read(
  { plan, typed }: Requested,
  answer: Answer,
  exchange: Exchange,
  meter: ByteMeter,
  deps: PipelineDeps,
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
  return scan(transported, exchange, meter, deps.retainBytes);
}
