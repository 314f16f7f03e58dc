import type { AnswerVerifier, Verification } from '../evidence/index.js';
import { Fault } from '../fault/index.js';
import { scanWhole } from '../json/index.js';
import { type AnswerBody, type ByteMeter, decodedBody, type UpstreamRequest } from '../upstream/index.js';
import type { Exchange } from './exchange.js';
import { scan } from './scan.js';
import { scanPlans } from './scan-plans.js';
import { Scanned, Transported } from './stages.js';

/**
 * Stage 5 where the contract demands signatures: the same scan, with the bytes of the body seen by them as they came,
 * before content decoding. Whatever can be refused by the head is refused before the body is read, and no document is
 * handed on before every signature holds.
 *
 * @param request what left, with every header that this sidecar gave it
 */
export async function scanSigned(
  signatures: AnswerVerifier,
  transported: Transported,
  exchange: Exchange,
  meter: ByteMeter,
  retainBytes: number,
  request: UpstreamRequest,
): Promise<Scanned | Fault> {
  const { plan, answer, context } = transported;
  if (!signatures.demands(answer.status)) return scan(transported, exchange, meter, retainBytes);
  const verification = signatures.begin({
    status: answer.status,
    headers: answer.headers,
    request,
    upstream: plan.upstream,
    now: context.now,
    cancellation: exchange.cancellation,
  });
  if (verification instanceof Fault) {
    answer.body.discard();
    exchange.mark('scan');
    return verification;
  }
  const observed = withBody(transported, observe(answer.body, verification));
  const scanned =
    transported.body === 'unread'
      ? await readUnread(observed, exchange, meter)
      : await scan(observed, exchange, meter, retainBytes);
  if (scanned instanceof Fault) return scanned;
  const verdict = await verification.finish({ document: scanned.document });
  const outcome = verdict === undefined ? scanned : payloadOf(verdict, transported, scanned);
  exchange.mark('scan');
  return outcome;
}

/**
 * The body with its bytes shown to the signatures. One that has arrived whole is shown at once and then read as any
 * other, in one piece or not.
 */
function observe(body: AnswerBody, verification: Verification): AnswerBody {
  if (body.whole !== undefined) {
    verification.update(body.whole);
    return body;
  }
  return {
    drain: (sink) =>
      body.drain((chunk) => {
        verification.update(chunk);
        return sink(chunk);
      }),
    discard: () => body.discard(),
    ...(body.flow === undefined ? {} : { flow: body.flow }),
  };
}

function withBody(transported: Transported, body: AnswerBody): Transported {
  const { plan, answer, context, group, candidates, coding } = transported;
  return new Transported(plan, { ...answer, body }, context, group, candidates, transported.body, coding);
}

/** A body that means nothing, read for its bytes alone: a digest or code is over them all the same. */
async function readUnread(
  { plan, answer, context, candidates }: Transported,
  exchange: Exchange,
  meter: ByteMeter,
): Promise<Scanned | Fault> {
  const body = decodedBody(answer.body, 'identity', plan.limits, meter, exchange.cancellation);
  const fault = await body.drain(() => undefined);
  return fault ?? new Scanned(plan, context, candidates, undefined);
}

/** The signed payload takes the document's place: scanned as strictly, and projected as the document would have been. */
function payloadOf(
  verdict: Fault | { readonly payload: Uint8Array },
  { plan, context, group }: Transported,
  { candidates }: Scanned,
): Scanned | Fault {
  if (verdict instanceof Fault) return verdict;
  const scanPlan = scanPlans(plan).payloads.get(group);
  if (scanPlan === undefined) throw new Error('a status group that the contract does not have');
  const document = scanWhole(verdict.payload, scanPlan);
  if (document instanceof Fault) return document;
  return new Scanned(plan, context, candidates, JSON.parse(document.text));
}
