import { Client, errors } from '@elastic/elasticsearch';
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
} from './sidecar.js';

const id = { type: 'string', pattern: '^[A-Za-z0-9,_-]{1,64}$' };
const order = { total: count, state: { enum: ['open', 'paid'] } };

const version = open({ number: text(20) });
const CLUSTER: ContractDefinition = {
  tool: 'cluster',
  version: '1.0.0',
  purpose: 'Which version answers.',
  request: {},
  responses: [
    {
      status: 200,
      schema: open({ cluster_name: text(64), version }),
      select: { cluster_name: '/cluster_name', version: { object: { number: '/version/number' } } },
    },
  ],
  result: closed({ cluster_name: text(64), version: closed({ number: text(20) }) }),
};

const ORDER: ContractDefinition = {
  tool: 'order',
  version: '1.0.0',
  purpose: 'How an order stands.',
  request: { params: { id } },
  responses: [
    {
      status: 200,
      schema: open({
        _index: { const: 'orders' },
        _id: text(64),
        found: { const: true },
        _source: open(order),
      }),
      select: {
        _index: '/_index',
        _id: '/_id',
        found: '/found',
        _source: { object: { total: '/_source/total', state: '/_source/state' } },
      },
      checks: [{ id: 'same_order', bind: '/_id', equals: '{request.params.id}' }],
    },
    { status: 404, failure: 'NOT_FOUND' },
  ],
  result: closed({
    _index: { const: 'orders' },
    _id: text(64),
    found: { const: true },
    _source: closed(order),
  }),
};

/** A search that timed out or lost shards is no answer, though its status is 200. */
const whole = { timed_out: { const: false }, _shards: open({ failed: { const: 0 } }) };
const ORDERS: ContractDefinition = {
  tool: 'orders',
  version: '1.0.0',
  purpose: 'Orders by their state.',
  request: {
    body: {
      media_type: 'application/json',
      required: true,
      schema: closed({
        query: closed({ term: closed({ state: order.state }) }),
        size: { type: 'integer', minimum: 1, maximum: 10 },
      }),
    },
  },
  responses: [
    {
      status: 200,
      schema: open({
        ...whole,
        hits: open({
          total: open({ value: count, relation: { const: 'eq' } }),
          hits: { type: 'array', items: open({ _id: text(64), _source: open(order) }) },
        }),
      }),
      select: {
        timed_out: '/timed_out',
        hits: {
          object: {
            total: { object: { value: '/hits/total/value', relation: '/hits/total/relation' } },
            hits: {
              each: '/hits/hits',
              max: 10,
              select: {
                _id: '/_id',
                _source: { object: { total: '/_source/total', state: '/_source/state' } },
              },
            },
          },
        },
      },
    },
  ],
  result: closed({
    timed_out: { const: false },
    hits: closed({
      total: closed({ value: count, relation: { const: 'eq' } }),
      hits: list(10, closed({ _id: text(64), _source: closed(order) })),
    }),
  }),
};

function vendor({ target, body }: { readonly target: string; readonly body: string }) {
  const { pathname } = new URL(target, 'http://vendor.invalid');
  const headers = {
    'x-elastic-product': CANARY,
    'content-type': 'application/vnd.elasticsearch+json;compatible-with=9',
  };
  if (pathname === '/') {
    const version = { number: '9.4.0', build_hash: CANARY };
    return { headers, json: { name: CANARY, cluster_name: 'orders', version, tagline: CANARY } };
  }
  if (pathname.endsWith('/_search')) {
    const { state } = JSON.parse(body).query.term;
    const hit = { _index: 'orders', _id: '7', _score: 1, _source: { total: 5, state, customer: CANARY } };
    const failed = state === 'paid' ? 1 : 0;
    const hits = { total: { value: 1, relation: 'eq' }, max_score: 1, hits: [hit] };
    return { headers, json: { took: 3, timed_out: false, _shards: { total: 2, failed, [CANARY]: 1 }, hits } };
  }
  const found = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  if (found === 'down') return { status: 503, headers, json: { error: CANARY } };
  if (found === 'gone') {
    return { status: 404, headers, json: { _index: 'orders', _id: found, found: false, [CANARY]: CANARY } };
  }
  const state = found === 'drift' ? CANARY : 'open';
  const _source = { total: 5, state, customer: CANARY };
  return {
    headers,
    json: { _index: 'orders', _id: found === 'other' ? '1' : found, _version: 2, found: true, _source },
  };
}

async function start(t: Test, apiKey = AGENT_TOKEN, more = {}) {
  const running = await setUp(t, { section: 'Elasticsearch', contracts: [CLUSTER, ORDER, ORDERS], vendor });
  const client = new Client({ node: `${running.url}/elastic`, auth: { apiKey }, ...more });
  t.teardown(() => client.close());
  return { running, client };
}

const byState = (state: string) => ({ index: 'orders', query: { term: { state } }, size: 10 });

t.test('a document and a search, pruned', async (t) => {
  const { running, client } = await start(t);
  const info = await client.info();
  t.same(info, { cluster_name: 'orders', version: { number: '9.4.0' } });
  const got = await client.get({ index: 'orders', id: 'a,b' }, { meta: true });
  t.same(got.body, { _index: 'orders', _id: 'a,b', found: true, _source: { total: 5, state: 'open' } });
  const found = await client.search(byState('open'), { meta: true });
  t.same(found.body, {
    timed_out: false,
    hits: { total: { value: 1, relation: 'eq' }, hits: [{ _id: '7', _source: { total: 5, state: 'open' } }] },
  });
  t.same(
    running.calls.map(({ method, target }) => [method, target]),
    [
      ['GET', '/'],
      ['GET', '/orders/_doc/a%2Cb'],
      ['POST', '/orders/_search'],
    ],
  );
  assertClean(t, [info, got, found], running.calls);
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, client } = await start(t);
  const get = (id: string) => () => client.get({ index: 'orders', id });
  const drift = { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' } as const;
  const cases = [
    [get('drift'), drift, 422],
    [get('other'), { operator: 'CHK_BIND', agent: 'INVALID_RESPONSE' }, 422],
    [get('gone'), { operator: 'CON_DECLARED_FAILURE', agent: 'NOT_FOUND' }, 404],
    [() => client.search(byState('paid')), drift, 422],
    [
      () => client.count({ index: 'orders' }),
      { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 },
      404,
    ],
  ] as const;
  for (const [ask, refusal, status] of cases) {
    const error = await refused(t, running, ask, refusal);
    if (!(error instanceof errors.ResponseError)) throw error;
    t.equal(error.statusCode, status);
    t.same(error.body, { error: { type: refusal.agent, reason: refusal.agent } });
  }
});

t.test('an upstream that is down, repeats left to the sidecar', async (t) => {
  const { running, client } = await start(t, AGENT_TOKEN, { maxRetries: 0 });
  const down = { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' } as const;
  const error = await refused(t, running, () => client.get({ index: 'orders', id: 'down' }), down);
  t.equal(error.statusCode, 503);
});

t.test('a wrong key', async (t) => {
  const { running, client } = await start(t, 'b3RoZXI6a2V5');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0 } as const;
  const error = await refused(t, running, () => client.get({ index: 'orders', id: '1' }), denied);
  t.equal(error.statusCode, 401);
});
