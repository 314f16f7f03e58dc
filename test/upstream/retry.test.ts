import t from 'tap';
import { Fault, OPERATOR_CODES, type OperatorCode, operatorCode } from '../../src/fault/index.js';
import {
  backoffMs,
  DEFAULT_BACKOFF,
  type FailedAttempt,
  pauseBeforeRetry,
  type RetryPolicy,
  type RetryReason,
} from '../../src/upstream/index.js';

const policy = (changes: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: 3,
  withinMs: 1_000,
  on: new Set(['connect', 'timeout', 503] as const),
  ...changes,
});
const codes = Object.keys(OPERATOR_CODES) as OperatorCode[];

/** The pause after a first attempt that failed, at the lowest of its random range. */
function pause(
  fault: Fault,
  attempt: Partial<FailedAttempt> = {},
  changes: Partial<RetryPolicy> = {},
  random = 0,
) {
  return pauseBeforeRetry(
    policy(changes),
    { fault, status: null, made: 1, elapsedMs: 0, ...attempt },
    random,
  );
}

t.test('which faults', async (t) => {
  const repeated = (...on: RetryReason[]) =>
    codes.filter((code) => pause(new Fault(code), {}, { on: new Set(on) }) !== undefined);
  t.strictSame(repeated(), []);
  t.strictSame(repeated('connect'), ['UPS_DNS', 'UPS_CONNECT', 'UPS_CONNECT_TIMEOUT', 'UPS_CLOSED']);
  t.strictSame(repeated('timeout'), ['UPS_CONNECT_TIMEOUT', 'UPS_FIRST_BYTE_TIMEOUT']);
  t.strictSame(repeated(503), []);
  t.strictSame(repeated('unavailable'), []);
  const invalid = codes.filter(
    (code) => operatorCode(code).agent === 'INVALID_RESPONSE' && code !== 'CON_DECLARED_FAILURE',
  );
  t.strictSame(repeated('invalid_response'), invalid);
  t.ok(invalid.includes('PRS_SYNTAX') && invalid.includes('CHK_BIND') && invalid.includes('BYT_TRUNCATED'));
});

t.test('which statuses', async (t) => {
  const fault = new Fault('UPS_SERVER_ERROR');
  t.equal(pause(fault, { status: 503 }), 0);
  t.equal(pause(fault, { status: 500 }), undefined);
  t.equal(pause(new Fault('UPS_CLOSED')), 0, 'no answer');
  t.equal(pause(new Fault('CON_DECLARED_FAILURE', { agent: 'CONFLICT' }), { status: 503 }), 0);
  for (const code of ['UPS_TOTAL_TIMEOUT', 'UPS_CIRCUIT_OPEN', 'REQ_ABORTED', 'INTERNAL'] as const) {
    t.equal(pause(new Fault(code), { status: 503 }), undefined, code);
  }
});

t.test('declared failures: only what the contract calls unavailable', async (t) => {
  const on = new Set(['unavailable', 'invalid_response'] as const);
  const declared = (agent: Fault['agent']) =>
    pause(new Fault('CON_DECLARED_FAILURE', { agent }), { status: 200 }, { on });
  t.equal(declared('UPSTREAM_UNAVAILABLE'), 0);
  for (const agent of ['NOT_FOUND', 'DENIED', 'RATE_LIMITED', 'CONFLICT', 'INVALID_RESPONSE'] as const) {
    t.equal(declared(agent), undefined, agent);
  }
  t.equal(
    pause(new Fault('CON_DECLARED_FAILURE', { agent: 'UPSTREAM_UNAVAILABLE' }), { status: 200 }),
    undefined,
  );
});

t.test('an invalid answer is repeated once, whatever named it', async (t) => {
  const fault = new Fault('CON_NO_ALTERNATIVE');
  const on = new Set(['invalid_response', 503] as const);
  for (const status of [200, 503]) {
    t.equal(pause(fault, { status }, { on }), 0);
    t.equal(pause(fault, { status, made: 2, invalidRepeated: true }, { on }), undefined);
  }
  t.equal(pause(new Fault('UPS_SERVER_ERROR'), { status: 503, made: 2, invalidRepeated: true }, { on }), 0);
});

t.test('how often, and until when', async (t) => {
  const fault = new Fault('UPS_CONNECT');
  t.equal(pause(fault, { made: 2 }), 0);
  t.equal(pause(fault, { made: 3 }), undefined);
  t.equal(pause(fault, {}, { attempts: 1 }), undefined);
  t.equal(pause(fault, { elapsedMs: 999 }), 0);
  t.equal(pause(fault, { elapsedMs: 1_000 }), undefined);
  const most = 1 - 2 ** -53;
  t.equal(pause(fault, { elapsedMs: 900 }, {}, most), 99);
  t.equal(pause(fault, { elapsedMs: 901 }, {}, most), undefined, 'the next would start after the budget');
});

t.test('an upstream that asks to wait', async (t) => {
  const fault = new Fault('UPS_SERVER_ERROR');
  const asked = (retryAfter: number, elapsedMs = 0, random = 0) =>
    pause(fault, { status: 503, retryAfter, elapsedMs }, { withinMs: 10_000 }, random);
  t.equal(asked(0), 0);
  t.equal(asked(9), 9_000);
  t.equal(asked(10), undefined);
  t.equal(asked(9, 999), 9_000);
  t.equal(asked(9, 1_000), undefined);
  t.equal(asked(Number.POSITIVE_INFINITY), undefined);
  t.equal(asked(0, 0, 0.5), 50, 'never shorter than the backoff');
});

t.test('backoffMs', async (t) => {
  const below1 = 1 - 2 ** -53;
  t.strictSame(
    [1, 2, 3, 4, 5, 6, 60, 5_000].map((attempt) => backoffMs(attempt, below1)),
    [99, 199, 399, 799, 1_599, 1_999, 1_999, 1_999],
  );
  t.equal(backoffMs(3, 0), 0);
  t.equal(backoffMs(3, 0.5), 200);
  t.ok(backoffMs(99, below1) < DEFAULT_BACKOFF.capMs);
  t.strictSame(
    [1, 2, 3].map((attempt) => backoffMs(attempt, 0.5, { baseMs: 10, capMs: 30 })),
    [5, 10, 15],
  );
});
