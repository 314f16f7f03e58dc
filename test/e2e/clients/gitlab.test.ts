import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest';
import t, { type Test } from 'tap';
import type { ContractDefinition } from '../../../src/contract/index.js';
import {
  AGENT_TOKEN,
  assertClean,
  CANARY,
  closed,
  count,
  list,
  open,
  refused,
  setUp,
  text,
  type VendorCall,
} from './sidecar.js';

const path = { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,50}(?:/[A-Za-z0-9_.-]{1,50}){1,3}$' };
const visibility = { enum: ['private', 'internal', 'public'] };

const PROJECT: ContractDefinition = {
  tool: 'project',
  version: '1.0.0',
  purpose: 'What a project is called and who may see it.',
  request: { params: { id: path } },
  responses: [
    {
      status: 200,
      schema: open({ id: count, path_with_namespace: text(200), visibility }),
      select: { id: '/id', path_with_namespace: '/path_with_namespace', visibility: '/visibility' },
      checks: [{ id: 'same_project', bind: '/path_with_namespace', equals: '{request.params.id}' }],
    },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  result: closed({ id: count, path_with_namespace: text(200), visibility }),
};

const issue = { iid: count, state: { enum: ['opened', 'closed'] } };
const ISSUES: ContractDefinition = {
  tool: 'issues',
  version: '1.0.0',
  purpose: 'How issues of a project stand.',
  request: {
    params: { id: path },
    query: {
      'iids[]': { type: 'array', maxItems: 10, items: { type: 'integer', minimum: 1 } },
      state: issue.state,
      page: { type: 'integer', minimum: 1, maximum: 1_000 },
      // GitLab's links carry these too; a link with what is not declared here is dropped.
      id: path,
      order_by: { enum: ['created_at'] },
      sort: { enum: ['asc', 'desc'] },
      per_page: { type: 'integer', minimum: 1, maximum: 100 },
    },
  },
  responses: [
    {
      status: 200,
      schema: { type: 'array', items: open(issue) },
      links: 'rewrite',
      select: { each: '', max: 100, select: { iid: '/iid', state: '/state' } },
    },
  ],
  result: list(100, closed(issue)),
};

function vendor({ target, headers: { host } }: VendorCall) {
  const { pathname, searchParams } = new URL(target, 'http://vendor.invalid');
  if (pathname.endsWith('/issues')) {
    const asked = searchParams.getAll('iids[]').map(Number);
    const page = Number(searchParams.get('page') ?? 1);
    const iids = asked.length > 0 ? asked : [page * 10, page * 10 + 1];
    const to = (n: number) =>
      `<http://${host}${pathname}?id=team%2Fapi&order_by=created_at&page=${n}&per_page=2&sort=desc>`;
    const isLast = asked.length > 0 || page === 3;
    const link = isLast ? `${to(1)}; rel="first"` : `${to(page + 1)}; rel="next", ${to(1)}; rel="first"`;
    return {
      headers: { link, 'x-next-page': CANARY },
      json: iids.map((iid) => ({ iid, state: 'opened', title: CANARY, author: { name: CANARY } })),
    };
  }
  const id = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  if (id === 'team/gone') return { status: 404, json: { message: `404 ${CANARY}` } };
  if (id === 'team/busy') return { status: 429, headers: { 'retry-after': '3' }, json: { message: CANARY } };
  if (id === 'team/down') return { status: 502, json: { message: CANARY } };
  return {
    json: {
      id: 7,
      path_with_namespace: id === 'team/other' ? 'team/api' : id,
      visibility: id === 'team/drift' ? CANARY : 'internal',
      description: CANARY,
      runners_token: CANARY,
    },
  };
}

async function start(t: Test, token = AGENT_TOKEN) {
  const running = await setUp(t, { section: 'GitLab', contracts: [PROJECT, ISSUES], vendor });
  return { running, gitlab: new Gitlab({ host: `${running.url}/gitlab`, token }) };
}

t.test('a project by its path, and issues by their numbers, pruned', async (t) => {
  const { running, gitlab } = await start(t);
  const project = await gitlab.Projects.show('team/tools/api');
  t.same(project, { id: 7, path_with_namespace: 'team/tools/api', visibility: 'internal' });
  const issues = await gitlab.Issues.all({ projectId: 'team/api', iids: [3, 5], state: 'opened' });
  t.same(issues, [
    { iid: 3, state: 'opened' },
    { iid: 5, state: 'opened' },
  ]);
  t.same(
    running.calls.map(({ target }) => target),
    [
      '/api/v4/projects/team%2Ftools%2Fapi',
      '/api/v4/projects/team%2Fapi/issues?iids%5B%5D=3&iids%5B%5D=5&state=opened',
    ],
  );
  assertClean(t, [project, issues], running.calls);
});

t.test('pages are turned by the client, on the sidecar', async (t) => {
  const { running, gitlab } = await start(t);
  const issues = await gitlab.Issues.all({ projectId: 'team/api', perPage: 2 });
  t.same(
    issues.map(({ iid }) => iid),
    [10, 11, 20, 21, 30, 31],
  );
  t.same(
    running.calls.map(({ target }) => target),
    [
      'per_page=2',
      'page=2&id=team%2Fapi&order_by=created_at&sort=desc&per_page=2',
      'page=3&id=team%2Fapi&order_by=created_at&sort=desc&per_page=2',
    ].map((query) => `/api/v4/projects/team%2Fapi/issues?${query}`),
  );
  t.equal(running.records.length, 3);
  assertClean(t, issues, running.calls);
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, gitlab } = await start(t);
  const cases = [
    ['team/drift', { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' }, 422],
    ['team/other', { operator: 'CHK_BIND', agent: 'INVALID_RESPONSE' }, 422],
    ['team/gone', { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }, 404],
    ['team/down', { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' }, 503],
    ['team/busy', { operator: 'UPS_RATE_LIMITED', agent: 'RATE_LIMITED' }, 422],
    ['nobody', { operator: 'REQ_PARAM_INVALID', agent: 'INVALID_REQUEST', asked: 0 }, 400],
  ] as const;
  for (const [id, refusal, status] of cases) {
    const error = await refused(t, running, () => gitlab.Projects.show(id), refusal);
    if (!(error instanceof GitbeakerRequestError)) throw error;
    t.equal(error.message, refusal.agent);
    t.equal(error.cause?.response.status, status);
  }
  const noRoute = await refused(t, running, () => gitlab.Branches.all('team/api'), {
    operator: 'REQ_NO_ROUTE',
    agent: 'INVALID_REQUEST',
    asked: 0,
  });
  t.equal(noRoute.message, 'INVALID_REQUEST');
});

t.test('a wrong private token', async (t) => {
  const { running, gitlab } = await start(t, 'glpat-other');
  const error = await refused(t, running, () => gitlab.Projects.show('team/api'), {
    operator: 'REQ_UNAUTHENTICATED',
    agent: 'DENIED',
    asked: 0,
  });
  t.equal(error.message, 'DENIED');
});
