import { nearest } from '../contract/index.js';
import { ENVELOPE_PROFILE, type FailureProfile } from '../envelope/index.js';
import type { KeyRing } from '../evidence/index.js';
import type { AgentCode } from '../fault/index.js';
import type { RetryPolicy, UpstreamPlan } from '../upstream/index.js';
import { readBaseUrl } from './base-url.js';
import type { ConfigDefinition, Sound, UpstreamDefinition } from './definition.js';
import { readEndpoint } from './endpoint.js';
import { DEFAULT_LIMITS, type LimitValues, mergeLimits } from './limits.js';
import { readAnswerHeaders } from './profiles.js';
import type { Report } from './report.js';
import type { SecretSources } from './resolve-secret.js';
import { readBreaker, readRetry } from './retry.js';
import type { Endpoint } from './settings.js';
import { readKeys } from './signature-keys.js';
import { readHeaders } from './upstream-headers.js';

/** An upstream, and what its routes start from. */
export interface Upstream {
  readonly plan: UpstreamPlan;
  readonly mount: string;
  /** Whether it has a listener of its own; else it is found at `server.listen`. */
  readonly isApart: boolean;
  /** The address of its own listener, where it is a sound one. */
  readonly listen: Endpoint | undefined;
  /** Every header that the file has for it, be it sent or (an optional secret that is not there) not. */
  readonly headerNames: ReadonlySet<string>;
  readonly limits: LimitValues;
  /** As written; a route's time in all bounds it further. */
  readonly retry: RetryPolicy;
  /** What signatures are verified with. */
  readonly keys: KeyRing;
  readonly profile: FailureProfile;
  readonly statuses: Readonly<Partial<Record<AgentCode, number>>>;
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

const DEFAULT_CONNECTIONS = 64;

export async function readUpstreams(
  written: Sound<ConfigDefinition['upstreams']> | undefined,
  profiles: ReadonlyMap<string, FailureProfile>,
  sources: SecretSources,
  report: Report,
): Promise<ReadonlyMap<string, Upstream>> {
  const upstreams = new Map<string, Upstream>();
  for (const [name, upstream] of Object.entries(written ?? {})) {
    if (upstream === undefined) continue;
    upstreams.set(name, await readUpstream(name, upstream, profiles, sources, report.at(name)));
  }
  checkMounts(upstreams, report);
  return upstreams;
}

async function readUpstream(
  name: string,
  written: Sound<UpstreamDefinition>,
  profiles: ReadonlyMap<string, FailureProfile>,
  sources: SecretSources,
  report: Report,
): Promise<Upstream> {
  const limits = mergeLimits(DEFAULT_LIMITS, written.limits, report.at('limits'));
  const url =
    written.base_url === undefined ? undefined : readBaseUrl(written.base_url, report.at('base_url'));
  const breaker = readBreaker(written.breaker, report.at('breaker'));
  const headerNames = new Set(Object.keys(written.headers ?? {}));
  const plan: UpstreamPlan = {
    name,
    origin: url?.origin ?? '',
    basePath: url?.basePath ?? '',
    headers: await readHeaders(written.headers, sources, report.at('headers')),
    codings: Object.freeze((written.codings ?? ['gzip', 'br']).filter((coding) => coding !== undefined)),
    connections: written.connections ?? DEFAULT_CONNECTIONS,
    connectMs: limits.connect,
    headerBytes: limits.header_bytes,
    idleMs: limits.idle,
    ...(breaker === undefined ? {} : { breaker }),
  };
  const { listen, answer_headers: constants } = written;
  const isApart = listen !== undefined;
  return {
    plan: Object.freeze(plan),
    mount: readMount(written.mount ?? (isApart ? '/' : `/${name}`), report.at('mount')),
    isApart,
    listen: listen === undefined ? undefined : readEndpoint(listen, report.at('listen')),
    headerNames,
    limits,
    retry: readRetry(written.retry, 'upstream', headerNames, report.at('retry')),
    keys: await readKeys(written.keys, sources, report.at('keys')),
    profile: readProfileName(written.failure_profile, profiles, report.at('failure_profile')),
    statuses: Object.freeze({ ...(written.statuses as Partial<Record<AgentCode, number>>) }),
    ...(constants === undefined
      ? {}
      : { answerHeaders: readAnswerHeaders(constants, report.at('answer_headers')) }),
  };
}

function readMount(text: string, report: Report): string {
  // Filled in from the environment, it has not met the schema's pattern.
  if (text === '/') return '';
  if (!/^(?:\/[a-z0-9][a-z0-9._~-]*)+$/.test(text)) {
    report.problem(
      'bad-form',
      'is not a valid mount',
      'Write a path such as /github, without a slash at its end.',
    );
  }
  return text;
}

function readProfileName(
  name: string | undefined,
  profiles: ReadonlyMap<string, FailureProfile>,
  report: Report,
): FailureProfile {
  const profile = name === undefined ? ENVELOPE_PROFILE : profiles.get(name);
  if (profile !== undefined) return profile;
  const meant = nearest(name ?? '', profiles.keys());
  const remedy =
    meant === undefined ? `Write one of ${[...profiles.keys()].join(', ')}.` : `Did you mean "${meant}"?`;
  report.problem('unknown-profile', 'names no failure profile', remedy);
  return ENVELOPE_PROFILE;
}

/** A path of one listener must belong to one upstream only. */
function checkMounts(upstreams: ReadonlyMap<string, Upstream>, report: Report): void {
  const earlier: [name: string, mount: string][] = [];
  for (const [name, { mount, isApart }] of upstreams) {
    if (isApart) continue;
    for (const [other, taken] of earlier) {
      const isSame = mount === taken;
      if (!isSame && !`${mount}/`.startsWith(`${taken}/`) && !`${taken}/`.startsWith(`${mount}/`)) continue;
      const message = isSame
        ? `is the mount of upstreams.${other} too`
        : `and the mount of upstreams.${other} stand within each other`;
      report
        .at(name, 'mount')
        .problem('mount-overlap', message, 'Give each upstream a mount of its own, none within another.');
    }
    earlier.push([name, mount]);
  }
}
