import type { TypedRequest } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import type { UpstreamRequest } from '../upstream/index.js';
import type { IncomingCall } from './call.js';
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

  const path = plan.segments
    .map((segment) =>
      'literal' in segment ? segment.literal : encodeURIComponent(params.texts.get(segment.param) ?? ''),
    )
    .join('/');
  const upstream: UpstreamRequest = {
    method: plan.method,
    target: `/${path}${query.text === '' ? '' : `?${query.text}`}`,
    headers: new Map([
      ['accept', plan.contract.accept],
      ['user-agent', `assay/${version}`],
      ...Object.entries(headers.values),
      ...(body === undefined ? [] : ([['content-type', 'application/json']] as const)),
    ]),
    ...(body === undefined ? {} : { body: body.bytes }),
  };
  const typed: TypedRequest = {
    params: params.values,
    query: query.values,
    headers: headers.values,
    ...(body === undefined ? {} : { body: body.value }),
  };
  return new Requested(plan, typed, upstream);
}
