import { setImmediate as idle } from 'node:timers/promises';
import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { keyOf } from '../../src/route/idempotency-key.js';
import type { IncomingCall } from '../../src/route/index.js';
import type { RetryPolicy, RetryReason } from '../../src/upstream/index.js';
import { harness, type PlanOptions, planOf, THING } from '../support/harness.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const json = (body: string, head = JSON_HEAD): Step[] => [
  { send: `${head}Content-Length: ${body.length}\r\n\r\n${body}` },
];
const GOOD = json('{"id":1,"name":"a"}');
const status = (text: string, ...headers: string[]): Step[] => [
  { send: [`HTTP/1.1 ${text}`, ...headers, 'Content-Length: 0', '', ''].join('\r\n') },
];
const FAST = { baseMs: 1, capMs: 1 };

function retry(on: readonly RetryReason[], more: Partial<RetryPolicy> = {}): RetryPolicy {
  return { attempts: 3, withinMs: 5_000, on: new Set(on), backoff: FAST, ...more };
}

/** A route whose upstream answers the requests in turn, the last answer again and again. */
async function setUp(
  t: { teardown(done: () => Promise<void>): void },
  answers: readonly (readonly Step[])[],
  plan: Partial<PlanOptions> = {},
  deps = {},
) {
  const upstream = await playUpstream((n) => answers[Math.min(n, answers.length - 1)] ?? []);
  const run = harness([planOf({ origin: upstream.url, ...plan })], deps);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const method = plan.method ?? 'GET';
  return {
    upstream,
    run,
    async call(options: Partial<IncomingCall> = {}, target = '/things/1') {
      const { record, answer } = await run.call(target, { method, ...options });
      await idle();
      const faults = record.attempts.map(({ fault }) => fault ?? 'ok');
      return { code: record.operator_code, agent: record.agent_code, faults, record, answer };
    },
    /** The values of a header in the requests so far; '-' where it is not there. */
    sent: (name: string) =>
      upstream.requests.map(
        (raw) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(raw.toString('latin1'))?.[1] ?? '-',
      ),
  };
}

t.test('a connection that was closed while idle: once more, on a fresh one, without any retry', async (t) => {
  for (const end of [{ close: true }, { reset: true }] as const) {
    const { upstream, call } = await setUp(t, [GOOD, [end], GOOD]);
    t.strictSame((await call()).faults, ['ok']);
    const { faults, code } = await call();
    t.strictSame([faults, code], [['UPS_CLOSED', 'ok'], null]);
    t.strictSame([upstream.requests.length, upstream.connections], [3, 2]);
    t.strictSame(upstream.requests[1], upstream.requests[2], 'the same request, to the byte');
  }
});

t.test('fresh is fresh: not another idle connection', async (t) => {
  const upstream = await playUpstream((n) => {
    if (n < 3) return [{ sleep_ms: 50 }, ...GOOD];
    return n === 3 ? [{ reset: true }] : GOOD;
  });
  const run = harness([planOf({ origin: upstream.url })]);
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const body = new Uint8Array();
  const ask = () =>
    run.pipeline({ method: 'GET', target: '/things/1', headers: [], body, authenticated: true });
  await Promise.all([ask(), ask(), ask()]);
  await idle();
  t.equal(upstream.connections, 3);
  t.equal((await ask()).status, 200);
  t.equal(upstream.connections, 4, 'two idle ones were there');
  t.equal(upstream.requests.length, 5);
});

t.test('and never otherwise', async (t) => {
  const cases: [string, Partial<PlanOptions>, (readonly Step[])[], string[], number][] = [
    ['a first request', {}, [[{ close: true }], GOOD], ['UPS_CLOSED'], 1],
    ['the fresh one closes too', {}, [GOOD, [{ close: true }]], ['UPS_CLOSED', 'UPS_CLOSED'], 3],
    ['an answer had begun', {}, [GOOD, [{ send: 'H' }, { close: true }]], ['UPS_CLOSED'], 2],
    ['a write', { method: 'POST' }, [GOOD, [{ close: true }], GOOD], ['UPS_CLOSED'], 2],
    ['a read that is none', { readOnly: false }, [GOOD, [{ close: true }], GOOD], ['UPS_CLOSED'], 2],
  ];
  for (const [title, plan, answers, faults, requests] of cases) {
    const { upstream, call } = await setUp(t, answers, plan);
    const first = await call();
    const last = title === 'a first request' ? first : await call();
    t.strictSame(last.faults, faults, title);
    t.equal(upstream.requests.length, requests, title);
  }
  const { call } = await setUp(t, [GOOD, [{ close: true }], GOOD], { method: 'POST', readOnly: true });
  await call();
  t.strictSame((await call()).faults, ['UPS_CLOSED', 'ok'], 'a POST that changes nothing');
});

t.test('it does not count as an attempt of retry', async (t) => {
  const answers = [GOOD, [{ close: true } as const], status('503 Busy'), GOOD];
  const { call } = await setUp(t, answers, { retry: retry([503], { attempts: 2 }) });
  await call();
  t.strictSame((await call()).faults, ['UPS_CLOSED', 'UPS_SERVER_ERROR', 'ok']);
});

t.test('statuses that the contract declares are repeated as others are', async (t) => {
  const contract: ContractDefinition = {
    ...THING,
    responses: [
      ...THING.responses,
      { status: 429, failure: 'RATE_LIMITED' },
      { status: 503, failure: 'UPSTREAM_UNAVAILABLE' },
    ],
  };
  const answers = [status('503 Busy'), status('429 Slow down'), GOOD];
  const { call } = await setUp(t, answers, { contract, retry: retry([429, 503]) });
  t.strictSame((await call()).faults, ['CON_DECLARED_FAILURE', 'CON_DECLARED_FAILURE', 'ok']);
});

t.test('a failure that the contract declares as unavailable', async (t) => {
  for (const [on, faults] of [
    [['unavailable'], ['CON_DECLARED_FAILURE', 'ok']],
    [['connect', 'invalid_response', 503], ['CON_DECLARED_FAILURE']],
  ] as const) {
    const { call } = await setUp(t, [status('202 Accepted'), GOOD], { retry: retry(on) });
    t.strictSame((await call()).faults, faults, on.join());
  }
});

t.test('an invalid answer: once where the route says so, never more', async (t) => {
  const bad = json('{"id":1}');
  const worse = json('{"id":2,"name":"a"}');
  const on = ['invalid_response', 503] as const;
  const cases: [string, (readonly Step[])[], RetryPolicy, string[]][] = [
    ['not said', [bad, GOOD], retry(['connect', 503]), ['CON_NO_ALTERNATIVE']],
    ['then good', [bad, GOOD], retry(on), ['CON_NO_ALTERNATIVE', 'ok']],
    ['twice', [bad, worse, GOOD], retry(on, { attempts: 9 }), ['CON_NO_ALTERNATIVE', 'CHK_BIND']],
    [
      'with others between',
      [bad, status('503 Busy'), bad, GOOD],
      retry(on, { attempts: 9 }),
      ['CON_NO_ALTERNATIVE', 'UPS_SERVER_ERROR', 'CON_NO_ALTERNATIVE'],
    ],
    ['not JSON', [json('ok'), GOOD], retry(on), ['PRS_SYNTAX', 'ok']],
    [
      'another type',
      [json('<p>', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'), GOOD],
      retry(on),
      ['BYT_MEDIA_TYPE', 'ok'],
    ],
    ['within the attempts', [bad, GOOD], retry(on, { attempts: 1 }), ['CON_NO_ALTERNATIVE']],
  ];
  for (const [title, answers, policy, faults] of cases) {
    const { upstream, call } = await setUp(t, answers, { retry: policy });
    const outcome = await call();
    t.strictSame(outcome.faults, faults, title);
    t.equal(outcome.code, faults.at(-1) === 'ok' ? null : faults.at(-1), title);
    t.equal(upstream.requests.length, faults.length, title);
  }
});

t.test('an upstream that asks to wait is waited for, or not asked again', async (t) => {
  const soon = new Date(Date.now() - 1_000).toUTCString();
  const late = new Date(Date.now() + 3_600_000).toUTCString();
  for (const [head, attempts] of [
    ['503 Busy', 2],
    ['503 Busy\r\nRetry-After: 0', 2],
    [`503 Busy\r\nRetry-After: ${soon}`, 2],
    ['503 Busy\r\nRetry-After: soon', 2],
    ['503 Busy\r\nRetry-After: 5', 1],
    ['503 Busy\r\nRetry-After: 99999999999999999999999999', 1],
    [`503 Busy\r\nRetry-After: ${late}`, 1],
    ['429 Slow down\r\nRetry-After: 5', 1],
  ] as const) {
    const { call } = await setUp(t, [status(head), GOOD], { retry: retry([429, 503]) });
    const { faults, answer } = await call();
    t.equal(faults.length, attempts, head);
    t.equal(answer.headers['retry-after'], head.startsWith('429') ? '5' : undefined, head);
  }
});

t.test('what the agent is told to wait has a bound', async (t) => {
  const at = Date.UTC(2026, 0, 1);
  for (const [asked, retryAfterMs, told] of [
    ['7', 60_000, '7'],
    ['61', 60_000, '60'],
    ['99999999999999999999999999', 3_600_000, '3600'],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 60_000, '30'],
    ['Thu, 01 Jan 2026 01:00:00 GMT', 60_000, '60'],
    ['Wed, 31 Dec 2025 01:00:00 GMT', 60_000, '0'],
    ['-1', 60_000, undefined],
    ['1.5', 60_000, undefined],
    ['tomorrow', 60_000, undefined],
  ] as const) {
    const { call } = await setUp(
      t,
      [status('429 Slow down', `Retry-After: ${asked}`)],
      { limits: { retryAfterMs } },
      { now: () => at },
    );
    const { answer, agent } = await call();
    t.strictSame([agent, answer.headers['retry-after']], ['RATE_LIMITED', told], asked);
  }
});

t.test('a write with an idempotency key: the same key in every attempt, another in every call', async (t) => {
  const policy = retry(['connect', 503], { idempotencyKey: 'idempotency-key' });
  const answers = [status('503 Busy'), [{ reset: true } as const], GOOD];
  const { upstream, call, sent } = await setUp(t, answers, { method: 'POST', retry: policy });
  const first = await call();
  t.strictSame(first.faults, ['UPS_SERVER_ERROR', 'UPS_CLOSED', 'ok']);
  t.equal(new Set(upstream.requests.map(String)).size, 1, 'the same request, to the byte');
  const second = await call();
  const keys = [keyOf(first.record.request_id), keyOf(second.record.request_id)];
  t.strictSame(sent('idempotency-key'), [keys[0], keys[0], keys[0], keys[1]]);
  t.not(keys[0], keys[1]);
  for (const key of keys)
    t.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

t.test('which calls get a key', async (t) => {
  const policy = retry([503], { idempotencyKey: 'x-key' });
  const withHeader: ContractDefinition = {
    ...THING,
    request: { ...THING.request, headers: { 'x-key': { type: 'string', pattern: '^[a-z]{1,9}$' } } },
  };
  const own = { headers: [['X-Key', 'mine']] } as const;
  const cases: [string, Partial<PlanOptions>, Partial<IncomingCall>, string | RegExp][] = [
    ['a write', { method: 'POST', retry: policy }, {}, /^[0-9a-f-]{36}$/],
    ['a read', { retry: policy }, {}, '-'],
    ['a POST that changes nothing', { method: 'POST', readOnly: true, retry: policy }, {}, '-'],
    ['a GET that changes something', { readOnly: false, retry: policy }, {}, /^[0-9a-f-]{36}$/],
    ['none asked for', { method: 'POST', retry: retry([503]) }, {}, '-'],
    ["the agent's, not declared", { method: 'POST', retry: policy }, own, /^[0-9a-f-]{36}$/],
    ["the agent's, declared", { method: 'POST', retry: policy, contract: withHeader }, own, 'mine'],
    ['declared, not sent', { method: 'POST', retry: policy, contract: withHeader }, {}, /^[0-9a-f-]{36}$/],
  ];
  for (const [title, plan, call, key] of cases) {
    const route = await setUp(t, [GOOD], plan);
    await route.call(call);
    t.match(route.sent('x-key'), [key], title);
    t.equal(route.sent('x-key').length, 1);
  }
  // An id that the agent host chooses may come twice, for two calls.
  const accepting = await setUp(t, [GOOD], { method: 'POST', retry: policy }, { acceptRequestId: true });
  await accepting.call({ headers: [['X-Request-Id', 'agent.id.0001']] });
  await accepting.call({ headers: [['X-Request-Id', 'agent.id.0001']] });
  t.equal(new Set([...accepting.sent('x-key'), keyOf('agent.id.0001')]).size, 3);
});

t.test('a write without a key is sent once, whatever retry says', async (t) => {
  const policy = retry(['connect', 'timeout', 'unavailable', 'invalid_response', 429, 503]);
  for (const answer of [
    status('503 Busy'),
    status('429 Slow'),
    status('202 Later'),
    json('no'),
    [{ reset: true } as const],
  ]) {
    for (const plan of [{ method: 'POST' }, { method: 'DELETE' }, { readOnly: false }] as const) {
      const { upstream, call } = await setUp(t, [answer, GOOD], { ...plan, retry: policy });
      await call();
      t.equal(upstream.requests.length, 1);
    }
  }
});

t.test('a write that may have happened stays one, whatever a later attempt is told', async (t) => {
  const policy = retry(['connect', 'timeout', 'unavailable', 'invalid_response', 429, 503], {
    idempotencyKey: 'idempotency-key',
  });
  const busy = status('503 Busy');
  const cases: [string, (readonly Step[])[], string | null][] = [
    ['success after all', [busy, GOOD], null],
    ['no answer, then a declared no', [[{ close: true }], status('404 Not Found')], 'OUTCOME_UNKNOWN'],
    ['5xx, then denied', [busy, status('403 Forbidden')], 'OUTCOME_UNKNOWN'],
    ['5xx, then rate-limited', [busy, busy, status('429 Slow')], 'OUTCOME_UNKNOWN'],
    ['invalid, then rate-limited', [json('no'), status('429 Slow')], 'OUTCOME_UNKNOWN'],
    ['rate-limited all along', [status('429 Slow')], 'RATE_LIMITED'],
    ['rate-limited, then a declared no', [status('429 Slow'), status('404 Not Found')], 'NOT_FOUND'],
    ['rate-limited, then 5xx', [status('429 Slow'), busy], 'OUTCOME_UNKNOWN'],
    ['declared unavailable', [status('202 Later')], 'UPSTREAM_UNAVAILABLE'],
  ];
  for (const [title, answers, agent] of cases) {
    const { call } = await setUp(t, answers, { method: 'POST', retry: policy });
    t.equal((await call()).agent, agent, title);
  }
});

t.test('a write that did not leave in its last attempt is judged by those before', async (t) => {
  const policy = retry([429, 503], { idempotencyKey: 'idempotency-key', attempts: 2 });
  const breaker = { failures: 1, openMs: 60_000 };
  const { upstream, call } = await setUp(t, [status('503 Busy')], {
    method: 'POST',
    retry: policy,
    upstream: { breaker },
  });
  const first = await call();
  t.strictSame([first.code, first.agent], ['UPS_CIRCUIT_OPEN', 'OUTCOME_UNKNOWN']);
  const second = await call();
  t.strictSame([second.code, second.agent], ['UPS_CIRCUIT_OPEN', 'UPSTREAM_UNAVAILABLE']);
  t.strictSame(second.faults, [], 'nothing was sent');
  t.equal(second.answer.headers['retry-after'], '60');
  t.equal(upstream.requests.length, 1);
});

t.test('a pause that outlasts the deadline leaves nothing of the attempt before it', async (t) => {
  const slow = { baseMs: 60_000, capMs: 60_000 };
  const { call } = await setUp(t, [status('429 Slow'), GOOD], {
    method: 'POST',
    limits: { totalMs: 300 },
    retry: retry([429], { idempotencyKey: 'k', withinMs: 1e9, backoff: slow }),
  });
  const { code, agent, record } = await call();
  t.strictSame([code, agent], ['UPS_TOTAL_TIMEOUT', 'UPSTREAM_UNAVAILABLE']);
  t.strictSame([record.body_sha256, record.alternative, record.quarantine], [null, null, null]);
});
