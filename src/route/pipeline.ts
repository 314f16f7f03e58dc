import { type AgentReply, failureReply, REQUEST_ID, successReply } from '../envelope/index.js';
import { Fault, operatorCode } from '../fault/index.js';
import type { AuditRecord } from '../record/index.js';
import { admit } from './admit.js';
import type { AgentAnswer, IncomingCall } from './call.js';
import type { Pipeline, PipelineDeps } from './deps.js';
import { checks, result, select } from './evidence.js';
import { Exchange } from './exchange.js';
import { obtain } from './forward.js';
import { ENVELOPE_SHAPE, mountAt } from './mount.js';
import type { Mount, RoutePlan } from './plan.js';
import { request } from './request.js';
import { Router } from './router.js';
import { scanPlans } from './scan-plans.js';
import { schema } from './schema.js';
import type { Evidence, Scanned } from './stages.js';
import { unlessUnknown } from './write.js';

/** The eleven stages over a fixed set of routes. `mounts` say how calls are answered that no route takes. */
export function createPipeline(
  routes: readonly RoutePlan[],
  deps: PipelineDeps,
  mounts: readonly Mount[] = [],
): Pipeline {
  const router = new Router(routes);
  for (const route of routes) scanPlans(route);
  const maxPathBytes = Math.max(4_096, ...routes.map((route) => route.limits.pathBytes));

  return async (call) => {
    const exchange = new Exchange(call, requestId(call, deps), deps.now(), deps.audit !== undefined);
    let outcome: Evidence | Fault;
    try {
      outcome = await prove(call, exchange, router, maxPathBytes, deps);
    } catch (error) {
      outcome = bug(exchange, error, deps);
    }
    if (exchange.plan === undefined) exchange.mount = mountAt(mounts, call.target);
    return recordAndAnswer(exchange, outcome, deps);
  };
}

/** Stages 1 to 9: evidence, or why there is none. */
async function prove(
  call: IncomingCall,
  exchange: Exchange,
  router: Router,
  maxPathBytes: number,
  deps: PipelineDeps,
): Promise<Evidence | Fault> {
  const admitted = admit(call, router, maxPathBytes);
  exchange.mark('admit');
  if (admitted instanceof Fault) return admitted;
  exchange.plan = admitted.plan;

  const requested = request(admitted, call, deps.version);
  exchange.mark('request');
  if (requested instanceof Fault) return requested;
  exchange.leaves(requested.upstream);

  return obtain(requested, exchange, deps, judge);
}

/** Stages 6 to 9, of each attempt. */
function judge(scanned: Scanned, exchange: Exchange): Evidence | Fault {
  const conforming = schema(scanned, exchange);
  exchange.mark('schema');
  if (conforming instanceof Fault) return conforming;

  const proven = checks(conforming);
  exchange.mark('checks');
  if (proven instanceof Fault) return proven;

  const selected = select(proven, exchange);
  exchange.mark('select');
  if (selected instanceof Fault) return selected;

  const evidence = result(selected);
  exchange.mark('result');
  return evidence;
}

/** Stages 10 and 11: the answer is built, its record is kept, and only then is it given. */
async function recordAndAnswer(
  exchange: Exchange,
  outcome: Evidence | Fault,
  deps: PipelineDeps,
): Promise<AgentAnswer> {
  let fault = outcome instanceof Fault ? unlessUnknown(exchange, outcome) : undefined;
  let answer =
    outcome instanceof Fault ? failed(exchange, fault ?? outcome, deps) : succeeded(exchange, outcome);
  try {
    if (fault !== undefined) quarantine(exchange, fault, deps);
    // The record is made later, and has nothing of these bytes.
    exchange.retained = undefined;
    exchange.mark('record');
    const record = recordOf(exchange, fault, answer, deps);
    if (deps.audit === undefined || (await deps.audit.append(record))) {
      deps.log(record);
      return answer;
    }
    fault = unlessUnknown(exchange, new Fault('AUD_UNAVAILABLE'));
  } catch (error) {
    fault = unlessUnknown(exchange, bug(exchange, error, deps));
  }
  answer = failed(exchange, fault, deps);
  deps.log(recordOf(exchange, fault, answer, deps));
  return answer;
}

/** Makes the record when it is first asked for: whoever writes many down together makes them together, too. */
function recordOf(
  exchange: Exchange,
  fault: Fault | undefined,
  answer: AgentAnswer,
  deps: PipelineDeps,
): () => AuditRecord {
  let record: AuditRecord | undefined;
  return () => {
    record ??= exchange.record(fault, answer, deps);
    return record;
  };
}

function succeeded({ requestId }: Exchange, { plan, selection }: Evidence): AgentAnswer {
  const reply = successReply(plan.tool, requestId, selection, plan.answer, plan.answerHeaders);
  return answerOf(reply, 'success');
}

function failed({ plan, mount, requestId }: Exchange, fault: Fault, deps: PipelineDeps): AgentAnswer {
  const { profile, statuses, answerHeaders } = plan ?? mount ?? ENVELOPE_SHAPE;
  const options = { constants: answerHeaders, challenge: deps.challenge };
  const reply = failureReply(plan?.tool ?? null, requestId, fault, profile, statuses, options);
  return answerOf(reply, fault.agent);
}

function answerOf({ status, headers, body }: AgentReply, outcome: AgentAnswer['outcome']): AgentAnswer {
  return { status, headers, body, outcome };
}

function bug(exchange: Exchange, error: unknown, deps: PipelineDeps): Fault {
  deps.bug(exchange.requestId, error);
  return new Fault('INTERNAL');
}

function quarantine(exchange: Exchange, fault: Fault, deps: PipelineDeps): void {
  const { retained, plan } = exchange;
  if (deps.quarantine === undefined || retained === undefined || plan === undefined) return;
  // A declared failure, or a status that means one, is a valid answer; only refused ones are kept.
  if (operatorCode(fault.code).agent !== 'INVALID_RESPONSE' || fault.code === 'CON_DECLARED_FAILURE') return;
  exchange.quarantine = deps.quarantine({
    requestId: exchange.requestId,
    time: exchange.startedAt,
    tool: plan.tool,
    status: retained.status,
    headers: retained.headers,
    body: retained.whole === undefined ? retained.kept.bytes() : Buffer.from(retained.whole),
    truncated: retained.truncated,
    code: fault.code,
    instance: fault.detail.instance ?? null,
  });
}

function requestId(call: IncomingCall, deps: PipelineDeps): string {
  if (deps.acceptRequestId) {
    const given = call.headers.filter(([name]) => name.toLowerCase() === 'x-request-id');
    const [only] = given;
    if (given.length === 1 && only !== undefined && REQUEST_ID.test(only[1])) return only[1];
  }
  return deps.newRequestId();
}
