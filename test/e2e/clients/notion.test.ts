import { APIResponseError, Client, collectPaginatedAPI } from '@notionhq/client';
import t, { type Test } from 'tap';
import type { ContractDefinition } from '../../../src/contract/index.js';
import { AGENT_TOKEN, assertClean, CANARY, closed, flag, list, open, refused, setUp } from './sidecar.js';

const id = { type: 'string', pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const time = { type: 'string', format: 'date-time', maxLength: 30 };

const PAGE: ContractDefinition = {
  tool: 'page',
  version: '1.0.0',
  purpose: 'Whether a page is archived, and when it was last edited.',
  request: { params: { id } },
  responses: [
    {
      status: 200,
      schema: open({ object: { const: 'page' }, id, archived: flag, last_edited_time: time }),
      select: {
        object: '/object',
        id: '/id',
        archived: '/archived',
        last_edited_time: '/last_edited_time',
      },
      checks: [{ id: 'same_page', bind: '/id', equals: '{request.params.id}' }],
    },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  result: closed({ object: { const: 'page' }, id, archived: flag, last_edited_time: time }),
};

const user = { object: { const: 'user' }, id, type: { enum: ['person', 'bot'] } };
const USERS: ContractDefinition = {
  tool: 'users',
  version: '1.0.0',
  purpose: 'Who is there.',
  request: { query: { start_cursor: id, page_size: { type: 'integer', minimum: 1, maximum: 100 } } },
  responses: [
    {
      status: 200,
      schema: open({
        object: { const: 'list' },
        results: { type: 'array', items: open(user) },
        has_more: flag,
        next_cursor: { ...id, type: ['string', 'null'] },
      }),
      select: {
        object: '/object',
        results: { each: '/results', max: 100, select: { object: '/object', id: '/id', type: '/type' } },
        has_more: '/has_more',
        next_cursor: '/next_cursor',
      },
    },
  ],
  result: closed({
    object: { const: 'list' },
    results: list(100, closed(user)),
    has_more: flag,
    next_cursor: { ...id, type: ['string', 'null'], maxLength: 36 },
  }),
};

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [PLAIN, DRIFT, OTHER, GONE, DOWN] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)];

function vendor({ target }: { readonly target: string }) {
  const { pathname, searchParams } = new URL(target, 'http://vendor.invalid');
  if (pathname === '/v1/users') {
    const isLast = searchParams.get('start_cursor') === uuid(9);
    const results = [isLast ? 22 : 21].map((n) => ({
      object: 'user',
      id: uuid(n),
      type: 'person',
      name: CANARY,
      person: { email: CANARY },
    }));
    const next_cursor = isLast ? null : uuid(9);
    return { json: { object: 'list', results, has_more: !isLast, next_cursor, type: CANARY } };
  }
  const found = pathname.split('/').at(-1);
  if (found === DOWN) return { status: 503, json: { object: 'error', message: CANARY } };
  if (found === GONE) {
    return { status: 404, json: { object: 'error', status: 404, code: 'object_not_found', message: CANARY } };
  }
  return {
    headers: { 'x-notion-request-id': CANARY },
    json: {
      object: 'page',
      id: found === OTHER ? PLAIN : found,
      archived: found === DRIFT ? CANARY : false,
      last_edited_time: '2026-01-02T03:04:00.000Z',
      url: `https://vendor.invalid/${CANARY}`,
      properties: { Name: { title: [{ plain_text: CANARY }] } },
    },
  };
}

async function start(t: Test, auth = AGENT_TOKEN) {
  const running = await setUp(t, { section: 'Notion', contracts: [PAGE, USERS], vendor });
  return { running, notion: new Client({ auth, baseUrl: `${running.url}/notion` }) };
}

t.test('a page, pruned', async (t) => {
  const { running, notion } = await start(t);
  const page = await notion.pages.retrieve({ page_id: PLAIN });
  t.same(page, {
    object: 'page',
    id: PLAIN,
    archived: false,
    last_edited_time: '2026-01-02T03:04:00.000Z',
  });
  t.equal(running.calls[0]?.headers['notion-version'], '2022-06-28', 'the configured version');
  assertClean(t, page, running.calls);
});

t.test('pages are turned by the client, on the sidecar', async (t) => {
  const { running, notion } = await start(t);
  const users = await collectPaginatedAPI(notion.users.list, { page_size: 1 });
  t.same(
    users.map(({ id }) => id),
    [uuid(21), uuid(22)],
  );
  t.same(
    running.calls.map(({ target }) => target),
    ['/v1/users?page_size=1', `/v1/users?start_cursor=${uuid(9)}&page_size=1`],
  );
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, notion } = await start(t);
  const page = (page_id: string) => () => notion.pages.retrieve({ page_id });
  const cases = [
    [page(DRIFT), { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' }, 422],
    [page(OTHER), { operator: 'CHK_BIND', agent: 'INVALID_RESPONSE' }, 422],
    [page(GONE), { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }, 404],
    [page('x'), { operator: 'REQ_PARAM_INVALID', agent: 'INVALID_REQUEST', asked: 0 }, 400],
    [
      () => notion.blocks.retrieve({ block_id: PLAIN }),
      { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 },
      404,
    ],
  ] as const;
  for (const [ask, refusal, status] of cases) {
    const error = await refused(t, running, ask, refusal);
    if (!APIResponseError.isAPIResponseError(error)) throw error;
    t.match(error, { status, message: refusal.agent, code: 'validation_error' });
  }
});

t.test('an upstream that is down: the client repeats by code, and not by ours', async (t) => {
  const { running, notion } = await start(t);
  const down = { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' } as const;
  const error = await refused(t, running, () => notion.pages.retrieve({ page_id: DOWN }), down);
  t.match(error, { status: 503, message: 'UPSTREAM_UNAVAILABLE' });
});

t.test('a wrong token', async (t) => {
  const { running, notion } = await start(t, 'ntn_other');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0 } as const;
  const error = await refused(t, running, () => notion.pages.retrieve({ page_id: PLAIN }), denied);
  t.equal(error.status, 401);
});
