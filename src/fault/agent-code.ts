/**
 * The finite set of codes an agent can learn from a failed call. The list is closed: contracts choose from it,
 * they do not extend it. `status` is the default HTTP status of the answer (RFC 9110 section 15); an upstream's
 * configuration may choose another. A refused answer is 422 and not 502 because real SDKs repeat 502 on their own.
 */
export const AGENT_CODES = {
  INVALID_REQUEST: { status: 400, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  DENIED: { status: 403, retryable: false },
  CONFLICT: { status: 409, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  UPSTREAM_UNAVAILABLE: { status: 503, retryable: true },
  OUTCOME_UNKNOWN: { status: 422, retryable: false },
  INVALID_RESPONSE: { status: 422, retryable: false },
  OVERLOADED: { status: 503, retryable: true },
  INTERNAL: { status: 500, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type AgentCode = keyof typeof AGENT_CODES;

export function isAgentCode(value: unknown): value is AgentCode {
  return typeof value === 'string' && Object.hasOwn(AGENT_CODES, value);
}

/** The codes a contract may give a declared failure: what an upstream can truthfully say of a call. */
export const DECLARABLE_CODES = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'DENIED',
  'CONFLICT',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  'INVALID_RESPONSE',
] as const satisfies readonly AgentCode[];
