import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Fault, type OperatorCode } from '../../src/fault/index.js';
import { Cancellation } from '../../src/upstream/index.js';
import { listen } from '../support/tcp-upstream.js';
import {
  type Ask,
  answered,
  ask,
  clientFor,
  outcome,
  read,
  response,
  setUp,
} from '../support/upstream-client.js';

/** A call that is cancelled with a fault after a time. */
function after(
  ms: number,
  code: OperatorCode = 'UPS_TOTAL_TIMEOUT',
): { cancellation: Cancellation; fault: Fault } {
  const cancellation = new Cancellation();
  const fault = new Fault(code);
  setTimeout(() => cancellation.cancel(fault), ms);
  return { cancellation, fault };
}

const FAST: Ask = { limits: { firstByteMs: 100 } };

t.test('first byte', async (t) => {
  t.test('silence', async (t) => {
    const { upstream, client } = await setUp(t, []);
    t.equal(await outcome(client, FAST), 'UPS_FIRST_BYTE_TIMEOUT');
    await upstream.closed();
    t.equal(upstream.connections, 1);
  });

  t.test('headers that drip', async (t) => {
    const { upstream, client } = await setUp(t, [{ drip: response('ok'), every_ms: 10 }]);
    t.equal(await outcome(client, FAST), 'UPS_FIRST_BYTE_TIMEOUT');
    await upstream.closed();
  });

  t.test('interim responses do not count', async (t) => {
    const { upstream, client } = await setUp(t, [
      { repeat: 'HTTP/1.1 102 P\r\n\r\n', every_ms: 10, max: 15 },
    ]);
    t.equal(await outcome(client, FAST), 'UPS_FIRST_BYTE_TIMEOUT');
    await upstream.closed();
  });

  t.test('a body may take longer', async (t) => {
    const head = response('0123456789').slice(0, -10);
    const { client } = await setUp(t, [{ send: head }, { drip: '0123456789', every_ms: 60 }]);
    t.equal(await outcome(client, { limits: { firstByteMs: 500 } }), '200 0123456789');
  });

  t.test('an upstream that does not read the request', async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.pause();
    });
    t.teardown(() => server.close());
    const client = clientFor(t, `http://127.0.0.1:${await listen(server)}`);
    const body = Buffer.alloc(16 * 1_048_576);
    t.equal(await outcome(client, { ...FAST, method: 'POST', body }), 'UPS_FIRST_BYTE_TIMEOUT');
  });
});

t.test('total', async (t) => {
  t.test('while headers drip', async (t) => {
    const { upstream, client } = await setUp(t, [{ drip: response('ok'), every_ms: 10 }]);
    const { cancellation, fault } = after(60);
    t.equal(await ask(client, { cancellation }), fault, 'the very fault');
    await upstream.closed();
  });

  t.test('while a body drips', async (t) => {
    const { upstream, client } = await setUp(t, [
      { send: response(' '.repeat(5_000)).slice(0, -5_000) },
      { repeat: ' ', every_ms: 5, max: 5_000 },
    ]);
    const cancellation = new Cancellation();
    const answer = await answered(client, { cancellation });
    const fault = new Fault('UPS_TOTAL_TIMEOUT');
    setTimeout(() => cancellation.cancel(fault), 30);
    t.equal((await read(answer)).fault, fault);
    await upstream.closed();
  });

  t.test('while a body stalls', async (t) => {
    const { upstream, client } = await setUp(t, [{ send: response('{"id":1}').slice(0, -1) }]);
    const cancellation = new Cancellation();
    const answer = await answered(client, { cancellation });
    const fault = new Fault('UPS_TOTAL_TIMEOUT');
    setTimeout(() => cancellation.cancel(fault), 30);
    t.equal((await read(answer)).fault, fault);
    await upstream.closed();
  });

  t.test('before the body is read', async (t) => {
    const { upstream, client } = await setUp(t, [{ send: response('{"id":1}').slice(0, -1) }]);
    const cancellation = new Cancellation();
    const answer = await answered(client, { cancellation });
    const fault = new Fault('UPS_TOTAL_TIMEOUT');
    cancellation.cancel(fault);
    await upstream.closed();
    t.equal((await read(answer)).fault, fault);
  });

  t.test('not after the answer', async (t) => {
    const { upstream, client } = await setUp(t, [{ send: response('ok') }], { connections: 1 });
    const cancellation = new Cancellation();
    t.equal(await outcome(client, { cancellation }), '200 ok');
    cancellation.cancel(new Fault('REQ_ABORTED'));
    t.equal(await outcome(client), '200 ok');
    t.equal(upstream.connections, 1);
  });
});

t.test('the agent goes away', async (t) => {
  const { upstream, client } = await setUp(t, []);
  const { cancellation, fault } = after(30, 'REQ_ABORTED');
  t.equal(await ask(client, { cancellation }), fault);
  await upstream.closed();
});

t.test('a call that was cancelled before', async (t) => {
  const { upstream, client } = await setUp(t, []);
  const fault = new Fault('REQ_ABORTED');
  const cancellation = new Cancellation();
  cancellation.cancel(fault);
  t.equal(await ask(client, { cancellation }), fault);
  t.equal(upstream.connections, 0);
});

t.test('while the request waits for a connection, it never leaves', async (t) => {
  const { upstream, client } = await setUp(t, [{ sleep_ms: 250 }, { send: response('ok') }], {
    connections: 1,
  });
  const first = outcome(client);
  const { cancellation, fault } = after(20);
  const second = ask(client, { cancellation, target: '/second' });
  t.equal(await second, fault);
  t.equal(await first, '200 ok');
  await sleep(20);
  t.equal(upstream.requests.length, 1);
  t.equal(await outcome(client), '200 ok');
  t.equal(upstream.connections, 1, 'and the connection is as good as before');
});

t.test('connect: a TLS handshake that never comes', async (t) => {
  const sockets: { destroy(): void }[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const client = clientFor(t, `https://127.0.0.1:${await listen(server)}`, { connectMs: 60 });
  t.equal(await outcome(client), 'UPS_CONNECT_TIMEOUT');
  t.strictSame(await Promise.all([outcome(client), outcome(client)]), [
    'UPS_CONNECT_TIMEOUT',
    'UPS_CONNECT_TIMEOUT',
  ]);
});

t.test('total, while the connection is made', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}));
  t.teardown(() => server.close());
  const client = clientFor(t, `https://127.0.0.1:${await listen(server)}`, { connectMs: 200 });
  const { cancellation, fault } = after(30);
  t.equal(await ask(client, { cancellation }), fault);
});
