import t from 'tap';
import { Fault, OPERATOR_CODES, type OperatorCode } from '../../src/fault/index.js';
import { BACKOFF_CAP_MS, backoffMs, METHODS, mayRetry, type RetryPolicy } from '../../src/upstream/index.js';

const policy = (changes: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: 3,
  withinMs: 1_000,
  on: new Set(['connect', 'timeout', 503] as const),
  ...changes,
});
const codes = Object.keys(OPERATOR_CODES) as OperatorCode[];

t.test('which faults', (t) => {
  const retried = (on: RetryPolicy['on']) =>
    codes.filter((code) => mayRetry(policy({ on }), 'GET', new Fault(code), undefined, 1, 0));
  t.strictSame(retried(new Set()), []);
  t.strictSame(retried(new Set(['connect'])), [
    'UPS_DNS',
    'UPS_CONNECT',
    'UPS_CONNECT_TIMEOUT',
    'UPS_CLOSED',
  ]);
  t.strictSame(retried(new Set(['timeout'])), ['UPS_CONNECT_TIMEOUT', 'UPS_FIRST_BYTE_TIMEOUT']);
  t.strictSame(retried(new Set([503])), []);
  t.equal(mayRetry(policy(), 'GET', undefined, undefined, 1, 0), false);
  t.end();
});

t.test('which statuses', (t) => {
  const fault = new Fault('UPS_SERVER_ERROR');
  t.equal(mayRetry(policy(), 'GET', fault, 503, 1, 0), true);
  t.equal(mayRetry(policy(), 'GET', undefined, 503, 1, 0), true);
  t.equal(mayRetry(policy(), 'GET', fault, 500, 1, 0), false);
  t.equal(mayRetry(policy(), 'GET', new Fault('UPS_CLOSED'), null, 1, 0), true, 'null: no answer');
  for (const code of ['UPS_TOTAL_TIMEOUT', 'REQ_ABORTED', 'INTERNAL'] as const) {
    t.equal(mayRetry(policy(), 'GET', new Fault(code), 503, 1, 0), false, code);
  }
  t.end();
});

t.test('which methods', (t) => {
  const retried = METHODS.filter((method) =>
    mayRetry(policy(), method, new Fault('UPS_CONNECT'), undefined, 1, 0),
  );
  t.strictSame(retried, ['GET', 'HEAD']);
  t.end();
});

t.test('how often, and until when', (t) => {
  const fault = new Fault('UPS_CONNECT');
  const may = (made: number, elapsed: number, changes = {}) =>
    mayRetry(policy(changes), 'GET', fault, undefined, made, elapsed);
  t.equal(may(2, 0), true);
  t.equal(may(3, 0), false);
  t.equal(may(1, 999), true);
  t.equal(may(1, 1_000), false);
  t.equal(may(1, 0, { attempts: 1 }), false);
  t.end();
});

t.test('backoffMs', (t) => {
  const below1 = 1 - 2 ** -53;
  t.strictSame(
    [1, 2, 3, 4, 5, 6, 60, 5_000].map((attempt) => backoffMs(attempt, below1)),
    [99, 199, 399, 799, 1_599, 1_999, 1_999, 1_999],
  );
  t.equal(backoffMs(3, 0), 0);
  t.equal(backoffMs(3, 0.5), 200);
  t.ok(backoffMs(99, below1) < BACKOFF_CAP_MS);
  t.end();
});
