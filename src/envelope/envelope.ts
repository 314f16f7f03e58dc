import type { Selection } from '../contract/index.js';
import { AGENT_CODES, type AgentCode, type Fault, operatorCode } from '../fault/index.js';
import { type FailureProfile, fillProfile } from './profile.js';

/** What goes out to the agent: status, headers and body, all built here. */
export interface AgentReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; UTF-8 on the wire. */
  readonly body: string;
}

/**
 * `{tool, request_id, outcome: "success", data, untrusted_text?}`, or the bare data. `constants`: headers beside ours,
 * as the configuration has them.
 */
export function successReply(
  tool: string,
  requestId: string,
  selection: Selection,
  shape: 'envelope' | 'data',
  constants?: Readonly<Record<string, string>>,
): AgentReply {
  const data = JSON.stringify(selection.data);
  const body = shape === 'data' ? data : successEnvelope(tool, requestId, data, selection.untrustedText);
  const headers = commonHeaders(requestId);
  if (constants !== undefined) Object.assign(headers, constants);
  if (selection.links !== undefined) headers.link = selection.links;
  return { status: 200, headers, body };
}

/** What a failed call may have on its answer beside what its profile says; all of it from the configuration. */
export interface FailureOptions {
  /** Headers of every answer of the upstream; the profile's own win over them. */
  readonly constants?: Readonly<Record<string, string>> | undefined;
  /** The value of `www-authenticate` where the status is 401. Default `Bearer`. */
  readonly challenge?: string | undefined;
}

/**
 * `{tool, request_id, outcome: "failure", error: {code, retryable}}`, or the upstream's failure profile. `tool` is
 * null where no route matched.
 */
export function failureReply(
  tool: string | null,
  requestId: string,
  fault: Fault,
  profile: FailureProfile,
  statuses: Readonly<Partial<Record<AgentCode, number>>>,
  { constants, challenge = 'Bearer' }: FailureOptions = {},
): AgentReply {
  const code = fault.agent;
  const { retryable } = AGENT_CODES[code];
  const values = { code, retryable, request_id: requestId };
  const value =
    profile.body === undefined
      ? { tool, request_id: requestId, outcome: 'failure', error: { code, retryable } }
      : fillProfile(profile.body, values);
  const headers = commonHeaders(requestId);
  if (constants !== undefined) Object.assign(headers, constants);
  headers['x-should-retry'] = String(retryable);
  // RFC 9110 section 11.6.1: a 401 names the scheme that would do.
  const status = profile.status ?? statuses[code] ?? defaultStatus(fault);
  if (status === 401) headers['www-authenticate'] = challenge;
  if (fault.detail.retryAfter !== undefined && retryable)
    headers['retry-after'] = String(fault.detail.retryAfter);
  for (const [name, part] of Object.entries(profile.headers))
    headers[name] = String(fillProfile(part, values));
  return { status, headers, body: JSON.stringify(value) };
}

/** The members in their fixed order, around data that is JSON text already. */
function successEnvelope(
  tool: string,
  requestId: string,
  data: string,
  untrustedText: Selection['untrustedText'],
): string {
  const untrusted = untrustedText === undefined ? '' : `,"untrusted_text":${JSON.stringify(untrustedText)}`;
  const about = `"tool":${JSON.stringify(tool)},"request_id":${JSON.stringify(requestId)}`;
  return `{${about},"outcome":"success","data":${data}${untrusted}}`;
}

function defaultStatus(fault: Fault): number {
  const row = operatorCode(fault.code);
  return row.agent === fault.agent && row.status !== undefined ? row.status : AGENT_CODES[fault.agent].status;
}

function commonHeaders(requestId: string): Record<string, string> {
  return { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
}
