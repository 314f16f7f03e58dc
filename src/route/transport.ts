import type { Alternative } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import {
  checkDeclaredLength,
  contentCoding,
  isUtf8,
  matchesMediaType,
  parseMediaType,
  type ResponseHeaders,
  retryAfterSeconds,
} from '../upstream/index.js';
import type { RoutePlan } from './plan.js';
import { type Forwarded, Transported } from './stages.js';

/**
 * Stage 4, the head: status, media type, charset and content coding are declared ones, and the announced length is
 * within the limits. The body is still unread. Byte limits go on in the scan stage, chunk by chunk.
 */
export function transport(forwarded: Forwarded): Transported | Fault {
  const { plan, answer, context } = forwarded;
  const group = plan.contract.byStatus.get(answer.status);
  if (group === undefined) return undeclaredStatus(plan, answer.status, answer.headers, context.now);

  const { alternatives } = group;
  if (alternatives.every((alternative) => alternative.body === 'none')) {
    const unread = alternatives.every((alternative) => alternative.outcome.kind === 'failure');
    const body = unread ? 'unread' : 'empty';
    return new Transported(plan, answer, context, group, alternatives, body, 'identity');
  }

  const candidates = ofMediaType(answer.headers, alternatives);
  if (candidates instanceof Fault) return candidates;
  const coding = contentCoding(answer.headers, plan.upstream.codings);
  if (coding instanceof Fault) return coding;
  const fault = checkDeclaredLength(answer.headers, plan.limits);
  if (fault !== undefined) return fault;
  // Alternatives for one media type read the body in the same way.
  const kind = candidates[0]?.body;
  const body = kind === 'ndjson' || kind === 'text' ? kind : 'json';
  return new Transported(plan, answer, context, group, candidates, body, coding);
}

/** What an undeclared status means; only 401, 403, 429 and 5xx have a meaning without a contract. */
function undeclaredStatus(plan: RoutePlan, status: number, headers: ResponseHeaders, now: number): Fault {
  const note = `status ${status}`;
  if (status === 401 || status === 403) return new Fault('UPS_DENIED', { note });
  if (status === 429) return new Fault('UPS_RATE_LIMITED', { note, ...retryAfter(plan, headers, now) });
  if (status >= 500 && status <= 599) return new Fault('UPS_SERVER_ERROR', { note });
  if (status >= 300 && status <= 399) return new Fault('BYT_REDIRECT', { note });
  return new Fault('BYT_STATUS', { note });
}

/** The bounded pause an upstream asks for, as a fault's detail; empty where it asks for none. */
export function retryAfter(
  { limits }: RoutePlan,
  headers: ResponseHeaders,
  now: number,
): { retryAfter?: number } {
  const most = Math.floor(limits.retryAfterMs / 1000);
  const seconds = retryAfterSeconds(headers.single('retry-after'), now, most);
  return seconds === undefined ? {} : { retryAfter: seconds };
}

/** Types that a log can name; any other is text of the upstream. */
const WELL_KNOWN = [
  'text/html',
  'text/plain',
  'text/xml',
  'application/xml',
  'application/json',
  'application/problem+json',
];

function wrongType(type: string): string {
  return WELL_KNOWN.includes(type) ? `${type} is not declared` : 'an undeclared type';
}

function ofMediaType(
  headers: ResponseHeaders,
  alternatives: readonly Alternative[],
): readonly Alternative[] | Fault {
  const text = headers.single('content-type');
  if (text === undefined) return new Fault('BYT_MEDIA_TYPE', { note: 'no Content-Type' });
  const media = parseMediaType(text);
  if (media === undefined) return new Fault('BYT_MEDIA_TYPE', { note: 'malformed Content-Type' });
  const candidates = alternatives.filter(
    (alternative) => alternative.body !== 'none' && matchesMediaType(alternative.mediaType, media.type),
  );
  if (candidates.length === 0) return new Fault('BYT_MEDIA_TYPE', { note: wrongType(media.type) });
  if (!isUtf8(media.charset)) return new Fault('BYT_CHARSET');
  return candidates;
}
