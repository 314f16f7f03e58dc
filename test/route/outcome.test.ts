import t from 'tap';
import { AGENT_CODES, Fault } from '../../src/fault/index.js';
import { sha256Hex } from '../../src/record/index.js';
import { LateTlsFailure } from '../../src/upstream/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const GOOD: Step[] = [{ send: `${JSON_HEAD}Content-Length: 19\r\n\r\n{"id":1,"name":"a"}` }];
const status = (text: string): Step[] => [{ send: `HTTP/1.1 ${text}\r\nContent-Length: 0\r\n\r\n` }];

t.test('a write that left and got no valid answer may have happened', async (t) => {
  const cases: [string, Step[], string][] = [
    ['closed', [{ close: true }], 'OUTCOME_UNKNOWN'],
    ['late', [{ sleep_ms: 1_000 }], 'OUTCOME_UNKNOWN'],
    ['server error', status('500 Oops'), 'OUTCOME_UNKNOWN'],
    ['not JSON', [{ send: `${JSON_HEAD}Content-Length: 2\r\n\r\nok` }], 'OUTCOME_UNKNOWN'],
    ['drifted', [{ send: `${JSON_HEAD}Content-Length: 8\r\n\r\n{"id":1}` }], 'OUTCOME_UNKNOWN'],
    ['another', [{ send: `${JSON_HEAD}Content-Length: 19\r\n\r\n{"id":2,"name":"a"}` }], 'OUTCOME_UNKNOWN'],
    ['undeclared status', status('400 Bad Request'), 'OUTCOME_UNKNOWN'],
    ['denied', status('403 Forbidden'), 'DENIED'],
    ['rate limit', status('429 Too Many Requests'), 'RATE_LIMITED'],
    ['declared', status('404 Not Found'), 'NOT_FOUND'],
    ['declared unavailable', status('202 Accepted'), 'UPSTREAM_UNAVAILABLE'],
  ];
  for (const [title, steps, code] of cases) {
    const upstream = await playUpstream(() => steps);
    const run = harness([planOf({ origin: upstream.url, method: 'POST', limits: { firstByteMs: 200 } })]);
    const { record, answer } = await run.call('/things/1', { method: 'POST' });
    t.equal(record.agent_code, code, title);
    t.equal(answer.status, AGENT_CODES[code as keyof typeof AGENT_CODES].status, title);
    await run.close();
    await upstream.close();
  }
});

t.test('a write that never left is simply unavailable', async (t) => {
  const run = harness([planOf({ origin: 'http://127.0.0.1:9', method: 'POST' })]);
  t.teardown(() => run.close());
  const { record } = await run.call('/things/1', { method: 'POST' });
  t.strictSame([record.operator_code, record.agent_code], ['UPS_CONNECT', 'UPSTREAM_UNAVAILABLE']);
});

t.test('a TLS failure behind the handshake does not say that a write never left', async (t) => {
  for (const [fault, code] of [
    [new Fault('UPS_TLS'), 'UPSTREAM_UNAVAILABLE'],
    [new LateTlsFailure('UPS_TLS'), 'OUTCOME_UNKNOWN'],
  ] as const) {
    const plan = planOf({ origin: 'http://upstream.invalid', method: 'POST' });
    const run = harness([plan], { send: () => async () => fault });
    const { record } = await run.call('/things/1', { method: 'POST' });
    t.strictSame([record.operator_code, record.agent_code], ['UPS_TLS', code]);
    await run.close();
  }
});

t.test('retry: safe methods only, qualifying faults only, within the attempts', async (t) => {
  const on = new Set<'connect' | 'timeout' | number>(['connect', 'timeout', 503]);
  const retry = { attempts: 3, withinMs: 5_000, on };
  const cases: [string, 'GET' | 'POST', (n: number) => Step[], number, string | null][] = [
    ['first good', 'GET', () => GOOD, 1, null],
    ['then good', 'GET', (n) => (n === 0 ? status('503 Busy') : GOOD), 2, null],
    ['never good', 'GET', () => status('503 Busy'), 3, 'UPS_SERVER_ERROR'],
    ['other status', 'GET', () => status('500 Oops'), 1, 'UPS_SERVER_ERROR'],
    ['reset, then good', 'GET', (n) => (n === 0 ? [{ reset: true }] : GOOD), 2, null],
    [
      'invalid answers are not repeated',
      'GET',
      () => [{ send: `${JSON_HEAD}Content-Length: 2\r\n\r\nok` }],
      1,
      'PRS_SYNTAX',
    ],
    ['writes are not repeated', 'POST', () => status('503 Busy'), 1, 'UPS_SERVER_ERROR'],
  ];
  for (const [title, method, steps, attempts, code] of cases) {
    const upstream = await playUpstream((n) => steps(n));
    const run = harness([planOf({ origin: upstream.url, method, retry })]);
    const { record } = await run.call('/things/1', { method });
    t.equal(record.operator_code, code, title);
    t.equal(record.attempts.length, attempts, title);
    t.equal(upstream.requests.length, attempts, title);
    t.equal(record.attempts.at(-1)?.fault, code, title);
    await run.close();
    await upstream.close();
  }
});

t.test('one deadline over all attempts', async (t) => {
  const upstream = await playUpstream(() => [{ sleep_ms: 5_000 }]);
  const retry = { attempts: 10, withinMs: 60_000, on: new Set<'timeout'>(['timeout']) };
  const run = harness([planOf({ origin: upstream.url, retry, limits: { firstByteMs: 150, totalMs: 400 } })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const { record } = await run.call('/things/1');
  t.equal(record.operator_code, 'UPS_TOTAL_TIMEOUT');
  t.ok(record.attempts.length < 10, `${record.attempts.length} attempts`);
});

t.test('a write that was done and cannot be recorded may have happened', async (t) => {
  const upstream = await playUpstream(() => GOOD);
  const run = harness([
    planOf({ origin: upstream.url, method: 'POST' }),
    planOf({ origin: 'http://127.0.0.1:9', method: 'PUT' }),
  ]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  run.audit.writable = false;
  const done = await run.call('/things/1', { method: 'POST' });
  t.equal(upstream.requests.length, 1);
  t.strictSame([done.record.operator_code, done.record.agent_code], ['AUD_UNAVAILABLE', 'OUTCOME_UNKNOWN']);
  t.match(done.text, /"error":\{"code":"OUTCOME_UNKNOWN","retryable":false\}/);
  const never = await run.call('/things/1', { method: 'PUT' });
  t.strictSame([never.record.operator_code, never.record.agent_code], ['AUD_UNAVAILABLE', 'INTERNAL']);
});

t.test('a bug after a write has left is not told as if nothing had happened', async (t) => {
  const send = () => async () => {
    throw new Error('a bug');
  };
  for (const [method, agent] of [
    ['POST', 'OUTCOME_UNKNOWN'],
    ['GET', 'INTERNAL'],
  ] as const) {
    const run = harness([planOf({ origin: 'http://upstream.invalid', method })], { send });
    const { record } = await run.call('/things/1', { method });
    t.strictSame([record.operator_code, record.agent_code], ['INTERNAL', agent], method);
    t.equal(run.bugs.length, 1);
    await run.close();
  }
});

t.test('an answer refused by its head leaves its head to the operator', async (t) => {
  const upstream = await playUpstream(() => [
    { send: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\ndown' },
  ]);
  const run = harness([planOf({ origin: upstream.url })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const { record } = await run.call('/things/1');
  t.strictSame([record.operator_code, record.fault?.note], ['BYT_MEDIA_TYPE', 'text/html is not declared']);
  t.equal(record.quarantine, 'q1');
  t.strictSame(
    run.quarantined.map((item) => [item.status, item.headers[0], item.body.byteLength, item.code]),
    [[200, ['content-type', 'text/html'], 0, 'BYT_MEDIA_TYPE']],
  );
});

t.test('no answer without a record; a bug is told as INTERNAL and recorded', async (t) => {
  const upstream = await playUpstream(() => GOOD);
  const run = harness([planOf({ origin: upstream.url })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  t.equal((await run.call('/things/1')).answer.status, 200);
  run.audit.writable = false;
  const refused = await run.call('/things/1');
  t.equal(
    refused.text,
    '{"tool":"thing","request_id":"req.test00000002","outcome":"failure","error":{"code":"INTERNAL","retryable":false}}',
  );
  t.equal(refused.record.operator_code, 'AUD_UNAVAILABLE');
  run.audit.writable = true;
  t.equal((await run.call('/things/1')).answer.status, 200, 'recovers by itself');
  t.strictSame(
    run.audit.records.map((record) => record.request_id),
    ['req.test00000001', 'req.test00000003'],
  );
});

t.test('refused answers are quarantined, valid ones and declared failures are not', async (t) => {
  let steps: Step[] = GOOD;
  const upstream = await playUpstream(() => steps);
  const run = harness([planOf({ origin: upstream.url })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  t.equal((await run.call('/things/1')).record.quarantine, null);
  steps = status('404 Not Found');
  t.equal((await run.call('/things/1')).record.quarantine, null);
  steps = [{ send: `${JSON_HEAD}Content-Length: 11\r\n\r\n{"id":null}` }];
  t.equal((await run.call('/things/1')).record.quarantine, 'q1');
  const body = `{"id":1,"name":"${'x'.repeat(3_000)}"}`;
  steps = [{ send: `${JSON_HEAD}Content-Length: ${body.length}\r\n\r\n${body}` }];
  t.equal((await run.call('/things/1')).record.quarantine, 'q2');
  t.strictSame(
    run.quarantined.map((item) => [item.tool, item.status, item.code, item.body.byteLength, item.truncated]),
    [
      ['thing', 200, 'CON_NO_ALTERNATIVE', 11, false],
      ['thing', 200, 'CON_NO_ALTERNATIVE', 1_024, true],
    ],
  );
});

t.test("the agent's request id, only where the configuration allows it and it is well formed", async (t) => {
  const upstream = await playUpstream(() => GOOD);
  t.teardown(() => upstream.close());
  for (const [acceptRequestId, headers, wanted] of [
    [false, [['X-Request-Id', 'agent.id.0001']], 'req.test00000001'],
    [true, [['X-Request-Id', 'agent.id.0001']], 'agent.id.0001'],
    [true, [['X-Request-Id', 'short']], 'req.test00000001'],
    [true, [['X-Request-Id', 'bad id with spaces']], 'req.test00000001'],
    [
      true,
      [
        ['X-Request-Id', 'agent.id.0001'],
        ['x-request-id', 'agent.id.0002'],
      ],
      'req.test00000001',
    ],
    [true, [], 'req.test00000001'],
  ] as [boolean, [string, string][], string][]) {
    const run = harness([planOf({ origin: upstream.url })], { acceptRequestId });
    const { answer, record } = await run.call('/things/1', { headers });
    t.strictSame([record.request_id, answer.headers['x-request-id']], [wanted, wanted]);
    await run.close();
  }
});

t.test('a contract that answers without reading a body', async (t) => {
  const contract = {
    ...THING,
    responses: [{ status: 204, select: { id: 'request.params.id', name: 'request.id' } }],
  } as const;
  const upstream = await playUpstream(() => [{ send: 'HTTP/1.1 204 No Content\r\n\r\n' }]);
  const run = harness([planOf({ origin: upstream.url, contract, method: 'DELETE' })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const { text } = await run.call('/things/7', { method: 'DELETE' });
  t.match(text, /"data":\{"id":7,"name":"req\.test00000001"\}\}$/);
});

t.test('an answer that is refused but arrived whole leaves its connection as good as before', async (t) => {
  const bodies = [
    '{"id":1,"name":"a"}',
    '{"id":1,"id":1}',
    '{"id":2,"name":"a"}',
    '{"id":1,"name":7}',
    'nope',
  ];
  const upstream = await playUpstream((index) => {
    const body = bodies[index % bodies.length] ?? '';
    return [{ send: `${JSON_HEAD}Content-Length: ${body.length}\r\n\r\n${body}` }];
  });
  const run = harness([planOf({ origin: upstream.url, upstream: { connections: 1 } })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const codes: (string | null)[] = [];
  for (const _ of bodies) codes.push((await run.call('/things/1')).record.operator_code);
  t.strictSame(codes, [null, 'PRS_DUPLICATE_NAME', 'CHK_BIND', 'CON_NO_ALTERNATIVE', 'PRS_SYNTAX']);
  t.equal(upstream.connections, 1);
});

t.test(
  'an answer that is refused while it comes closes its connection, and no more of it is read',
  async (t) => {
    const body = `{"id":1,"id":1,"filler":"${'x'.repeat(1_000_000)}"}`;
    const upstream = await playUpstream(() => [
      { send: `${JSON_HEAD}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 100_000)}` },
      { sleep_ms: 2_000 },
    ]);
    const run = harness([planOf({ origin: upstream.url, upstream: { connections: 1 } })]);
    t.teardown(async () => {
      await run.close();
      await upstream.close();
    });
    for (let i = 0; i < 2; i++) {
      const { record } = await run.call('/things/1');
      t.equal(record.operator_code, 'PRS_DUPLICATE_NAME');
      t.ok((record.attempts[0]?.wire_bytes ?? 0) <= 100_000);
    }
    t.equal(upstream.connections, 2);
  },
);

t.test('digests are made for an audit file, and only then', async (t) => {
  const upstream = await playUpstream(() => GOOD);
  const kept = harness([planOf({ origin: upstream.url })]);
  const unkept = harness([planOf({ origin: upstream.url })], { audit: undefined });
  t.teardown(async () => {
    await kept.close();
    await unkept.close();
    await upstream.close();
  });
  const { record, text } = await kept.call('/things/1');
  t.equal(record.request_sha256, sha256Hex('GET /things/1\n'));
  t.equal(record.body_sha256, sha256Hex('{"id":1,"name":"a"}'));
  t.equal(record.answer?.sha256, sha256Hex(text));
  const other = (await unkept.call('/things/1')).record;
  t.strictSame([other.request_sha256, other.body_sha256, other.answer?.sha256], [null, null, null]);
});
