import fc from 'fast-check';
import t from 'tap';
import type { ContractDefinition, JsonSchema } from '../../src/contract/index.js';
import { DEFAULT_SCAN_LIMITS, type ScanLimits } from '../../src/json/index.js';
import type { IncomingCall } from '../../src/route/index.js';
import { formText } from '../../src/tooling/form-text.js';
import { harness, planOf, TEST_LIMITS, THING } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
const TYPE = 'application/x-www-form-urlencoded';

const closed = (properties: Record<string, unknown>, required: string[] = []): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const text = (maxLength = 40) => ({ type: 'string', maxLength });

/** Of the kind that Stripe and Slack take. */
const CHARGE = closed(
  {
    amount: { type: 'integer', minimum: 1 },
    rate: { type: 'number' },
    capture: { type: 'boolean' },
    text: text(),
    expand: { type: 'array', maxItems: 3, items: text() },
    ids: { type: 'array', items: { type: 'integer' } },
    metadata: {
      type: 'object',
      maxProperties: 3,
      propertyNames: { pattern: '^[a-z_]{1,20}$' },
      additionalProperties: text(),
    },
    items: {
      type: 'array',
      items: closed({ price: text(), tiers: { type: 'array', items: { type: 'integer' } } }, ['price']),
    },
    shipping: closed({ address: closed({ city: text(), line1: text() }) }),
  },
  ['amount'],
);

type Arrays = 'indices' | 'brackets' | 'repeat';

async function setUp(
  t: { teardown(done: () => Promise<void>): void },
  schema: JsonSchema = CHARGE,
  arrays?: Arrays,
  scan: Partial<ScanLimits> = {},
) {
  const contract: ContractDefinition = {
    tool: 'charge',
    version: '1.0.0',
    purpose: 'A form.',
    request: {
      body: { media_type: TYPE, required: true, schema, ...(arrays === undefined ? {} : { arrays }) },
    },
    responses: [{ status: 404, failure: 'NOT_FOUND' }],
  };
  const upstream = await playUpstream(() => [{ send: NOT_FOUND }]);
  const limits = { scan: { ...DEFAULT_SCAN_LIMITS, ...scan }, requestBytes: TEST_LIMITS.requestBytes };
  const run = harness([
    planOf({ origin: upstream.url, contract, method: 'POST', path: '/charges', readOnly: true, limits }),
  ]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  return {
    async post(body: string | Uint8Array, headers: IncomingCall['headers'] = [['Content-Type', TYPE]]) {
      const before = upstream.requests.length;
      const { record } = await run.call('/charges', {
        method: 'POST',
        body: Buffer.from(body),
        headers,
      });
      const sent = upstream.requests[before]?.toString('latin1');
      const { operator_code: code, fault } = record;
      return { code, sent, fault, bytes: sent?.split('\r\n\r\n')[1], at: fault?.instance };
    },
  };
}

t.test('what leaves is built anew, to the byte', async (t) => {
  const { post } = await setUp(t);
  for (const [body, wanted] of [
    ['amount=1', 'amount=1'],
    ['amount=1&rate=1.50e1&capture=false', 'amount=1&rate=1.50e1&capture=false'],
    ['text=a+b%20c&amount=1', 'text=a%20b%20c&amount=1'],
    ['text=%e2%82%ac%00%0a%26%3D&amount=1', 'text=%E2%82%AC%00%0A%26%3D&amount=1'],
    ['text=a=b==&amount=1', 'text=a%3Db%3D%3D&amount=1'],
    ['text=&amount=1', 'text=&amount=1'],
    ['%61mount=1', 'amount=1'],
    ['amount=1&expand[0]=a&expand[1]=b', 'amount=1&expand%5B0%5D=a&expand%5B1%5D=b'],
    ['amount=1&expand%5B%5D=a&expand[]=b', 'amount=1&expand%5B%5D=a&expand%5B%5D=b'],
    ['expand=a&amount=1&expand=b', 'expand=a&amount=1&expand=b'],
    [
      'amount=1&metadata[order_id]=6735&metadata[x]=',
      'amount=1&metadata%5Border_id%5D=6735&metadata%5Bx%5D=',
    ],
    [
      'amount=1&items[0][price]=p&items[0][tiers][]=1&items[0][tiers][]=2&items[1][price]=q',
      'amount=1&items%5B0%5D%5Bprice%5D=p&items%5B0%5D%5Btiers%5D%5B%5D=1&items%5B0%5D%5Btiers%5D%5B%5D=2&items%5B1%5D%5Bprice%5D=q',
    ],
    ['shipping[address][city]=x&amount=1', 'shipping%5Baddress%5D%5Bcity%5D=x&amount=1'],
  ] as const) {
    const { code, bytes, sent } = await post(body);
    t.strictSame([code, bytes], ['CON_DECLARED_FAILURE', wanted], body);
    t.match(sent, /\r\ncontent-type: application\/x-www-form-urlencoded\r\n/i);
  }
});

t.test('what is no form is refused, and never leaves', async (t) => {
  const { post } = await setUp(t);
  for (const [body, offset] of [
    ['amount=1&', 9],
    ['&amount=1', 0],
    ['amount=1&&text=a', 9],
    ['amount', 0],
    ['amount=1&text', 9],
    ['=1', 0],
    ['amount=1&text=%zz', 9],
    ['amount=1&text=%ff', 9],
    ['amount=1&text=%ed%a0%80', 9],
    ['amount=1&%=a', 9],
    ['amount=1&text=a b', 15],
    ['amount=1\n', 8],
    ['amount=1&text=\u00e9', 14],
    ['amount=1&[a]=1', 9],
    ['amount=1&metadata[a=1', 9],
    ['amount=1&metadata]a[=1', 9],
    ['amount=1&metadata[[a]]=1', 9],
    ['amount=1&metadata[a]b=1', 9],
    ['amount=1&metadata%5Ba%5Bb%5D%5D=1', 9],
    ['{"amount":1}', 0],
  ] as const) {
    const { code, sent, fault } = await post(body);
    t.strictSame([code, fault?.offset, sent], ['REQ_BODY_SYNTAX', offset, undefined], body);
  }
});

t.test('what the schema does not say is refused', async (t) => {
  const { post } = await setUp(t);
  for (const [body, at] of [
    ['amount=1&other=1', '/other'],
    ['amount=1&Text=1', '/Text'],
    ['amount=1&amount=2', '/amount'],
    ['amount=0', '/amount'],
    ['amount=01', '/amount'],
    ['amount=1.0', '/amount'],
    ['amount=9007199254740993', '/amount'],
    ['amount=', '/amount'],
    ['amount=1&capture=1', '/capture'],
    ['amount=1&capture=True', '/capture'],
    ['amount=1&text[a]=1', '/text'],
    ['amount=1&text[]=1', '/text'],
    ['amount=1&metadata=', '/metadata'],
    ['amount=1&metadata[]=a', '/metadata/'],
    ['amount=1&metadata[a]=1&metadata[a]=2', '/metadata/a'],
    ['amount=1&metadata[A]=1', '/metadata/A'],
    ['amount=1&metadata[__proto__]=1', '/metadata/__proto__'],
    ['amount=1&metadata[constructor]=1', '/metadata/constructor'],
    ['amount=1&metadata[a][b]=1', '/metadata/a'],
    ['amount=1&__proto__[x]=1', '/__proto__'],
    ['amount=1&constructor[prototype][x]=1', '/constructor'],
    ['amount=1&shipping[address][zip]=1', '/shipping/address/zip'],
    ['amount=1&shipping[address]=1', '/shipping/address'],
    ['amount=1&expand[1]=a', '/expand'],
    ['amount=1&expand[0]=a&expand[2]=b', '/expand'],
    ['amount=1&expand[0]=a&expand[0]=b', '/expand/0'],
    ['amount=1&expand[00]=a', '/expand'],
    ['amount=1&expand[-1]=a', '/expand'],
    ['amount=1&expand[4294967295]=a', '/expand'],
    ['amount=1&expand[length]=9', '/expand'],
    ['amount=1&expand[]=a&expand[1]=b', '/expand/1'],
    ['amount=1&expand[0]=a&expand=b', '/expand/1'],
    ['amount=1&expand=a&expand[]=b', '/expand/1'],
    ['amount=1&expand[0][x]=a', '/expand/0'],
    ['amount=1&expand=a&expand=b&expand=c&expand=d', '/expand'],
    ['amount=1&ids=1&ids=x', '/ids/1'],
    ['amount=1&items=1', '/items/0'],
    ['amount=1&items[][price]=p', '/items'],
    ['amount=1&items[0][price]=p&items[2][price]=q', '/items'],
    ['amount=1&items[0][price]=p&items[1][price]=q&items[0][tiers]=1', '/items'],
    ['amount=1&items[0][tiers]=1', '/items/0/price'],
    ['text=a', '/amount'],
  ] as const) {
    const { code, sent, at: instance } = await post(body);
    t.strictSame([code, instance, sent], ['REQ_BODY_INVALID', at, undefined], body);
  }
});

t.test('types, charsets and codings', async (t) => {
  const { post } = await setUp(t);
  const body = 'amount=1';
  for (const [type, code] of [
    [TYPE, 'CON_DECLARED_FAILURE'],
    ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', 'CON_DECLARED_FAILURE'],
    [`${TYPE}; charset=iso-8859-1`, 'REQ_BODY_MEDIA_TYPE'],
    ['application/json', 'REQ_BODY_MEDIA_TYPE'],
    ['multipart/form-data; boundary=x', 'REQ_BODY_MEDIA_TYPE'],
    ['text/plain', 'REQ_BODY_MEDIA_TYPE'],
  ] as const) {
    t.equal((await post(body, [['Content-Type', type]])).code, code, type);
  }
  t.equal((await post(body, [])).code, 'REQ_BODY_MEDIA_TYPE');
  const coded: [string, string][] = [
    ['Content-Type', TYPE],
    ['Content-Encoding', 'gzip'],
  ];
  t.equal((await post(body, coded)).code, 'REQ_BODY_MEDIA_TYPE');
  t.strictSame(
    [(await post('')).code, (await post('a'.repeat(TEST_LIMITS.requestBytes + 1))).code],
    ['REQ_BODY_SYNTAX', 'REQ_BODY_TOO_LARGE'],
  );
});

t.test('arrays: how lists leave, however they came', async (t) => {
  const schema = closed({ a: { type: 'array', items: text() } });
  for (const [arrays, wanted] of [
    ['indices', 'a%5B0%5D=x&a%5B1%5D=y'],
    ['brackets', 'a%5B%5D=x&a%5B%5D=y'],
    ['repeat', 'a=x&a=y'],
  ] as const) {
    const { post } = await setUp(t, schema, arrays);
    for (const body of ['a[0]=x&a[1]=y', 'a[]=x&a[]=y', 'a=x&a=y']) {
      t.equal((await post(body)).bytes, wanted, `${body} as ${arrays}`);
    }
  }
});

t.test('the limits of a document hold', async (t) => {
  const tree: JsonSchema = {
    type: 'object',
    additionalProperties: { $ref: '#' },
    properties: { v: text(), n: { type: 'integer' }, l: { type: 'array', items: text() } },
  };
  const scan = { depth: 3, members: 2, items: 2, tokens: 9, nameBytes: 4, stringBytes: 5, numberBytes: 3 };
  const { post } = await setUp(t, tree, undefined, scan);
  for (const [body, note] of [
    ['a[b][v]=1', undefined],
    ['a[b][c][v]=1', 'PRS_DEPTH'],
    [`a${'[b]'.repeat(20_000)}=1`, 'PRS_DEPTH'],
    ['v=1&n=1', undefined],
    ['v=1&n=1&l=1', 'PRS_MEMBERS'],
    ['l=1&l=2', undefined],
    ['l=1&l=2&l=3', 'PRS_ITEMS'],
    ['v=12345', undefined],
    ['v=123456', 'PRS_STRING_LENGTH'],
    ['v=%E2%82%AC%E2%82%AC', 'PRS_STRING_LENGTH'],
    ['n=123', undefined],
    ['n=1234', 'PRS_NUMBER_LENGTH'],
    ['aaaa[v]=1', undefined],
    ['aaaaa[v]=1', 'PRS_NAME_LENGTH'],
    ['a[v]=1&a[n]=1&b[v]=1', 'PRS_TOKENS'],
  ] as const) {
    const { code, fault } = await post(body);
    t.strictSame(
      [code, fault?.note],
      note === undefined ? ['CON_DECLARED_FAILURE', undefined] : ['REQ_BODY_SYNTAX', note],
      body.slice(0, 40),
    );
  }
});

t.test('what is read is what was meant, and what leaves means the same', async (t) => {
  const { post } = await setUp(t);
  const word = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 10 });
  const value = fc.record(
    {
      amount: fc.integer({ min: 1, max: 1e9 }),
      capture: fc.boolean(),
      text: word,
      expand: fc.array(word, { minLength: 1, maxLength: 3 }),
      metadata: fc.dictionary(fc.constantFrom('a', 'b', 'c_d'), word, { minKeys: 1 }),
      items: fc.array(fc.record({ price: word, tiers: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { requiredKeys: ['amount'] },
  );
  await fc.assert(
    fc.asyncProperty(value, async (made) => {
      const { code, bytes } = await post(formText(made));
      t.strictSame([code, bytes], ['CON_DECLARED_FAILURE', formText(made)]);
    }),
    { seed: 7, numRuns: 200 },
  );
});

t.test('any bytes: refused or rebuilt, and rebuilt once is rebuilt for good', async (t) => {
  const { post } = await setUp(t);
  const piece = fc.constantFrom(
    'amount',
    'metadata',
    'expand',
    'items',
    '[',
    ']',
    '0',
    '[0]',
    '[]',
    '=',
    '&',
    '%5B',
    '%5D',
    '%',
    '+',
    'a',
    '1',
    '__proto__',
    '[price]',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const { code, bytes } = await post(`amount=1&${pieces.join('')}`);
      if (code === 'CON_DECLARED_FAILURE') t.equal((await post(bytes ?? '')).bytes, bytes);
      else t.match(code, /^REQ_BODY_(?:SYNTAX|INVALID)$/);
    }),
    { seed: 8, numRuns: 300 },
  );
});

t.test('the values that selections and checks see', async (t) => {
  const upstream = await playUpstream(() => [
    {
      send: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"id":1,"name":"a"}',
    },
  ]);
  const contract: ContractDefinition = {
    ...THING,
    request: { ...THING.request, body: { media_type: TYPE, required: true, schema: CHARGE } },
    responses: [
      {
        status: 200,
        schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        select: { id: 'request.body/amount', name: 'request.body/items/0/price' },
        checks: [{ id: 'same', bind: '/id', equals: '{request.body/items/0/tiers/1}' }],
      },
    ],
  };
  const run = harness([planOf({ origin: upstream.url, contract, method: 'POST' })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const ask = async (body: string) => {
    const headers: [string, string][] = [['Content-Type', TYPE]];
    return run.call('/things/1', { method: 'POST', body: Buffer.from(body), headers });
  };
  const { text: good } = await ask('amount=12&items[0][price]=p&items[0][tiers][]=7&items[0][tiers][]=1');
  t.match(good, /"data":\{"id":12,"name":"p"\}/);
  const { record } = await ask('amount=12&items[0][price]=p&items[0][tiers][]=1&items[0][tiers][]=7');
  t.equal(record.operator_code, 'CHK_BIND');
});
