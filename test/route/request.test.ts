import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import type { IncomingCall, RoutePlan } from '../../src/route/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';

/** Every kind of request part, under one contract; what the upstream receives is compared to the byte. */
const PROJECT: ContractDefinition = {
  ...THING,
  tool: 'project',
  request: {
    params: {
      id: { type: 'string', pattern: '^[a-z]{1,20}(/[a-z]{1,20})?$' },
      file: { type: 'string', pattern: '^[^/]{1,40}$' },
    },
    query: {
      page: { type: 'integer', minimum: 1, maximum: 99 },
      state: { enum: ['open', 'closed'] },
      'iids[]': { type: 'array', items: { type: 'integer' }, maxItems: 3 },
      draft: { type: 'boolean' },
      q: { type: 'string', pattern: '^.{0,40}$' },
    },
    headers: { 'x-tenant': { type: 'string', pattern: '^[a-z]{1,8}$' } },
  },
  responses: [{ status: 404, failure: 'NOT_FOUND' }],
};
delete (PROJECT as { result?: unknown }).result;

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';

async function setUp(
  t: { teardown(done: () => Promise<void>): void },
  plan: Partial<RoutePlan> = {},
  contract = PROJECT,
) {
  const upstream = await playUpstream(() => [{ send: NOT_FOUND }]);
  const run = harness([
    planOf({
      origin: upstream.url,
      contract,
      path: '/projects/{id}/files/{file}',
      mount: '/gitlab',
      ...(plan as object),
      upstream: { basePath: '/api/v4', headers: new Map([['private-token', 'CREDENTIAL']]) },
    }),
  ]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  return {
    upstream,
    async ask(target: string, call: Partial<IncomingCall> = {}) {
      const before = upstream.requests.length;
      const { record } = await run.call(`/gitlab${target}`, call);
      const [sent] = upstream.requests.slice(before);
      return { code: record.operator_code, instance: record.fault?.instance, sent: sent?.toString('latin1') };
    },
  };
}

const line = (sent: string | undefined) => sent?.split('\r\n')[0];

t.test('what leaves is built anew, to the byte', async (t) => {
  const { ask, upstream } = await setUp(t);
  const { sent } = await ask(
    '/projects/group%2fproject/files/a%20b%5B...c%5D.js?q=x+y%2Bz&page=2&draft=true',
    {
      headers: [
        ['Host', 'agent-side'],
        ['Authorization', 'Bearer agent-secret'],
        ['Proxy-Authorization', 'Basic agent-secret'],
        ['Cookie', 'a=agent-secret'],
        ['Private-Token', 'agent-secret'],
        ['If-None-Match', '"x"'],
        ['If-Modified-Since', 'Tue, 01 Dec 2026 12:00:00 GMT'],
        ['Range', 'bytes=0-1'],
        ['Connection', 'keep-alive, X-Internal'],
        ['X-Internal', '1'],
        ['Transfer-Encoding', 'chunked'],
        ['TE', 'trailers'],
        ['Upgrade', 'h2c'],
        ['Forwarded', 'for=1.2.3.4'],
        ['X-Forwarded-For', '1.2.3.4'],
        ['Accept', 'text/html'],
        ['Accept-Encoding', 'zstd'],
        ['User-Agent', 'sdk/1'],
        ['X-Other', 'x'],
        ['X-Tenant', 'acme'],
      ],
    },
  );
  const [request, ...headers] = (sent ?? '').split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  t.equal(
    request,
    'GET /api/v4/projects/group%2Fproject/files/a%20b%5B...c%5D.js?page=2&draft=true&q=x%20y%2Bz HTTP/1.1',
  );
  const host = new URL(upstream.url).host;
  t.strictSame(
    headers.map((header) => header.toLowerCase()).sort(),
    [
      'accept-encoding: gzip, br',
      'accept: */*',
      'connection: keep-alive',
      `host: ${host}`,
      'private-token: credential',
      'user-agent: assay/0.0.0-test',
      'x-tenant: acme',
    ].sort(),
  );
});

t.test('path parameters', async (t) => {
  const { ask } = await setUp(t);
  for (const [target, code] of [
    ['/projects/group/files/x', 'CON_DECLARED_FAILURE'],
    ['/projects/group%2Fproject/files/x', 'CON_DECLARED_FAILURE'],
    ['/projects/group%2Fproject%2Fmore/files/x', 'REQ_PARAM_INVALID'],
    ['/projects/group%252Fproject/files/x', 'REQ_PARAM_INVALID'],
    ['/projects/group/files/a%2Fb', 'REQ_PARAM_INVALID'],
    // A slash that shows after the second decode only.
    ['/projects/group/files/a%252Fb', 'REQ_PARAM_INVALID'],
    ['/projects/group/files/100%25', 'CON_DECLARED_FAILURE'],
    ['/projects/group%2F../files/x', 'REQ_PATH_UNSAFE'],
    ['/projects/group/files/%2e%2e', 'REQ_PATH_UNSAFE'],
    ['/projects/group/files/%252e%252e', 'REQ_PATH_UNSAFE'],
    ['/projects/group/files/a%5Cb', 'REQ_PATH_UNSAFE'],
    ['/projects/group/files/a%0ab', 'REQ_PATH_UNSAFE'],
  ] as const) {
    const outcome = await ask(target);
    t.equal(outcome.code, code, target);
    t.equal(outcome.sent === undefined, code !== 'CON_DECLARED_FAILURE', 'a refused call never leaves');
  }
  t.equal((await ask('/projects/UPPER/files/x')).instance, '/params/id');
});

t.test('query', async (t) => {
  const { ask } = await setUp(t);
  const at = '/projects/group/files/x';
  for (const [query, wanted] of [
    ['', ''],
    ['?', ''],
    ['?&&', ''],
    ['?state=open', '?state=open'],
    ['?iids%5B%5D=3&iids[]=1', '?iids%5B%5D=3&iids%5B%5D=1'],
    ['?draft=false&page=10', '?page=10&draft=false'],
    ['?q=', '?q='],
    ['?q', '?q='],
    ['?q=%E2%82%AC%00', '?q=%E2%82%AC%00'],
  ] as const) {
    t.equal(line((await ask(at + query)).sent), `GET /api/v4${at}${wanted} HTTP/1.1`, query);
  }
  for (const [query, code, instance] of [
    ['?unknown=1', 'REQ_QUERY_UNKNOWN', '/query/unknown'],
    ['?Page=1', 'REQ_QUERY_UNKNOWN', '/query/Page'],
    ['?__proto__=1', 'REQ_QUERY_UNKNOWN', '/query/__proto__'],
    ['?constructor=1', 'REQ_QUERY_UNKNOWN', '/query/constructor'],
    ['?%ff=1', 'REQ_QUERY_UNKNOWN', undefined],
    ['?page=1&page=2', 'REQ_QUERY_INVALID', '/query/page'],
    ['?page=0', 'REQ_QUERY_INVALID', '/query/page'],
    ['?page=01', 'REQ_QUERY_INVALID', '/query/page'],
    ['?page=1.0', 'REQ_QUERY_INVALID', '/query/page'],
    ['?page=+1', 'REQ_QUERY_INVALID', '/query/page'],
    ['?page=', 'REQ_QUERY_INVALID', '/query/page'],
    ['?page=9007199254740993', 'REQ_QUERY_INVALID', '/query/page'],
    ['?state=merged', 'REQ_QUERY_INVALID', '/query/state'],
    ['?draft=1', 'REQ_QUERY_INVALID', '/query/draft'],
    ['?q=%ff', 'REQ_QUERY_INVALID', '/query/q'],
    [`?q=${'x'.repeat(41)}`, 'REQ_QUERY_INVALID', '/query/q'],
    ['?iids[]=1&iids[]=2&iids[]=3&iids[]=4', 'REQ_QUERY_INVALID', '/query/iids[]'],
    ['?iids[]=x', 'REQ_QUERY_INVALID', '/query/iids[]'],
  ] as const) {
    const outcome = await ask(at + query);
    t.strictSame([outcome.code, outcome.instance, outcome.sent], [code, instance, undefined], query);
  }
});

t.test('required query', async (t) => {
  const { ask } = await setUp(
    t,
    {},
    { ...PROJECT, request: { ...PROJECT.request, required_query: ['page'] } },
  );
  const outcome = await ask('/projects/group/files/x');
  t.strictSame([outcome.code, outcome.instance], ['REQ_QUERY_INVALID', '/query/page']);
});

t.test('headers', async (t) => {
  const required = { ...PROJECT, request: { ...PROJECT.request, required_headers: ['x-tenant'] } };
  const { ask } = await setUp(t, {}, required);
  const at = '/projects/group/files/x';
  const invalid = ['REQ_HEADER_INVALID', '/headers/x-tenant'];
  for (const headers of [
    [],
    [
      ['X-Tenant', 'acme'],
      ['x-tenant', 'acme'],
    ],
    [['X-Tenant', 'ACME']],
    [['X-Tenant', '']],
    [['X-Tenant', 'caf\u00e9']],
    // Meant for this hop only (RFC 9110 section 7.6.1), so it is as if it had not been sent.
    [
      ['Connection', 'close, X-TENANT'],
      ['X-Tenant', 'acme'],
    ],
  ] as [string, string][][]) {
    const outcome = await ask(at, { headers });
    t.strictSame([outcome.code, outcome.instance], invalid, JSON.stringify(headers));
  }
  t.match((await ask(at, { headers: [['X-TENANT', 'acme']] })).sent, /\r\nx-tenant: acme\r\n/i);
});

t.test('body', async (t) => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['n'],
    properties: { n: { type: 'number' }, s: { type: 'string', maxLength: 9 } },
  } as const;
  const write: ContractDefinition = {
    ...PROJECT,
    request: {
      params: PROJECT.request.params ?? {},
      body: { media_type: 'application/json', required: true, schema },
    },
  };
  const { ask } = await setUp(t, { method: 'POST' }, write);
  const at = '/projects/group/files/x';
  const post = (body: string | Uint8Array | null, type = 'application/json', ...more: [string, string][]) =>
    ask(at, {
      method: 'POST',
      body: body === null ? null : Buffer.from(body),
      headers: [['Content-Type', type], ...more],
    });

  const { sent } = await post(' { "n" : 1.50e1 ,\n "s":"\\u00e9" } ', 'Application/JSON; charset="UTF-8"');
  t.match(sent, /^POST \/api\/v4\/projects\/group\/files\/x HTTP\/1\.1\r\n/);
  t.equal(sent?.split('\r\n\r\n')[1], '{"n":1.50e1,"s":"\\u00e9"}', 'compact, lexemes kept');
  t.match(sent, /\r\ncontent-type: application\/json\r\n/i);
  t.match(sent, /\r\ncontent-length: 25\r\n/i);

  for (const [title, outcome, code, instance] of [
    ['missing', await post(''), 'REQ_BODY_SYNTAX', undefined],
    ['over the limit', await post(null), 'REQ_BODY_TOO_LARGE', undefined],
    ['over the route limit', await post(`{"n":1}${' '.repeat(65_536)}`), 'REQ_BODY_TOO_LARGE', undefined],
    ['not JSON', await post('n=1'), 'REQ_BODY_SYNTAX', ''],
    ['duplicate', await post('{"n":1,"n":2}'), 'REQ_BODY_SYNTAX', '/n'],
    ['unknown member', await post('{"n":1,"x":2}'), 'REQ_BODY_INVALID', '/x'],
    ['wrong type', await post('{"n":"1"}'), 'REQ_BODY_INVALID', '/n'],
    ['type', await post('{"n":1}', 'text/plain'), 'REQ_BODY_MEDIA_TYPE', undefined],
    ['suffix', await post('{"n":1}', 'application/x+json'), 'REQ_BODY_MEDIA_TYPE', undefined],
    ['charset', await post('{"n":1}', 'application/json; charset=latin1'), 'REQ_BODY_MEDIA_TYPE', undefined],
    [
      'two types',
      await post('{"n":1}', 'application/json', ['content-type', 'text/plain']),
      'REQ_BODY_MEDIA_TYPE',
      undefined,
    ],
    [
      'coding',
      await post('{"n":1}', 'application/json', ['Content-Encoding', 'gzip']),
      'REQ_BODY_MEDIA_TYPE',
      undefined,
    ],
  ] as const) {
    t.strictSame([outcome.code, outcome.instance, outcome.sent], [code, instance, undefined], title);
  }
});

t.test('a body that no contract declares does not leave', async (t) => {
  const { ask } = await setUp(t, { method: 'DELETE' });
  const body = Buffer.from('{}');
  t.strictSame(await ask('/projects/group/files/x', { method: 'DELETE', body }), {
    code: 'REQ_BODY_UNDECLARED',
    instance: undefined,
    sent: undefined,
  });
  t.match((await ask('/projects/group/files/x', { method: 'DELETE' })).sent, /^DELETE /);
});

t.test('numbered parameters, as Stripe sends them', async (t) => {
  const items = { type: 'string', pattern: '^[a-z.]{1,20}$' } as const;
  const { ask } = await setUp(
    t,
    {},
    {
      ...PROJECT,
      request: {
        params: PROJECT.request.params ?? {},
        query: {
          'expand[0]': { type: 'array', maxItems: 3, items },
          'created[gte]': { type: 'integer' },
          'flag[0]': items,
        },
      },
    },
  );
  const at = '/projects/group/files/x';
  for (const [query, wanted] of [
    ['?expand[0]=a', '?expand%5B0%5D=a'],
    ['?expand[0]=a&expand[1]=b.c&expand%5B2%5D=d', '?expand%5B0%5D=a&expand%5B1%5D=b.c&expand%5B2%5D=d'],
    ['?created[gte]=5&expand[0]=a&flag[0]=x', '?expand%5B0%5D=a&created%5Bgte%5D=5&flag%5B0%5D=x'],
  ] as const) {
    t.equal(line((await ask(at + query)).sent), `GET /api/v4${at}${wanted} HTTP/1.1`, query);
  }
  for (const [query, code, instance] of [
    ['?expand[1]=a', 'REQ_QUERY_INVALID', '/query/expand[0]'],
    ['?expand[0]=a&expand[2]=b', 'REQ_QUERY_INVALID', '/query/expand[0]'],
    ['?expand[1]=b&expand[0]=a', 'REQ_QUERY_INVALID', '/query/expand[0]'],
    ['?expand[0]=a&expand[0]=b', 'REQ_QUERY_INVALID', '/query/expand[0]'],
    ['?expand[0]=a&expand[1]=b&expand[2]=c&expand[3]=d', 'REQ_QUERY_INVALID', '/query/expand[0]'],
    ['?expand[0]=a&expand[01]=b', 'REQ_QUERY_UNKNOWN', '/query/expand[01]'],
    ['?expand[]=a', 'REQ_QUERY_UNKNOWN', '/query/expand[]'],
    ['?expand=a', 'REQ_QUERY_UNKNOWN', '/query/expand'],
    ['?flag[1]=a', 'REQ_QUERY_UNKNOWN', '/query/flag[1]'],
    ['?created[lt]=5', 'REQ_QUERY_UNKNOWN', '/query/created[lt]'],
  ] as const) {
    const outcome = await ask(at + query);
    t.strictSame([outcome.code, outcome.instance, outcome.sent], [code, instance, undefined], query);
  }
});
