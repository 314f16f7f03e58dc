// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import t from 'tap';
import { type LoadOptions, loadSettings, type Settings } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { DEFAULT_SCAN_LIMITS } from '../../src/json/index.js';
import { DEFAULT_TRANSPORT_LIMITS } from '../../src/upstream/index.js';
import { HOME } from './as-shown.js';

const folder = t.testdir({});
const { writeFileSync } = await import('node:fs');
let count = 0;

/** Loads a text with the contracts of these tests; fails with what is wrong. */
async function load(text: string, env: NodeJS.ProcessEnv = {}, options: LoadOptions = {}): Promise<Settings> {
  const file = join(folder, `${count++}.yaml`);
  writeFileSync(file, text);
  const result = await loadSettings(file, env, { cwd: HOME, secretsFolder: '/nowhere', ...options });
  if ('settings' in result) return result.settings;
  throw new Error(result.diagnostics.map(formatDiagnostic).join('\n'));
}

const route = (more = '') =>
  `  - { tool: item_status, upstream: api, method: GET, path: "/items/{id}", contract: item_status@1${more} }\n`;
const config = (upstream = '', top = '', routes = route()) =>
  `version: 1\n${top}upstreams:\n  api:\n    base_url: http://127.0.0.1:4000/v1/\n${upstream}routes:\n${routes}`;

t.test('the smallest configuration, and every default', async (t) => {
  const settings = await load(config());
  t.same(settings.server, {
    listen: { host: '127.0.0.1', port: 8080 },
    admin: undefined,
    bearer: undefined,
    carriers: [{ header: 'authorization', scheme: 'bearer' }],
    acceptRequestId: false,
    log: { level: 'info' },
    pressure: { eventLoopDelayMs: 1_000, heapBytes: 1_073_741_824, rssBytes: 2_147_483_648, inFlight: 256 },
  });
  t.equal(settings.audit, undefined);
  t.equal(settings.quarantine, undefined);
  t.match(settings.digest, /^[0-9a-f]{64}$/);
  const [plan] = settings.routes;
  t.equal(plan?.mount, '/api');
  t.equal(plan?.upstream.origin, 'http://127.0.0.1:4000');
  t.equal(plan?.upstream.basePath, '/v1');
  t.same(plan?.upstream.codings, ['gzip', 'br']);
  t.equal(plan?.upstream.connections, 64);
  t.same(plan?.segments, [{ literal: 'items' }, { param: 'id' }]);
  t.same(plan?.limits, {
    ...DEFAULT_TRANSPORT_LIMITS,
    requestBytes: 262_144,
    pathBytes: 4_096,
    scan: DEFAULT_SCAN_LIMITS,
  });
  t.same(plan?.retry.attempts, 1);
  t.equal(plan?.answer, 'envelope');
  t.equal(plan?.profile.name, 'envelope');
  t.same(plan?.statuses, {});
  t.equal(plan?.contract.name, 'item_status@1');
  t.same(
    plan?.checks.map((checks) => checks.map((check) => check.id)),
    [['same_item'], []],
  );
  t.same(
    settings.contracts.map(({ source, folder }) => [source.name, [...source.schemas.keys()], folder]),
    [['item_status@1', ['item.schema.json', 'result.schema.yaml'], join(HOME, 'schemas/item_status/1')]],
  );
});

t.test('every key', async (t) => {
  const settings = await load(
    `version: 1
contracts: ./schemas
server:
  listen: "[::1]:0"
  admin: 0.0.0.0:9090
  agent_auth:
    bearer: { secret: ASSAY_TOKEN }
    carriers: [{ header: authorization, scheme: Token }, { header: private-token }]
  request_ids: accept
  log: { level: debug }
  pressure: { event_loop_delay: 250ms, heap: 512 MiB, rss: 1 GiB, in_flight: 10 }
upstreams:
  api:
    base_url: HTTPS://Example.ORG:443
    mount: /
    headers: { accept: a/b, x-vault-token: { secret: VAULT }, x-none: { secret: NONE, optional: true } }
    codings: []
    connections: 3
    limits: { header_bytes: 32 KiB, connect: 1s }
    retry: { attempts: 3, within: 2s, on: [429, timeout] }
    failure_profile: mine
    answer_headers: { x-vendor: Mine }
    statuses: { INVALID_RESPONSE: 502 }
failure_profiles:
  mine: { status: 418, headers: { x-retry: "{retryable}" }, body: { error: ["{code}", "{request_id}"] } }
routes:
${route(', answer: data, retry: { attempts: 2 }')}audit: { file: var/a.jsonl, durability: async, retain: 90d }
quarantine: { dir: var/q, item: 1 KiB, total: 1 MiB, retain: 1d }
`,
    { ASSAY_TOKEN: 'abc', VAULT: 'v4ult' },
  );
  t.same(
    { ...settings.server },
    {
      listen: { host: '::1', port: 0 },
      admin: { host: '0.0.0.0', port: 9090 },
      bearer: 'abc',
      carriers: [
        { header: 'authorization', scheme: 'token' },
        { header: 'private-token', scheme: undefined },
      ],
      acceptRequestId: true,
      log: { level: 'debug' },
      pressure: { eventLoopDelayMs: 250, heapBytes: 536_870_912, rssBytes: 1_073_741_824, inFlight: 10 },
    },
  );
  const [plan] = settings.routes;
  t.equal(plan?.mount, '');
  t.equal(plan?.upstream.origin, 'https://example.org');
  t.equal(plan?.upstream.basePath, '');
  t.same(
    [...(plan?.upstream.headers ?? [])],
    [
      ['accept', 'a/b'],
      ['x-vault-token', 'v4ult'],
    ],
  );
  t.same(plan?.upstream.codings, []);
  t.equal(plan?.upstream.connections, 3);
  t.equal(plan?.upstream.connectMs, 1_000);
  t.equal(plan?.upstream.headerBytes, 32_768);
  t.equal(plan?.limits.connectMs, 1_000);
  t.equal(plan?.limits.headerBytes, 32_768);
  t.same(plan?.answerHeaders, { 'x-vendor': 'Mine' });
  t.equal(plan?.retry.attempts, 2, "a route's retry replaces the upstream's");
  t.same([...(plan?.retry.on ?? [])], ['connect', 'timeout', 502, 503, 504]);
  t.equal(plan?.retry.withinMs, 10_000);
  t.equal(plan?.answer, 'data');
  t.same(plan?.profile, {
    name: 'mine',
    status: 418,
    headers: { 'x-retry': '{retryable}' },
    body: { error: ['{code}', '{request_id}'] },
  });
  t.same(plan?.statuses, { INVALID_RESPONSE: 502 });
  t.same(settings.audit, { file: join(HOME, 'var/a.jsonl'), durability: 'async', retainMs: 7_776_000_000 });
  t.same(settings.quarantine, {
    dir: join(HOME, 'var/q'),
    itemBytes: 1_024,
    totalBytes: 1_048_576,
    retainMs: 86_400_000,
  });
});

t.test('limits: built in, then the upstream, then the route', async (t) => {
  const { routes } = await load(
    config(
      '    limits: { total: 4s, wire_bytes: 2 MiB, depth: 8 }\n    retry: { attempts: 2, within: 8s }\n',
      '',
      route(', limits: { total: 3s, depth: 16, path_bytes: 1 KiB }') +
        '  - { tool: ping, upstream: api, method: GET, path: /ping, contract: ping@1 }\n',
    ),
  );
  const [narrow, wide] = routes;
  t.same(
    [narrow, wide].map((plan) => [
      plan?.limits.firstByteMs,
      plan?.limits.totalMs,
      plan?.limits.wireBytes,
      plan?.limits.scan.depth,
      plan?.limits.pathBytes,
      plan?.retry.withinMs,
    ]),
    [
      [5_000, 3_000, 2_097_152, 16, 1_024, 3_000],
      [5_000, 4_000, 2_097_152, 8, 4_096, 4_000],
    ],
  );
  t.equal(narrow?.upstream, wide?.upstream, 'one upstream, one plan');
});

t.test('a literal beside a parameter, and two routes of one tool', async (t) => {
  const { routes } = await load(
    config(
      '',
      '',
      route() +
        route().replace('/items/{id}', '/items/{id}/latest') +
        '  - { tool: ping, upstream: api, method: GET, path: /items/ping, contract: ping@1 }\n' +
        '  - { tool: ping, upstream: api, method: GET, path: /, contract: ping@1 }\n' +
        '  - { tool: ping, upstream: api, method: HEAD, path: /items/ping, contract: ping@1 }\n',
    ),
  );
  t.equal(routes.length, 5);
  t.same(routes[3]?.segments, []);
  const root = await load(
    config(
      '    mount: /\n',
      '',
      '  - { tool: ping, upstream: api, method: GET, path: /, contract: ping@1 }\n',
    ),
  );
  t.same([root.routes[0]?.mount, root.routes[0]?.segments], ['', []]);
});

t.test('listeners: what is found where', async (t) => {
  const of = (upstream: string, path: string) =>
    `  - { tool: ping, upstream: ${upstream}, method: GET, path: ${path}, contract: ping@1 }\n`;
  const { listeners, routes } = await load(
    `version: 1
server: { listen: "127.0.0.1:8080", admin: "127.0.0.1:9090" }
upstreams:
  api: { base_url: "http://127.0.0.1:1", statuses: { DENIED: 401 } }
  shop: { base_url: "http://127.0.0.1:2", listen: "127.0.0.1:8081", failure_profile: stripe, answer_headers: { x-a: b } }
  mail: { base_url: "http://127.0.0.1:3", listen: "[::1]:0", mount: /api }
  idle: { base_url: "http://127.0.0.1:4", failure_profile: slack }
routes:
${of('api', '/v1')}${of('shop', '/v1')}${of('mail', '/v1')}${of('shop', '/v2')}`,
  );
  t.equal(routes.length, 4);
  t.same(
    listeners.map(({ endpoint, upstream, routes: found, mounts }) => [
      `${endpoint.host} ${endpoint.port}`,
      upstream,
      found.map((plan) => plan.mount + plan.path),
      mounts.map(({ path, profile, statuses, answerHeaders }) => [
        path,
        profile.name,
        statuses,
        answerHeaders,
      ]),
    ]),
    [
      [
        '127.0.0.1 8080',
        undefined,
        ['/api/v1'],
        [
          ['/api', 'envelope', { DENIED: 401 }, undefined],
          ['/idle', 'slack', {}, undefined],
        ],
      ],
      ['127.0.0.1 8081', 'shop', ['/v1', '/v2'], [['', 'stripe', {}, { 'x-a': 'b' }]]],
      ['::1 0', 'mail', ['/api/v1'], [['/api', 'envelope', {}, undefined]]],
    ],
  );
  t.same(routes[1]?.answerHeaders, { 'x-a': 'b' });
  t.ok(listeners[1]?.routes[0] === routes[1], 'the plan itself');
  for (const part of [listeners, ...listeners, ...listeners.flatMap(({ mounts }) => [mounts, ...mounts])]) {
    t.ok(Object.isFrozen(part));
  }
});

t.test('the sample of the documents, as it stands there', async (t) => {
  const sample = `version: 1
server:
  listen: 127.0.0.1:8080            # a non-loopback address needs agent_auth
  admin: 127.0.0.1:9090
  agent_auth: { bearer: { secret: ASSAY_TOKEN } }     # optional on loopback
upstreams:
  github:
    base_url: \${GITHUB_API_URL:-https://api.github.com}
    mount: /github                  # the agent's base URL becomes http://127.0.0.1:8080/github
    headers:
      accept: application/vnd.github+json
      authorization: { secret: GITHUB_TOKEN, format: "Bearer {}" }
    limits: { connect: 2s, first_byte: 5s, total: 10s, wire_bytes: 1 MiB, decoded_bytes: 4 MiB }
    retry: { attempts: 2, within: 8s, on: [connect, timeout, 502, 503, 504] }   # safe methods, or an idempotency key
    failure_profile: github
routes:
  - tool: review_status
    upstream: github
    method: GET
    path: /repos/{owner}/{repo}/pulls/{number}/reviews/{review}
    contract: review_status@1
audit: { file: var/audit.jsonl, durability: durable, retain: 90d }   # durable | async
quarantine: { dir: var/quarantine, item: 256 KiB, total: 256 MiB, retain: 14d }
`;
  const env = { ASSAY_TOKEN: 'agent', GITHUB_TOKEN: 'vendor' };
  const { routes, server, audit, quarantine } = await load(sample, env, { cwd: join(HOME, '../..') });
  t.equal(server.bearer, 'agent');
  t.equal(routes[0]?.upstream.origin, 'https://api.github.com');
  t.equal(routes[0]?.upstream.headers.get('authorization'), 'Bearer vendor');
  t.equal(routes[0]?.profile.name, 'github');
  t.equal(routes[0]?.retry.withinMs, 8_000);
  t.equal(audit?.durability, 'durable');
  t.equal(quarantine?.itemBytes, 262_144);
  const elsewhere = { ...env, GITHUB_API_URL: 'http://127.0.0.1:3000/api/v3' };
  const enterprise = await load(sample, elsewhere, { cwd: join(HOME, '../..') });
  t.equal(enterprise.routes[0]?.upstream.origin, 'http://127.0.0.1:3000');
  t.equal(enterprise.routes[0]?.upstream.basePath, '/api/v3');
});

t.test('config/assay.yaml loads without any environment, and with a token sends it', async (t) => {
  const root = join(HOME, '../..');
  const options = { cwd: root, secretsFolder: '/nowhere' };
  const bare = await loadSettings(join(root, 'config/assay.yaml'), {}, options);
  if (!('settings' in bare)) throw new Error(bare.diagnostics.map(formatDiagnostic).join('\n'));
  t.same(
    bare.settings.routes.map((plan) => plan.contract.name),
    ['review_status@1', 'job_run@1', 'deployment_state@1', 'issue_summary@1', 'list_repositories@1'],
  );
  t.equal(bare.settings.routes[0]?.upstream.headers.has('authorization'), false);
  t.same(bare.settings.warnings, [
    'upstreams.github.headers.authorization is not sent: no secret GITHUB_TOKEN',
  ]);
  const withToken = await loadSettings(join(root, 'config/assay.yaml'), { GITHUB_TOKEN: 'x' }, options);
  if (!('settings' in withToken)) throw new Error('does not load with a token');
  t.equal(withToken.settings.routes[0]?.upstream.headers.get('authorization'), 'Bearer x');
  t.same(withToken.settings.warnings, []);
  t.match(readFileSync(join(root, 'config/assay.yaml'), 'utf8'), /^# yaml-language-server: \$schema=/);
});

t.test('no secret shows in settings, however they are printed', async (t) => {
  const settings = await load(
    config(
      '    headers: { authorization: { secret: TOKEN, format: "Bearer {}" } }\n',
      'server: { agent_auth: { bearer: { secret: AGENT } } }\n',
    ),
    { TOKEN: 'S3CRET-vendor', AGENT: 'S3CRET-agent' },
  );
  t.equal(settings.server.bearer, 'S3CRET-agent');
  t.equal(settings.routes[0]?.upstream.headers.get('authorization'), 'Bearer S3CRET-vendor');
  for (const part of [settings, settings.server, settings.routes, settings.routes[0]?.upstream]) {
    t.notMatch(JSON.stringify(part), 'S3CRET');
    t.notMatch(inspect(part, { depth: Number.POSITIVE_INFINITY, showHidden: true }), 'S3CRET');
  }
  t.match(JSON.stringify(settings), '[secret AGENT]');
  t.match(inspect(settings, { depth: Number.POSITIVE_INFINITY }), 'Bearer [secret TOKEN]');
});

t.test('a copy of the server settings keeps the token: a call without it must not pass', async (t) => {
  const { server } = await load(config('', 'server: { agent_auth: { bearer: { secret: AGENT } } }\n'), {
    AGENT: 'abc',
  });
  t.equal({ ...server }.bearer, 'abc');
});

t.test('the digest tells configurations apart by what they say', async (t) => {
  const one = await load(config('    headers: { authorization: { secret: TOKEN } }\n'), { TOKEN: 'a' });
  const spaced = config('    headers:\n      authorization:\n        secret: TOKEN # the token\n');
  const same = await load(spaced, { TOKEN: 'b' });
  t.equal(one.digest, same.digest, 'space, comments and the values of secrets are no part of it');
  const other = await load(config('    headers: { authorization: { secret: OTHER } }\n'), { OTHER: 'a' });
  t.not(one.digest, other.digest);
  const filled = config('    mount: "${MOUNT}"\n');
  const [a, b] = [await load(filled, { MOUNT: '/a' }), await load(filled, { MOUNT: '/b' })];
  t.not(a.digest, b.digest, 'what is filled in is part of it');
});

t.test('settings are frozen', async (t) => {
  const settings = await load(config('    statuses: { DENIED: 401 }\n', 'audit: { file: a.jsonl }\n'));
  const [plan] = settings.routes;
  const parts = [
    settings,
    settings.server,
    settings.server.listen,
    settings.server.log,
    settings.server.pressure,
    settings.audit,
    settings.routes,
    settings.contracts,
    settings.contracts[0],
    plan,
    plan?.segments,
    plan?.segments[0],
    plan?.limits,
    plan?.limits.scan,
    plan?.retry,
    plan?.statuses,
    plan?.upstream,
    plan?.upstream.codings,
  ];
  for (const [i, part] of parts.entries()) t.ok(Object.isFrozen(part), `part ${i}`);
});

t.test('problems of contracts come with those of the configuration, each under its file', async (t) => {
  const root = t.testdir({
    schemas: {
      ping: {
        1: { 'contract.yaml': 'tool: pong\nversion: 1.0.0\npurpose: x\nrequest: {}\nresponses: []\n' },
      },
    },
    'c.yaml':
      'version: 1\ncontract: schemas\nupstreams: { api: { base_url: "http://127.0.0.1" } }\nroutes:\n' +
      '  - { tool: ping, upstream: api, method: GET, path: /a, contract: ping@1 }\n' +
      '  - { tool: ping, upstream: api, method: GET, path: /b, contract: ping@1 }\n',
  });
  const result = await loadSettings(join(root, 'c.yaml'), {}, { cwd: root });
  t.same(
    'diagnostics' in result &&
      result.diagnostics.map((d) => `${d.file.slice(root.length)}:${d.line} ${d.rule}`),
    ['/c.yaml:2 unknown-key', '/schemas/ping/1/contract.yaml:5 too-few'],
    'a contract that two routes name is reported once',
  );
});

t.test('what compiling a contract finds has its place too', async (t) => {
  const contract = readFileSync(join(HOME, 'schemas/ping/1/contract.yaml'), 'utf8');
  const root = t.testdir({
    schemas: {
      ping: {
        1: {
          'contract.yaml': contract.replace(/^result:[\s\S]*/m, 'result: result.schema.json\n'),
          'result.schema.json': '{\n  "type": "object",\n  "properties": { "ok": {} }\n}\n',
        },
      },
    },
    'c.yaml':
      'version: 1\nupstreams: { api: { base_url: "http://127.0.0.1" } }\nroutes:\n' +
      '  - { tool: ping, upstream: api, method: GET, path: /a, contract: ping@1 }\n',
  });
  const result = await loadSettings(join(root, 'c.yaml'), {}, { cwd: root });
  const files = 'diagnostics' in result ? result.diagnostics.map((d) => d.file.slice(root.length)) : [];
  t.ok(files.includes('/schemas/ping/1/result.schema.json'), files.join());
});
