import { PrometheusDriver } from 'prometheus-query';
import t, { type Test } from 'tap';
import type { ContractDefinition } from '../../../src/contract/index.js';
import { AGENT_TOKEN, assertClean, CANARY, closed, list, open, refused, setUp, text } from './sidecar.js';

const instance = { type: 'string', pattern: '^[a-z0-9.:-]{1,64}$' };
const point = {
  type: 'array',
  maxItems: 2,
  items: { type: ['number', 'string'], minimum: 0, maximum: 1e11, maxLength: 32 },
};

const INSTANT_QUERY: ContractDefinition = {
  tool: 'instant_query',
  version: '1.0.0',
  purpose: 'The value of a metric now, by instance.',
  request: {
    query: {
      query: { enum: ['up{job="node"}', 'drift', 'wrong', 'down'] },
      time: { type: 'number', minimum: 0 },
    },
    required_query: ['query'],
  },
  responses: [
    {
      status: 200,
      schema: open({
        status: { const: 'success' },
        data: open({
          resultType: { const: 'vector' },
          result: { type: 'array', items: open({ metric: open({ instance }), value: point }) },
        }),
      }),
      select: {
        status: '/status',
        data: {
          object: {
            resultType: '/data/resultType',
            result: {
              each: '/data/result',
              max: 50,
              select: {
                metric: { object: { instance: '/metric/instance' } },
                value: { each: '/value', max: 2, item: '' },
              },
            },
          },
        },
      },
    },
    {
      status: 400,
      schema: open({ status: { const: 'error' }, errorType: text(32) }),
      failure: { by: '/errorType', map: { bad_data: 'INVALID_REQUEST' } },
    },
  ],
  result: closed({
    status: { const: 'success' },
    data: closed({
      resultType: { const: 'vector' },
      result: list(50, closed({ metric: closed({ instance }), value: point })),
    }),
  }),
};

function vendor({ target }: { readonly target: string }) {
  const query = new URL(target, 'http://vendor.invalid').searchParams.get('query');
  if (query === 'wrong')
    return { status: 400, json: { status: 'error', errorType: 'bad_data', error: CANARY } };
  if (query === 'down') return { status: 503, json: { status: 'error', error: CANARY } };
  const series = (instance: string, value: string) => ({
    metric: { __name__: 'up', instance, owner: CANARY },
    value: [1_760_000_000.5, value],
  });
  const resultType = query === 'drift' ? 'scalar' : 'vector';
  const result = [series('web-1:9100', '1'), series('web-2:9100', '0')];
  return { json: { status: 'success', data: { resultType, result }, warnings: [CANARY] } };
}

async function start(t: Test, password = AGENT_TOKEN) {
  const running = await setUp(t, { section: 'Prometheus', contracts: [INSTANT_QUERY], vendor });
  const auth = { username: 'agent', password };
  return { running, driver: new PrometheusDriver({ endpoint: `${running.url}/prometheus`, auth }) };
}

t.test('an instant query, pruned', async (t) => {
  const { running, driver } = await start(t);
  const result = await driver.instantQuery('up{job="node"}', 1_760_000_000_500);
  t.equal(result.resultType, 'vector');
  t.same(
    result.result.map(({ metric, value }) => [metric.labels, value.time.getTime(), value.value]),
    [
      [{ instance: 'web-1:9100' }, 1_760_000_000_500, 1],
      [{ instance: 'web-2:9100' }, 1_760_000_000_500, 0],
    ],
  );
  assertClean(t, result, running.calls);
});

t.test("refusals are the client's own errors", async (t) => {
  const { running, driver } = await start(t);
  const query = (text: string) => () => driver.instantQuery(text);
  const cases = [
    [query('drift'), { operator: 'CON_NO_ALTERNATIVE', agent: 'INVALID_RESPONSE' }],
    [query('wrong'), { operator: 'CON_DECLARED_FAILURE', agent: 'INVALID_REQUEST' }],
    [query('down'), { operator: 'UPS_SERVER_ERROR', agent: 'UPSTREAM_UNAVAILABLE' }],
    [query('secret'), { operator: 'REQ_QUERY_INVALID', agent: 'INVALID_REQUEST', asked: 0 }],
    [() => driver.alerts(), { operator: 'REQ_NO_ROUTE', agent: 'INVALID_REQUEST', asked: 0 }],
  ] as const;
  for (const [ask, refusal] of cases) {
    const error = await refused(t, running, ask, refusal);
    t.match(error, { status: 'error', error: refusal.agent });
  }
});

t.test('a wrong password', async (t) => {
  const { running, driver } = await start(t, 'other');
  const denied = { operator: 'REQ_UNAUTHENTICATED', agent: 'DENIED', asked: 0 } as const;
  t.match(await refused(t, running, () => driver.instantQuery('drift'), denied), { error: 'DENIED' });
});
