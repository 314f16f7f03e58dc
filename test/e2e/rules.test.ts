import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';

type Teardown = Pick<typeof t, 'teardown' | 'equal'>;

/** Rules and failure cases from socket to socket. */
const CONTRACT: ContractDefinition = {
  ...THING,
  responses: [
    {
      status: 200,
      schema: {
        type: 'object',
        required: ['ok', 'id', 'name', 'lines', 'total'],
        properties: {
          ok: { const: true },
          id: { type: 'integer', minimum: 1 },
          name: { type: 'string', minLength: 1, maxLength: 64 },
          seen_at: { type: ['string', 'null'], format: 'date-time' },
          total: { type: 'integer' },
          lines: {
            type: 'array',
            maxItems: 10,
            items: {
              type: 'object',
              required: ['from', 'to', 'cents'],
              properties: { from: { type: 'integer' }, to: { type: 'integer' }, cents: { type: 'integer' } },
            },
          },
        },
      },
      select: { id: '/id', name: '/name' },
      checks: [
        { id: 'same', rule: 'id == request.params.id', reads: { id: '/id' } },
        { id: 'seen', rule: 'seen.orValue(now) <= now', reads: { seen: '/seen_at' } },
        {
          id: 'adds_up',
          rule: 'sum(cents) == total',
          reads: { cents: { each: '/lines', item: '/cents' }, total: '/total' },
        },
        { id: 'spans', each: '/lines', rule: '100 / (to - from) > 0', reads: { from: '/from', to: '/to' } },
        { id: 'tag', rule: 'tag.orValue("v1").startsWith("v")', reads: { tag: 'header:x-tag' } },
      ],
    },
    {
      status: 200,
      schema: {
        type: 'object',
        required: ['ok', 'why'],
        properties: {
          ok: { const: false },
          why: { type: 'string', maxLength: 40 },
          retry: { type: 'boolean' },
        },
      },
      failure: {
        reads: { why: '/why', retry: '/retry' },
        cases: [
          { when: 'why == "gone"', code: 'NOT_FOUND' },
          { when: 'retry.orValue(false)', code: 'RATE_LIMITED' },
        ],
      },
    },
  ],
};

const GOOD = {
  ok: true,
  id: 1,
  name: 'a',
  total: 12,
  lines: [
    { from: 1, to: 3, cents: 5, note: 'kept from nobody' },
    { from: 3, to: 4, cents: 7 },
  ],
};

async function call(t: Teardown, body: unknown, head: readonly string[] = []) {
  const text = JSON.stringify(body);
  const lines = [
    'HTTP/1.1 200 OK',
    'Content-Type: application/json',
    ...head,
    `Content-Length: ${text.length}`,
  ];
  const upstream = await playUpstream([{ send: `${lines.join('\r\n')}\r\n\r\n${text}` }, { close: true }]);
  const run = harness([planOf({ origin: upstream.url, contract: CONTRACT })]);
  t.teardown(async () => {
    await upstream.close();
    await run.close();
  });
  const outcome = await run.call('/things/1');
  t.equal(run.bugs.length, 0);
  return outcome;
}

t.test('an answer of which every rule is true', async (t) => {
  const { answer, text } = await call(t, GOOD);
  t.equal(answer.outcome, 'success');
  t.match(text, '"data":{"id":1,"name":"a"}');
  const dated = await call(t, { ...GOOD, seen_at: '2020-01-01T00:00:00Z' }, ['X-Tag: v2']);
  t.equal(dated.answer.outcome, 'success');
});

t.test('one that is not true, or cannot be decided, refuses with the name of the rule', async (t) => {
  const cases: [change: object, code: string, rule: string, head?: string[]][] = [
    [{ id: 2 }, 'CHK_RULE', 'same'],
    [{ seen_at: '2999-01-01T00:00:00Z' }, 'CHK_RULE', 'seen'],
    [{ total: 13 }, 'CHK_RULE', 'adds_up'],
    [{ lines: [], total: 1 }, 'CHK_RULE', 'adds_up'],
    [{ lines: [{ from: 3, to: 2, cents: 12 }] }, 'CHK_RULE', 'spans'],
    [{ lines: [{ from: 3, to: 3, cents: 12 }] }, 'CHK_RULE_UNDECIDED', 'spans'],
    [{}, 'CHK_RULE', 'tag', ['X-Tag: w']],
  ];
  for (const [change, code, rule, head] of cases) {
    const { answer, text, record } = await call(t, { ...GOOD, ...change }, head);
    t.equal(answer.outcome, 'INVALID_RESPONSE', rule);
    t.match(text, '"error":{"code":"INVALID_RESPONSE","retryable":false}');
    t.match(record, { operator_code: code, stage: 'checks' }, rule);
    t.match(JSON.stringify(record), `"${rule}"`);
  }
});

t.test('failure cases', async (t) => {
  const outcome = async (body: object) => (await call(t, body)).record.operator_code;
  t.equal((await call(t, { ok: false, why: 'gone' })).answer.outcome, 'NOT_FOUND');
  t.equal((await call(t, { ok: false, why: 'busy', retry: true })).answer.outcome, 'RATE_LIMITED');
  t.equal(await outcome({ ok: false, why: 'busy' }), 'CON_UNMAPPED_FAILURE');
  t.equal(await outcome({ ok: false, why: 'busy', retry: false }), 'CON_UNMAPPED_FAILURE');
  t.equal(await outcome({ ok: 'false', why: 'gone' }), 'CON_NO_ALTERNATIVE');
});
