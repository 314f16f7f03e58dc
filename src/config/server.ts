import { parseDuration, parseSize } from '../contract/index.js';
import type { ServerDefinition, Sound } from './definition.js';
import { collide, isLoopback, readEndpoint } from './endpoint.js';
import type { Report } from './report.js';
import { resolveSecret, type SecretSources } from './resolve-secret.js';
import { concealMember, Secret } from './secret.js';
import { looksLikeSecret } from './secret-text.js';
import type { Endpoint, PressureSettings, ServerSettings, TokenCarrier } from './settings.js';

/** RFC 6750 section 2.1. */
const BEARER: TokenCarrier = Object.freeze({ header: 'authorization', scheme: 'bearer' });

/** Headers that say something else of a call than who sends it, or that belong to one connection. */
const NO_CARRIER =
  /^(?:host|accept|accept-.+|content-.+|transfer-encoding|te|trailer|connection|keep-alive|proxy-connection|upgrade|expect|range|if-.+|user-agent|x-request-id)$/;

const DEFAULT_LISTEN: Endpoint = Object.freeze({ host: '127.0.0.1', port: 8080 });

/** Fixed numbers rather than shares of the machine: the same file means the same everywhere. */
const DEFAULT_PRESSURE: PressureSettings = {
  eventLoopDelayMs: 1_000,
  heapBytes: 1_073_741_824,
  rssBytes: 2_147_483_648,
  inFlight: 256,
};

/** `hasAuth`: the file has agent_auth, be it well shaped or not. */
export async function readServer(
  written: Sound<ServerDefinition> | undefined,
  hasAuth: boolean,
  sources: SecretSources,
  report: Report,
): Promise<ServerSettings> {
  const endpoint = (key: 'listen' | 'admin') => {
    const text = written?.[key];
    return text === undefined ? undefined : readEndpoint(text, report.at(key));
  };
  const listen = endpoint('listen');
  const admin = endpoint('admin');
  if (listen !== undefined && !isLoopback(listen) && !hasAuth) {
    const remedy = 'Add agent_auth: { bearer: { secret: ASSAY_TOKEN } } to server, or listen on 127.0.0.1.';
    report
      .at('listen')
      .problem('open-listener', 'is reachable from other machines without agent_auth', remedy);
  }
  if (admin !== undefined && collide(listen ?? DEFAULT_LISTEN, admin)) {
    const remedy = "Give it another port: the admin side is never the agent's.";
    report.at('admin').problem('same-address', 'opens the same port as server.listen', remedy);
  }
  const bearer = await readBearer(
    written?.agent_auth?.bearer?.secret,
    sources,
    report.at('agent_auth', 'bearer', 'secret'),
  );
  const settings: ServerSettings = {
    listen: listen ?? DEFAULT_LISTEN,
    admin,
    bearer: bearer?.reveal(),
    carriers: readCarriers(written?.agent_auth?.carriers, report.at('agent_auth', 'carriers')),
    acceptRequestId: written?.request_ids === 'accept',
    log: Object.freeze({ level: written?.log?.level ?? 'info' }),
    pressure: Object.freeze(readPressure(written?.pressure, report.at('pressure'))),
  };
  return Object.freeze(bearer === undefined ? settings : concealMember(settings, 'bearer', bearer));
}

async function readBearer(
  name: string | undefined,
  sources: SecretSources,
  report: Report,
): Promise<Secret | undefined> {
  if (name === undefined) return undefined;
  if (looksLikeSecret(name)) {
    report.problem(
      'literal-secret',
      'is a secret itself, not the name of one',
      'Revoke it, and write the name of an environment variable.',
    );
    return undefined;
  }
  const found = await resolveSecret(name, sources);
  if (!(found instanceof Secret)) {
    report.problem(found.rule, `cannot be resolved: ${found.message}`, found.remedy);
    return undefined;
  }
  // RFC 6750 section 2.1: a bearer token is a token68, so that no other text could ever be sent.
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(found.reveal())) {
    const remedy = 'Use letters, digits and - . _ ~ + / only, with = at the end.';
    report.problem('secret-form', 'names a secret that cannot be a bearer token', remedy);
    return undefined;
  }
  return found;
}

type Carriers = NonNullable<ServerDefinition['agent_auth']>['carriers'];

function readCarriers(written: Sound<Carriers>, report: Report): readonly TokenCarrier[] {
  if (written === undefined) return Object.freeze([BEARER]);
  const carriers: TokenCarrier[] = [];
  for (const [index, { header, scheme } = {}] of written.entries()) {
    if (header === undefined) continue;
    if (NO_CARRIER.test(header)) {
      const remedy = 'Name the header in which the client sends its key, such as authorization or x-api-key.';
      report.at(index, 'header').problem('no-carrier', 'is a header that carries no token', remedy);
    }
    carriers.push(Object.freeze({ header, scheme: scheme?.toLowerCase() }));
  }
  return Object.freeze(carriers);
}

function readPressure(written: Sound<ServerDefinition['pressure']>, report: Report): PressureSettings {
  const size = (key: 'heap' | 'rss') => {
    const text = written?.[key];
    return text === undefined
      ? undefined
      : positive(report.at(key).quantity(parseSize(text)), report.at(key));
  };
  const delay = written?.event_loop_delay;
  const at = report.at('event_loop_delay');
  return {
    eventLoopDelayMs:
      (delay === undefined ? undefined : positive(at.quantity(parseDuration(delay)), at)) ??
      DEFAULT_PRESSURE.eventLoopDelayMs,
    heapBytes: size('heap') ?? DEFAULT_PRESSURE.heapBytes,
    rssBytes: size('rss') ?? DEFAULT_PRESSURE.rssBytes,
    inFlight: written?.in_flight ?? DEFAULT_PRESSURE.inFlight,
  };
}

/** Zero would turn the sidecar off, which nobody writes on purpose. */
function positive(value: number | undefined, report: Report): number | undefined {
  if (value !== 0) return value;
  report.problem(
    'out-of-range',
    'must be more than zero',
    'Write a value above zero, or leave the key out for the default.',
  );
  return undefined;
}
