import { Octokit, RequestError } from 'octokit';
import t, { type Test } from 'tap';
import type { ContractDefinition } from '../../../src/contract/index.js';
import {
  AGENT_TOKEN,
  assertClean,
  CANARY,
  closed,
  count,
  flag,
  list,
  open,
  refused,
  setUp,
  slug,
  text,
  type VendorCall,
} from './sidecar.js';

// That recorded answers of GitHub pass is test/e2e/octokit.test.ts; here it is what the client does with ours.

const REPOSITORY: ContractDefinition = {
  tool: 'repository',
  version: '1.0.0',
  purpose: 'What a repository is called and whether it is private.',
  request: { params: { owner: slug, repo: slug } },
  responses: [
    {
      status: 200,
      schema: open({ id: count, full_name: text(200), private: flag }),
      select: { id: '/id', full_name: '/full_name', private: '/private' },
      checks: [
        {
          id: 'same_repository',
          bind: '/full_name',
          equals: '{request.params.owner}/{request.params.repo}',
          ignore_case: true,
        },
      ],
    },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  result: closed({ id: count, full_name: text(200), private: flag }),
};

const path = { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,50}(?:/[A-Za-z0-9_.-]{1,50}){0,5}$' };
const FILE: ContractDefinition = {
  tool: 'file',
  version: '1.0.0',
  purpose: 'How large a file is.',
  request: { params: { owner: slug, repo: slug, path } },
  responses: [
    {
      status: 200,
      schema: open({ type: { const: 'file' }, path, size: count }),
      select: { type: '/type', path: '/path', size: '/size' },
      checks: [{ id: 'same_path', bind: '/path', equals: '{request.params.path}' }],
    },
  ],
  result: closed({ type: { const: 'file' }, path: text(400), size: count }),
};

const issue = { number: count, state: { enum: ['open', 'closed'] } };
const ISSUES: ContractDefinition = {
  tool: 'issues',
  version: '1.0.0',
  purpose: 'How the issues of a repository stand.',
  request: {
    params: { owner: slug, repo: slug },
    query: {
      per_page: { type: 'integer', minimum: 1, maximum: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1_000 },
    },
  },
  responses: [
    {
      status: 200,
      schema: { type: 'array', items: open(issue) },
      // GitHub links to the repository by its number.
      links: { rewrite: ['next', 'prev', 'first', 'last'], paths: ['/repositories/{id}/issues'] },
      select: { each: '', max: 100, select: { number: '/number', state: '/state' } },
    },
  ],
  result: list(100, closed(issue)),
};

function vendor({ target, headers: { host } }: VendorCall) {
  const { pathname, searchParams } = new URL(target, 'http://vendor.invalid');
  const [, , owner = '', repo = '', part, found] = pathname.split('/');
  if (part === 'issues') {
    const page = Number(searchParams.get('page') ?? 1);
    const to = (n: number) => `<http://${host}/repositories/7/issues?per_page=2&page=${n}>`;
    const link = page < 3 ? `${to(page + 1)}; rel="next", ${to(3)}; rel="last"` : `${to(1)}; rel="first"`;
    const json = [0, 1].map((n) => ({ number: page * 10 + n, state: 'open', title: CANARY }));
    return { headers: { link, 'x-github-request-id': CANARY }, json };
  }
  const headers = {
    'x-github-request-id': CANARY,
    'x-ratelimit-remaining': '0',
    link: `<${CANARY}>; rel="next"`,
  };
  if (found !== undefined) {
    return { headers, json: { type: 'file', path: decodeURIComponent(found), size: 12, content: CANARY } };
  }
  if (repo === 'down') return { status: 502, headers, json: { message: CANARY } };
  if (repo === 'gone') return { status: 404, headers, json: { message: CANARY, documentation_url: CANARY } };
  return {
    headers,
    json: {
      id: 7,
      full_name: `${owner}/${repo === 'other' ? 'mine' : repo}`,
      private: repo === 'drift' ? CANARY : false,
      description: CANARY,
      owner: { login: CANARY },
    },
  };
}

async function start(t: Test, auth = AGENT_TOKEN, more = {}) {
  const running = await setUp(t, { section: 'Octokit', contracts: [REPOSITORY, FILE, ISSUES], vendor });
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  return { running, octokit: new Octokit({ auth, baseUrl: `${running.url}/github`, log: quiet, ...more }) };
}

t.test('a repository and a file in a folder, pruned', async (t) => {
  const { running, octokit } = await start(t);
  const repository = await octokit.rest.repos.get({ owner: 'team', repo: 'api' });
  t.same(repository.data, { id: 7, full_name: 'team/api', private: false });
  const file = await octokit.rest.repos.getContent({ owner: 'team', repo: 'api', path: 'docs/a.md' });
  t.same(file.data, { type: 'file', path: 'docs/a.md', size: 12 });
  t.same(
    running.calls.map(({ target }) => target),
    ['/repos/team/api', '/repos/team/api/contents/docs%2Fa.md'],
  );
  assertClean(t, [repository, file], running.calls);
});

t.test('pages are turned by the client, on the sidecar', async (t) => {
  const { running, octokit } = await start(t);
  const { listForRepo } = octokit.rest.issues;
  const issues = await octokit.paginate(listForRepo, { owner: 'team', repo: 'api', per_page: 2 });
  t.same(
    issues.map(({ number }) => number),
    [10, 11, 20, 21, 30, 31],
  );
  t.same(
    running.calls.map(({ target }) => target),
    ['per_page=2', 'per_page=2&page=2', 'per_page=2&page=3'].map(
      (query) => `/repos/team/api/issues?${query}`,
    ),
  );
  t.equal(running.records.length, 3);
  assertClean(t, issues, running.calls);
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, octokit } = await start(t);
  const get = (repo: string) => () => octokit.rest.repos.get({ owner: 'team', repo });
  const cases = [
    [get('drift'), { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' }, 422],
    [get('other'), { operator: 'CHK_BIND', agent: 'INVALID_RESPONSE' }, 422],
    [get('gone'), { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }, 404],
    [
      () => octokit.rest.orgs.get({ org: 'team' }),
      { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 },
      404,
    ],
  ] as const;
  for (const [ask, refusal, status] of cases) {
    const error = await refused(t, running, ask, refusal);
    if (!(error instanceof RequestError)) throw error;
    t.equal(error.status, status);
    t.equal(error.message, refusal.agent);
  }
});

t.test('an upstream that is down, repeats left to the sidecar', async (t) => {
  const { running, octokit } = await start(t, AGENT_TOKEN, { retry: { enabled: false } });
  const ask = () => octokit.rest.repos.get({ owner: 'team', repo: 'down' });
  const error = await refused(t, running, ask, {
    operator: 'UPS_SERVER_ERROR',
    agent: 'UPSTREAM_UNAVAILABLE',
  });
  t.match(error, { status: 503, message: 'UPSTREAM_UNAVAILABLE' });
});

t.test('a wrong token', async (t) => {
  const { running, octokit } = await start(t, 'ghp_other');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0 } as const;
  const ask = () => octokit.rest.repos.get({ owner: 'team', repo: 'api' });
  t.match(await refused(t, running, ask, denied), { status: 401, message: 'DENIED' });
});
