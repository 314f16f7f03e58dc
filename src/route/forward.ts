import { Fault } from '../fault/index.js';
import { type ByteMeter, backoffMs, isSafe, mayRetry } from '../upstream/index.js';
import { Deadline } from './deadline.js';
import type { PipelineDeps } from './deps.js';
import type { Exchange } from './exchange.js';
import { startRetaining } from './retain.js';
import { scan } from './scan.js';
import { Forwarded, type Requested, type Scanned, type Transported } from './stages.js';
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
      const attempt = await attemptOnce(requested, exchange, deps);
      if (!(attempt.outcome instanceof Fault)) return attempt.outcome;
      const fault = attempt.outcome;
      const elapsed = performance.now() - started;
      const again = mayRetry(plan.retry, plan.method, fault, attempt.status, made, elapsed);
      if (!again) return fault;
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

interface Attempt {
  readonly outcome: Scanned | Fault;
  readonly status: number | null;
}

async function attemptOnce(
  requested: Requested,
  exchange: Exchange,
  deps: PipelineDeps,
): Promise<Attempt> {
  const started = performance.now();
  const meter: ByteMeter = { wireBytes: 0, decodedBytes: 0 };
  exchange.retained = undefined;
  exchange.bodySha256 = null;
  let status: number | null = null;

  const run = async (): Promise<Scanned | Fault> => {
    const forwarded = await forward(requested, exchange, deps);
    exchange.mark('forward');
    if (forwarded instanceof Fault) return forwarded;
    status = forwarded.answer.status;
    if (deps.retainBytes > 0) exchange.retained = startRetaining(forwarded.answer);
    const transported: Transported | Fault = transport(forwarded);
    exchange.mark('transport');
    if (transported instanceof Fault) {
      forwarded.answer.body.discard();
      return transported;
    }
    const scanned = await scan(transported, exchange, meter, deps.retainBytes);
    exchange.mark('scan');
    return scanned;
  };

  const outcome = await run();
  exchange.attempts.push({
    status,
    ms: Math.round((performance.now() - started) * 1000) / 1000,
    wire_bytes: meter.wireBytes,
    decoded_bytes: meter.decodedBytes,
    fault: outcome instanceof Fault ? outcome.code : null,
  });
  return { outcome, status };
}

/** Faults that prove that no byte of the request was taken. */
const NOT_SENT: ReadonlySet<Fault['code']> = new Set([
  'UPS_DNS',
  'UPS_CONNECT',
  'UPS_CONNECT_TIMEOUT',
  'UPS_TLS',
]);

/** Stage 3: the request leaves, the head of the final response comes back. */
async function forward(
  requested: Requested,
  exchange: Exchange,
  deps: PipelineDeps,
): Promise<Forwarded | Fault> {
  const { plan } = requested;
  exchange.writeLeft = !isSafe(plan.method);
  const answer = await deps.send(plan.upstream)(requested.upstream, plan.limits, exchange.cancellation);
  if (answer instanceof Fault) {
    if (NOT_SENT.has(answer.code)) exchange.writeLeft = false;
    return answer;
  }
  return new Forwarded(plan, answer, {
    request: requested.typed,
    requestId: exchange.requestId,
    headers: answer.headers,
    now: deps.now(),
  });
}
