import fc from 'fast-check';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import type { Answer } from '../../src/upstream/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { memoryAnswer } from '../support/memory-answer.js';

// Nothing of one attempt reaches the next: a call whose first attempts failed ends exactly as one that consisted of the
// last attempt alone.

const SECRET = 'LEAKED_FROM_AN_EARLIER_ATTEMPT';

interface Sent {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
}

const contract = {
  ...THING,
  responses: [
    ...THING.responses,
    { status: 409, failure: 'CONFLICT' as const },
    { status: 429, failure: 'RATE_LIMITED' as const },
    {
      status: 503,
      schema: { type: 'object', properties: { id: { type: 'integer' } } },
      failure: 'UPSTREAM_UNAVAILABLE' as const,
    },
  ],
};

const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/html');
const retryAfter = fc.constantFrom([], [['retry-after', '0'] as [string, string]]);
const bodies = (marked: string) =>
  fc.constantFrom(
    '{"id":1,"name":"a"}',
    `{"id":1,"name":"${marked}","more":[1,2,{"${marked}":"${marked}"}]}`,
    `{"id":2,"name":"${marked}"}`,
    `{"id":1,"${marked}":1}`,
    `{"id":1,"name":"${marked}`,
    `{"id":1,"name":"${marked}\u0000"}`,
    `<p>${marked}</p>`,
    '',
  );

function answer(statuses: number[], marked: string): fc.Arbitrary<Sent> {
  return fc.record({
    status: fc.constantFrom(...statuses),
    headers: fc
      .tuple(type, retryAfter)
      .map(([one, more]): [string, string][] => [['content-type', one], ['x-marked', marked], ...more]),
    body: bodies(marked),
  });
}

/** Answers after which another attempt follows, whatever their body is. */
const failed = fc.oneof(
  answer([429, 500, 502, 503], SECRET),
  fc.constantFrom('UPS_CLOSED' as const, 'UPS_CONNECT' as const, 'UPS_FIRST_BYTE_TIMEOUT' as const),
);
const last = fc.oneof(
  { weight: 3, arbitrary: answer([200], 'fine') },
  answer([200, 202, 204, 401, 404, 409, 418], 'fine'),
  fc.constantFrom('UPS_TLS' as const, 'UPS_TOTAL_TIMEOUT' as const),
);

type End = Sent | 'UPS_CLOSED' | 'UPS_CONNECT' | 'UPS_FIRST_BYTE_TIMEOUT' | 'UPS_TLS' | 'UPS_TOTAL_TIMEOUT';

function answerOf(end: End): Answer | Fault {
  if (typeof end === 'string') return new Fault(end);
  const headers: [string, string][] = [...end.headers, ['content-length', String(end.body.length)]];
  return memoryAnswer(end.status, headers, end.body === '' ? [] : [Buffer.from(end.body)]);
}

/** What the nth request gets: the last one is repeated for all that come after it. */
function nth(ends: readonly End[], made: number): End {
  return ends[Math.min(made, ends.length) - 1] as End;
}

/** All that a call leaves behind, but for its times and the list of its attempts. */
async function outcomeOf(ends: readonly End[], method: 'GET' | 'POST', most = 10) {
  let sent = 0;
  const requests: unknown[] = [];
  const run = harness(
    [
      planOf({
        origin: 'http://upstream.invalid',
        contract,
        method,
        retry: {
          attempts: most,
          withinMs: 60_000,
          on: new Set(['connect', 'timeout', 'invalid_response', 429, 500, 502, 503] as const),
          backoff: { baseMs: 1, capMs: 1 },
          idempotencyKey: 'idempotency-key',
        },
      }),
    ],
    {
      now: () => Date.UTC(2026, 0, 1),
      send: () => async (request) => {
        requests.push([request.method, request.target, [...request.headers], request.body]);
        return answerOf(nth(ends, ++sent));
      },
    },
  );
  const { answer, record } = await run.call('/things/1', { method });
  const { attempts, stages_us, time, ...rest } = record;
  return {
    answer,
    record: rest,
    attempts: attempts.map(({ ms, ...attempt }) => attempt),
    quarantined: run.quarantined.map(({ time: _, ...item }) => item),
    requests,
  };
}

t.test('a read ends as its last attempt alone', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(failed, { minLength: 1, maxLength: 4 }), last, async (before, end) => {
      const all = await outcomeOf([...before, end], 'GET');
      const made = all.attempts.length;
      const alone = await outcomeOf([nth([...before, end], made)], 'GET', 1);
      const final = alone.attempts.at(0);
      t.strictSame(all.attempts.at(-1), final);
      t.strictSame(all.answer, alone.answer);
      t.strictSame(all.record, alone.record);
      t.strictSame(all.quarantined, alone.quarantined);
      t.strictSame(new Set(all.requests.map((one) => JSON.stringify(one))).size, 1, 'one request, again');
      if (made > before.length) t.notOk(JSON.stringify(all).includes(SECRET));
    }),
    { seed: 20_260_101, numRuns: 150 },
  );
});

t.test('a write that succeeds in the end does so as if it had at once; else nobody knows', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(failed, { minLength: 1, maxLength: 4 }), last, async (before, end) => {
      const all = await outcomeOf([...before, end], 'POST');
      const made = all.attempts.length;
      const alone = await outcomeOf([nth([...before, end], made)], 'POST', 1);
      if (alone.record.outcome === 'success') {
        t.strictSame(all.answer, alone.answer);
        t.strictSame(all.record, alone.record);
        return;
      }
      t.equal(all.record.operator_code, alone.record.operator_code);
      const open = all.attempts.some(
        ({ fault, status }) =>
          fault !== null &&
          !['CON_DECLARED_FAILURE', 'UPS_CONNECT', 'UPS_TLS', 'UPS_DENIED'].includes(fault) &&
          (status !== 429 || fault !== 'UPS_RATE_LIMITED'),
      );
      t.equal(all.record.agent_code, open ? 'OUTCOME_UNKNOWN' : alone.record.agent_code);
    }),
    { seed: 20_260_102, numRuns: 150 },
  );
});
