import { type AgentReply, ENVELOPE_PROFILE, failureReply, REQUEST_ID, successReply } from '../envelope/index.js';
import { type AgentCode, Fault, operatorCode } from '../fault/index.js';
import type { AuditRecord } from '../record/index.js';
import { admit } from './admit.js';
import type { AgentAnswer, IncomingCall } from './call.js';
import type { Pipeline, PipelineDeps } from './deps.js';
import { checks, result, select } from './evidence.js';
import { Exchange } from './exchange.js';
import { obtain } from './forward.js';
import type { RoutePlan } from './plan.js';
import { request } from './request.js';
import { Router } from './router.js';
import { scanPlans } from './scan-plans.js';
import { schema } from './schema.js';
import type { Evidence } from './stages.js';

/** The eleven stages over a fixed set of routes. */
export function createPipeline(routes: readonly RoutePlan[], deps: PipelineDeps): Pipeline {
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

  const scanned = await obtain(requested, exchange, deps);
  if (scanned instanceof Fault) return scanned;

  const conforming = schema(scanned, exchange);
  exchange.mark('schema');
  if (conforming instanceof Fault) return conforming;

  const proven = checks(conforming);
  exchange.mark('checks');
  if (proven instanceof Fault) return proven;

  const selected = select(proven);
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
  let answer = outcome instanceof Fault ? failed(exchange, fault ?? outcome) : succeeded(exchange, outcome);
  try {
    if (fault !== undefined) quarantine(exchange, fault, deps);
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
  answer = failed(exchange, fault);
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
  return answerOf(successReply(plan.tool, requestId, selection, plan.answer), 'success');
}

function failed({ plan, requestId }: Exchange, fault: Fault): AgentAnswer {
  const profile = plan?.profile ?? ENVELOPE_PROFILE;
  const reply = failureReply(plan?.tool ?? null, requestId, fault, profile, plan?.statuses ?? {});
  return answerOf(reply, fault.agent);
}

function answerOf({ status, headers, body }: AgentReply, outcome: AgentAnswer['outcome']): AgentAnswer {
  return { status, headers, body, outcome };
}

/** Agent codes that say that nothing of the call counts, which nobody knows once a write has left. */
const AS_IF_NOTHING: ReadonlySet<AgentCode> = new Set([
  'UPSTREAM_UNAVAILABLE',
  'INVALID_RESPONSE',
  'INTERNAL',
]);

/**
 * A write that left and got no valid answer, or one that could not be recorded, may have happened: the agent must not
 * be told that it did not. Where the upstream itself said no, it said so.
 */
function unlessUnknown(exchange: Exchange, fault: Fault): Fault {
  if (!exchange.writeLeft || fault.code === 'CON_DECLARED_FAILURE') return fault;
  return AS_IF_NOTHING.has(fault.agent) ? fault.as('OUTCOME_UNKNOWN') : fault;
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
    body: Buffer.concat(retained.chunks),
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
