import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Octokit } from 'octokit';
import t from 'tap';
import type { ContractDefinition, JsonSchema } from '../../src/contract/index.js';
import { BUILT_IN_PROFILES, type FailureProfile } from '../../src/envelope/index.js';
import type { AuditRecord } from '../../src/record/index.js';
import type { RoutePlan } from '../../src/route/index.js';
import { startServer } from '../../src/server/index.js';
import { planOf } from '../support/harness.js';
import { settingsOf } from '../support/settings.js';

/**
 * The real client, its base URL pointed at the sidecar, against GitHub answers that were recorded
 * (`@octokit/fixtures`) and are played back by `@octokit/fixtures-server`.
 */
const ORG = 'octokit-fixture-org';
const TOKEN = '0000000000000000000000000000000000000001';

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const slug: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,100}$' };
const count: JsonSchema = { type: 'integer', minimum: 0 };

function open(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

function closed(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

function contract(
  tool: string,
  request: ContractDefinition['request'],
  responses: ContractDefinition['responses'],
  result: JsonSchema,
): ContractDefinition {
  return { tool, version: '1.0.0', purpose: tool, request, responses, result };
}

const ofRepo = { owner: slug, repo: slug };
const sameRepo = {
  id: 'same_repo',
  bind: '/full_name',
  equals: '{request.params.owner}/{request.params.repo}',
  ignore_case: true,
};

const repository = contract(
  'repository',
  { params: ofRepo },
  [
    {
      status: 200,
      schema: open({
        id: count,
        full_name: text(200),
        private: { type: 'boolean' },
        owner: open({ login: text(39) }),
      }),
      select: {
        id: '/id',
        full_name: '/full_name',
        private: '/private',
        owner: { object: { login: '/owner/login' } },
      },
      checks: [sameRepo],
    },
  ],
  closed({
    id: count,
    full_name: text(200),
    private: { type: 'boolean' },
    owner: closed({ login: text(39) }),
  }),
);

/** The repository as a vendor answer that must have a member which the recorded one has not. */
const drifted = contract(
  'drifted',
  { params: ofRepo },
  [{ status: 200, schema: open({ id: count, invented: { type: 'boolean' } }), select: { id: '/id' } }],
  closed({ id: count }),
);

const organization = contract(
  'organization',
  { params: { org: slug } },
  [
    {
      status: 200,
      schema: open({ login: text(39), id: count, public_repos: count }),
      select: { login: '/login', id: '/id', public_repos: '/public_repos' },
      checks: [{ id: 'same_org', bind: '/login', equals: '{request.params.org}', ignore_case: true }],
    },
  ],
  closed({ login: text(39), id: count, public_repos: count }),
);

const issue = { number: count, state: { enum: ['open', 'closed'] }, title: text(256) };
const issues = contract(
  'issues',
  { params: ofRepo, query: { per_page: { type: 'integer', minimum: 1, maximum: 100 } } },
  [
    {
      status: 200,
      schema: { type: 'array', items: open(issue) },
      select: { each: '', max: 100, select: { number: '/number', state: '/state', title: '/title' } },
    },
  ],
  { type: 'array', maxItems: 100, items: closed(issue) },
);

const label = { name: text(50), color: text(6) };
const labels = contract(
  'labels',
  { params: ofRepo },
  [
    {
      status: 200,
      schema: { type: 'array', items: open(label) },
      select: { each: '', max: 100, select: { name: '/name', color: '/color' } },
    },
  ],
  { type: 'array', maxItems: 100, items: closed(label) },
);

const release = contract(
  'release',
  { params: { ...ofRepo, tag: slug } },
  [
    {
      status: 200,
      schema: open({ id: count, tag_name: text(100), draft: { type: 'boolean' } }),
      select: { id: '/id', tag_name: '/tag_name', draft: '/draft' },
      checks: [{ id: 'same_tag', bind: '/tag_name', equals: '{request.params.tag}' }],
    },
  ],
  closed({ id: count, tag_name: text(100), draft: { type: 'boolean' } }),
);

const search = contract(
  'search',
  { query: { q: { type: 'string', pattern: '^.{1,256}$' } }, required_query: ['q'] },
  [
    {
      status: 200,
      schema: open({
        total_count: count,
        incomplete_results: { const: false },
        items: { type: 'array', items: open(issue) },
      }),
      select: {
        total_count: '/total_count',
        incomplete_results: '/incomplete_results',
        items: { each: '/items', max: 100, select: { number: '/number', state: '/state' } },
      },
    },
  ],
  closed({
    total_count: count,
    incomplete_results: { const: false },
    items: { type: 'array', maxItems: 100, items: closed({ number: issue.number, state: issue.state }) },
  }),
);

const createFile = contract(
  'create_file',
  {
    params: { ...ofRepo, path: slug },
    body: {
      media_type: 'application/json',
      required: true,
      schema: closed({ message: text(200), content: text(4_096) }),
    },
  },
  [
    {
      status: 201,
      schema: open({ content: open({ path: text(200), sha: text(40) }) }),
      select: { content: { object: { path: '/content/path', sha: '/content/sha' } } },
      checks: [{ id: 'same_path', bind: '/content/path', equals: '{request.params.path}' }],
    },
  ],
  closed({ content: closed({ path: text(200), sha: text(40) }) }),
);

const protection = contract(
  'protection',
  { params: { ...ofRepo, branch: slug } },
  [
    { status: 200, schema: open({ url: text(200) }), select: { url: '/url' } },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  closed({ url: text(200) }),
);

/** Another organization than the one that is asked for: the recorded answer stands for one from a mixed-up cache. */
const misbound = contract(
  'misbound',
  { params: { org: slug } },
  [
    {
      status: 200,
      schema: open({ login: text(39) }),
      select: { login: '/login' },
      checks: [{ id: 'same_org', bind: '/login', equals: 'other-{request.params.org}' }],
    },
  ],
  closed({ login: text(39) }),
);

interface Scenario {
  readonly name: string;
  readonly definition: ContractDefinition;
  readonly method?: RoutePlan['method'];
  readonly path: string;
  ask(octokit: Octokit): Promise<{ data: unknown }>;
  /** The pruned data that the client's own types carry, or status, code and how the record explains it. */
  readonly expect:
    | { readonly data: unknown }
    | { readonly status: number; readonly code: string; readonly operator: string };
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'get-repository',
    definition: repository,
    path: '/repos/{owner}/{repo}',
    ask: (octokit) => octokit.rest.repos.get({ owner: ORG, repo: 'hello-world' }),
    expect: { data: { id: 1000, full_name: `${ORG}/hello-world`, private: false, owner: { login: ORG } } },
  },
  {
    name: 'get-organization',
    definition: organization,
    path: '/orgs/{org}',
    ask: (octokit) => octokit.rest.orgs.get({ org: ORG }),
    expect: { data: { login: ORG, id: 1000, public_repos: 42 } },
  },
  {
    name: 'paginate-issues',
    definition: issues,
    path: '/repos/{owner}/{repo}/issues',
    ask: (octokit) => octokit.rest.issues.listForRepo({ owner: ORG, repo: 'paginate-issues', per_page: 3 }),
    expect: {
      data: [13, 12, 11].map((number) => ({ number, state: 'open', title: `Test issue ${number}` })),
    },
  },
  {
    name: 'labels',
    definition: labels,
    path: '/repos/{owner}/{repo}/labels',
    ask: (octokit) => octokit.rest.issues.listLabelsForRepo({ owner: ORG, repo: 'labels' }),
    expect: {
      data: Object.entries({
        bug: 'd73a4a',
        documentation: '0075ca',
        duplicate: 'cfd3d7',
        enhancement: 'a2eeef',
        'good first issue': '7057ff',
        'help wanted': '008672',
        invalid: 'e4e669',
        question: 'd876e3',
        wontfix: 'ffffff',
      }).map(([name, color]) => ({ name, color })),
    },
  },
  {
    name: 'release-assets',
    definition: release,
    path: '/repos/{owner}/{repo}/releases/tags/{tag}',
    ask: (octokit) =>
      octokit.rest.repos.getReleaseByTag({ owner: ORG, repo: 'release-assets', tag: 'v1.0.0' }),
    expect: { data: { id: 1000, tag_name: 'v1.0.0', draft: false } },
  },
  {
    name: 'search-issues',
    definition: search,
    path: '/search/issues',
    ask: (octokit) => octokit.request('GET /search/issues', { q: `sesame repo:${ORG}/search-issues` }),
    expect: {
      data: {
        total_count: 2,
        incomplete_results: false,
        items: [2, 1].map((number) => ({ number, state: 'open' })),
      },
    },
  },
  {
    name: 'create-file',
    definition: createFile,
    method: 'PUT',
    path: '/repos/{owner}/{repo}/contents/{path}',
    ask: (octokit) =>
      octokit.rest.repos.createOrUpdateFileContents({
        owner: ORG,
        repo: 'create-file',
        path: 'test.txt',
        message: 'create test.txt',
        content: Buffer.from('Test content').toString('base64'),
      }),
    expect: { data: { content: { path: 'test.txt', sha: '3f3f005b29247e51a4f4d6b8ce07b67646cd6074' } } },
  },
  {
    name: 'get-repository',
    definition: drifted,
    path: '/repos/{owner}/{repo}',
    ask: (octokit) => octokit.rest.repos.get({ owner: ORG, repo: 'hello-world' }),
    expect: { status: 422, code: 'INVALID_RESPONSE', operator: 'CON_NO_ALTERNATIVE' },
  },
  {
    name: 'branch-protection',
    definition: protection,
    path: '/repos/{owner}/{repo}/branches/{branch}/protection',
    ask: (octokit) =>
      octokit.rest.repos.getBranchProtection({ owner: ORG, repo: 'branch-protection', branch: 'main' }),
    expect: { status: 404, code: 'NOT_FOUND', operator: 'CON_DECLARED_FAILURE' },
  },
  {
    name: 'get-organization',
    definition: misbound,
    path: '/orgs/{org}',
    ask: (octokit) => octokit.rest.orgs.get({ org: ORG }),
    expect: { status: 422, code: 'INVALID_RESPONSE', operator: 'CHK_BIND' },
  },
];

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The recorded answers, behind a port; resolves once it listens. */
async function startFixturesServer(): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const bin = new URL('bin/server.js', import.meta.resolve('@octokit/fixtures-server'));
  const child = spawn(
    process.execPath,
    [fileURLToPath(bin), '--port', String(port), '--log-level', 'error'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, FIXTURES_URL: url },
    },
  );
  for (let tries = 0; tries < 200; tries++) {
    const up = await fetch(`${url}/ping`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the fixtures server did not start');
}

async function loadScenario(server: string, scenario: string): Promise<URL> {
  const response = await fetch(`${server}/fixtures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario }),
  });
  const { url } = (await response.json()) as { url: string };
  return new URL(url);
}

t.test('Octokit over recorded answers', async (t) => {
  const fixtures = await startFixturesServer();
  t.teardown(() => fixtures.child.kill());

  for (const scenario of SCENARIOS) {
    await t.test(`${scenario.name}: ${scenario.definition.tool}`, async (t) => {
      const target = await loadScenario(fixtures.url, scenario.name);
      const plan = planOf({
        origin: target.origin,
        contract: scenario.definition,
        method: scenario.method ?? 'GET',
        path: scenario.path,
        mount: '/github',
        answer: 'data',
        profile: BUILT_IN_PROFILES.get('github') as FailureProfile,
        upstream: {
          basePath: target.pathname,
          headers: new Map([
            ['authorization', `token ${TOKEN}`],
            ['accept', 'application/vnd.github.v3+json'],
            // The recording holds the requests to their headers.
            ...(scenario.method === 'PUT'
              ? ([['content-type', 'application/json; charset=utf-8']] as const)
              : []),
          ]),
        },
      });
      const records: AuditRecord[] = [];
      const server = await startServer(settingsOf([plan]), {
        proven: true,
        onRecord: (record) => records.push(record),
      });
      t.teardown(() => server.close());
      const octokit = new Octokit({ baseUrl: `${server.agentUrl}/github`, auth: 'agent-has-no-token' });

      const outcome = await scenario.ask(octokit).then(
        ({ data }) => ({ data }),
        (error: { status: number; message: string }) => error,
      );
      t.equal(records.length, 1, 'the client asked once');
      t.equal(records[0]?.attempts.length, 1, 'the sidecar asked once');
      const { expect } = scenario;
      if ('data' in expect) {
        t.equal(records[0]?.operator_code, null);
        t.strictSame('data' in outcome ? outcome.data : outcome, expect.data);
      } else {
        t.notOk('data' in outcome);
        const error = outcome as { status: number; message: string };
        t.equal(error.status, expect.status);
        t.equal(error.message.split(' - ')[0], expect.code);
        t.equal(records[0]?.operator_code, expect.operator);
      }
    });
  }
});
