/**
 * How a failed call is told to the agent: data, never code. Every part is a constant but for the three
 * placeholders `{code}`, `{retryable}` and `{request_id}`; nothing the upstream wrote can stand in it.
 */
export interface FailureProfile {
  readonly name: string;
  /** Replaces the HTTP status of every failure. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON value; a string that is exactly a placeholder takes its value, `{retryable}` as a boolean. Absent: the envelope. */
  readonly body?: unknown;
}

export const ENVELOPE_PROFILE: FailureProfile = { name: 'envelope', headers: {} };

/** Shapes that vendors' own clients understand as a failure, by the name that `failure_profile` gives. */
export const BUILT_IN_PROFILES: ReadonlyMap<string, FailureProfile> = new Map(
  [
    ENVELOPE_PROFILE,
    {
      name: 'github',
      headers: {},
      body: { message: '{code}', retryable: '{retryable}', request_id: '{request_id}' },
    },
    {
      name: 'stripe',
      headers: { 'stripe-should-retry': '{retryable}', 'request-id': '{request_id}' },
      body: { error: { type: 'api_error', code: '{code}', message: '{code}' } },
    },
    // The Slack client repeats every status but 200 and 429 for minutes.
    { name: 'slack', status: 200, headers: {}, body: { ok: false, error: '{code}' } },
    {
      name: 'kubernetes',
      headers: {},
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: '{code}',
        message: '{code}',
      },
    },
    {
      name: 'elasticsearch',
      headers: { 'x-elastic-product': 'Elasticsearch' },
      body: { error: { type: '{code}', reason: '{code}' } },
    },
    {
      name: 'openai',
      headers: {},
      body: { error: { message: '{code}', type: 'assay_error', param: null, code: '{code}' } },
    },
  ].map((profile) => [profile.name, profile]),
);

/** The values of the placeholders in one failed call. */
export interface ProfileValues {
  readonly code: string;
  readonly retryable: boolean;
  readonly request_id: string;
}

const PLACEHOLDER = /^\{(code|retryable|request_id)\}$/;

/** A copy of a profile's part with its placeholders replaced; the profile itself is never changed. */
export function fillProfile(part: unknown, values: ProfileValues): unknown {
  if (typeof part === 'string') {
    const match = PLACEHOLDER.exec(part);
    return match ? values[match[1] as keyof ProfileValues] : part;
  }
  if (Array.isArray(part)) return part.map((item) => fillProfile(item, values));
  if (part !== null && typeof part === 'object') {
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fillProfile(value, values)]));
  }
  return part;
}
