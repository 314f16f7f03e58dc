import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { Breaker, StaleConnection } from '../../src/upstream/index.js';
import { outcome, response, setUp } from '../support/upstream-client.js';

function breaker(failures: number, openMs = 1_000) {
  const clock = { now: 0 };
  const made = new Breaker({ failures, openMs }, () => clock.now);
  /** One request from start to end; what it ended with where it was not let through. */
  const request = (end: number | Fault): Fault | undefined => {
    const pass = made.enter();
    if (pass instanceof Fault) return pass;
    made.left(pass, end);
    return undefined;
  };
  return { clock, made, request, state: () => made.status.state };
}

const down = new Fault('UPS_CONNECT');

t.test('failures in a row open it, an answer in between starts the count anew', async (t) => {
  const { made, request, state } = breaker(3);
  for (const end of [down, 503, 200, down, 500]) t.equal(request(end), undefined);
  t.strictSame(made.status, { state: 'closed', failures: 2 });
  request(new Fault('UPS_FIRST_BYTE_TIMEOUT'));
  t.equal(state(), 'open');
  const refused = request(200);
  t.strictSame([refused?.code, refused?.detail.retryAfter], ['UPS_CIRCUIT_OPEN', 1]);
  t.equal(state(), 'open');
});

t.test('what shows that the upstream is there, and what says nothing about it', async (t) => {
  const there = [200, 404, 429, 499, new Fault('BYT_PROTOCOL'), new Fault('BYT_HEADERS_TOO_LARGE')];
  for (const end of there) {
    const { made, request } = breaker(2);
    request(down);
    request(end);
    t.equal(made.status.failures, 0, String(end instanceof Fault ? end.code : end));
  }
  for (const end of [new Fault('REQ_ABORTED'), new Fault('INTERNAL'), new StaleConnection('UPS_CLOSED')]) {
    const { made, request } = breaker(2);
    request(down);
    request(end);
    t.equal(made.status.failures, 1, end.code);
  }
});

t.test('half-open: one request tries', async (t) => {
  const { clock, made, request, state } = breaker(1);
  request(down);
  clock.now = 999;
  t.equal(request(200)?.code, 'UPS_CIRCUIT_OPEN');
  clock.now = 1_000;
  const probe = made.enter();
  if (probe instanceof Fault) throw new Error('not let through');
  t.equal(state(), 'half_open');
  t.equal(request(200)?.code, 'UPS_CIRCUIT_OPEN', 'the others wait for it');
  made.left(probe, 503);
  t.equal(state(), 'open');
  clock.now = 1_999;
  t.equal(request(200)?.code, 'UPS_CIRCUIT_OPEN', 'the time starts anew');
  clock.now = 2_000;
  t.equal(request(200), undefined);
  t.strictSame(made.status, { state: 'closed', failures: 0 });
});

t.test('a request that tries and is given up leaves the next one to try', async (t) => {
  const { clock, request, state } = breaker(1);
  request(down);
  clock.now = 1_000;
  t.equal(request(new Fault('REQ_ABORTED')), undefined);
  t.equal(state(), 'open');
  t.equal(request(200), undefined);
  t.equal(state(), 'closed');
});

t.test('what was let through before a change of state says nothing after it', async (t) => {
  const { clock, made, request, state } = breaker(1);
  const [slow, slower] = [made.enter(), made.enter()];
  if (slow instanceof Fault || slower instanceof Fault) throw new Error('not let through');
  request(down);
  made.left(slow, 200);
  t.equal(state(), 'open', 'a late answer does not close it');
  clock.now = 1_000;
  request(200);
  made.left(slower, down);
  t.strictSame(made.status, { state: 'closed', failures: 0 }, 'a late failure does not count');
});

t.test('how long the agent is told to wait', async (t) => {
  const { clock, request } = breaker(1, 30_000);
  request(down);
  for (const [now, seconds] of [
    [0, 30],
    [1, 30],
    [1_000, 29],
    [29_999, 1],
  ] as const) {
    clock.now = now;
    t.equal(request(200)?.detail.retryAfter, seconds, `${now}`);
  }
});

t.test('over a client: nothing reaches the upstream while it is open', async (t) => {
  let status = '500 Oops';
  const { upstream, client } = await setUp(t, () => [{ send: response('{}', '', status) }], {
    breaker: { failures: 2, openMs: 50 },
  });
  t.strictSame(client.breaker, { state: 'closed', failures: 0 });
  t.equal(await outcome(client), '500 {}');
  t.equal(await outcome(client), '500 {}');
  t.equal(client.breaker?.state, 'open');
  t.equal(await outcome(client), 'UPS_CIRCUIT_OPEN');
  t.equal(upstream.requests.length, 2);
  status = '200 OK';
  await new Promise((resolve) => setTimeout(resolve, 60));
  t.equal(await outcome(client), '200 {}');
  t.equal(await outcome(client), '200 {}');
  t.strictSame(client.breaker, { state: 'closed', failures: 0 });
});

t.test('off unless it is asked for', async (t) => {
  const { upstream, client } = await setUp(t, () => [{ send: response('{}', '', '500 Oops') }]);
  for (let i = 0; i < 20; i++) t.equal(await outcome(client), '500 {}');
  t.equal(upstream.requests.length, 20);
  t.equal(client.breaker, undefined);
});
