import type { TypedRequest } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import type { IncomingCall } from './call.js';
import type { RoutePlan } from './plan.js';
import { readBody } from './request-body.js';
import { readHeaders } from './request-headers.js';
import { readParams } from './request-params.js';
import { readQuery } from './request-query.js';
import { type Admitted, Requested } from './stages.js';

/**
 * Stage 2: every value of the call is typed and validated, and the request that leaves is built anew from the
 * validated values: nothing of the agent's bytes is passed on as it came.
 */
export function request(admitted: Admitted, call: IncomingCall, version: string): Requested | Fault {
  const { plan } = admitted;
  const rules = plan.contract.request;
  const params = readParams(admitted.rawParams, rules.params);
  if (params instanceof Fault) return params;
  const query = readQuery(admitted.rawQuery, rules.query);
  if (query instanceof Fault) return query;
  const headers = readHeaders(call.headers, rules.headers);
  if (headers instanceof Fault) return headers;
  const body = readBody(call, plan);
  if (body instanceof Fault) return body;

  const { method } = plan;
  const target = targetOf(plan, params.texts, query.text);
  const lines = new Map([
    ['accept', plan.contract.accept],
    ['user-agent', `assay/${version}`],
  ]);
  for (const name in headers.values) lines.set(name, headers.values[name] as string);
  const values = { params: params.values, query: query.values, headers: headers.values };
  if (body === undefined) return new Requested(plan, values, { method, target, headers: lines });
  lines.set('content-type', body.mediaType);
  const typed: TypedRequest = { ...values, body: body.value };
  return new Requested(plan, typed, { method, target, headers: lines, body: body.bytes });
}

/** Path and query as they leave, every value encoded anew. */
function targetOf(plan: RoutePlan, params: ReadonlyMap<string, string>, query: string): string {
  let target = '';
  for (const segment of plan.segments) {
    target += `/${'literal' in segment ? segment.literal : encodeURIComponent(params.get(segment.param) ?? '')}`;
  }
  if (target === '') target = '/';
  return query === '' ? target : `${target}?${query}`;
}
