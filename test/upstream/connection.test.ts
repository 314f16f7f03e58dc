import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { listen, playUpstream } from '../support/tcp-upstream.js';
import { answered, ask, clientFor, outcome, read, response, setUp } from '../support/upstream-client.js';

t.test('a connection is used again after a good answer', async (t) => {
  const { upstream, client } = await setUp(t, (index) => [{ send: response(`${index}`) }], {
    connections: 1,
  });
  for (let i = 0; i < 5; i++) t.equal(await outcome(client), `200 ${i}`);
  t.equal(upstream.connections, 1);
});

t.test('and not after a fault', async (t) => {
  const { upstream, client } = await setUp(
    t,
    (index) =>
      index % 2 === 0
        ? [{ send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n' }]
        : [{ send: response('ok') }],
    { connections: 1 },
  );
  t.equal(await outcome(client), 'BYT_FRAMING');
  await upstream.closed();
  t.equal(await outcome(client), '200 ok');
  t.equal(await outcome(client), 'BYT_FRAMING');
  await upstream.closed();
  t.equal(upstream.connections, 2, 'no connection is made before it is needed');
});

t.test('no byte of one answer reaches the next request', async (t) => {
  const stray = [response('{"id":99}'), '<html>extra', `${'HTTP/1.1 102 P\r\n\r\n'}${response('{"id":99}')}`];
  for (const bytes of stray) {
    for (const delayed of [false, true]) {
      const { upstream, client } = await setUp(
        t,
        (index) => {
          if (index > 0) return [{ send: response(`{"id":${index}}`) }];
          const first = response('{"id":0}');
          return delayed ? [{ send: first }, { sleep_ms: 20 }, { send: bytes }] : [{ send: first + bytes }];
        },
        { connections: 1 },
      );
      t.equal(await outcome(client), '200 {"id":0}');
      if (delayed) await sleep(40);
      t.equal(await outcome(client), '200 {"id":1}');
      t.equal(upstream.connections, 2);
    }
  }
});

t.test('no more connections than configured, and every request is answered', async (t) => {
  const { upstream, client } = await setUp(t, [{ sleep_ms: 5 }, { send: response('ok') }], {
    connections: 3,
  });
  const all = await Promise.all(Array.from({ length: 30 }, () => outcome(client)));
  t.strictSame(new Set(all), new Set(['200 ok']));
  t.equal(upstream.connections, 3);
});

t.test('nothing is repeated', async (t) => {
  const { upstream, client } = await setUp(t, [{ close: true }], { connections: 1 });
  const all = await Promise.all([
    outcome(client),
    outcome(client),
    outcome(client, { method: 'POST', body: Buffer.from('x') }),
  ]);
  t.strictSame(all, ['UPS_CLOSED', 'UPS_CLOSED', 'UPS_CLOSED']);
  t.equal(upstream.requests.length, 3);
});

t.test('a fault of one request leaves those that wait alone', async (t) => {
  for (const close of ['', 'Connection: close\r\n']) {
    const { client } = await setUp(
      t,
      (index) =>
        index === 0
          ? [{ send: response('x', close).slice(0, -1) }, { sleep_ms: 20 }, { send: 'x' }]
          : [{ send: response('ok') }],
      { connections: 1 },
    );
    const first = ask(client);
    const waiting = [outcome(client), outcome(client)];
    const answer = await first;
    if (answer instanceof Fault) throw new Error(answer.code);
    t.equal((await answer.body.drain(() => new Fault('PRS_SYNTAX')))?.code, 'PRS_SYNTAX');
    t.strictSame(await Promise.all(waiting), ['200 ok', '200 ok']);
  }
});

t.test('a sink that refuses', async (t) => {
  t.test('in the middle of the body', async (t) => {
    const { upstream, client } = await setUp(t, [
      { send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' },
      { repeat: '4\r\nabcd\r\n', every_ms: 1, max: 10_000 },
    ]);
    const answer = await answered(client);
    let seen = 0;
    const fault = await answer.body.drain((chunk) => {
      seen += chunk.length;
      return seen >= 12 ? new Fault('PRS_SYNTAX', { offset: seen }) : undefined;
    });
    t.equal(fault?.code, 'PRS_SYNTAX');
    t.equal(fault?.detail.offset, seen, 'nothing came after the fault');
    await upstream.closed();
    t.equal(upstream.connections, 1);
  });

  t.test('after the whole body has come: the connection is as good as before', async (t) => {
    for (const size of [7, 100_000, 400_000]) {
      const { upstream, client } = await setUp(t, [{ send: response('a'.repeat(size)) }], { connections: 1 });
      for (const waitMs of [0, 20]) {
        const answer = await answered(client);
        await sleep(waitMs);
        let seen = 0;
        const fault = await answer.body.drain((chunk) => {
          seen += chunk.length;
          return seen === size ? new Fault('PRS_SYNTAX') : undefined;
        });
        t.equal(fault?.code, 'PRS_SYNTAX');
        t.equal(await outcome(client), `200 ${'a'.repeat(size)}`, `${size} bytes`);
      }
      t.equal(upstream.connections, 1);
    }
  });

  t.test('at the last byte but one, or where nothing tells that it is the last', async (t) => {
    for (const send of [
      response('a'.repeat(100_000)).slice(0, -1),
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${(99_999).toString(16)}\r\n${'a'.repeat(99_999)}\r\n`,
      `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(99_999)}`,
    ]) {
      const { upstream, client } = await setUp(t, [{ send }]);
      const answer = await answered(client);
      let seen = 0;
      const fault = await answer.body.drain((chunk) => {
        seen += chunk.length;
        return seen === 99_999 ? new Fault('PRS_SYNTAX') : undefined;
      });
      t.equal(fault?.code, 'PRS_SYNTAX');
      await upstream.closed();
      t.equal(upstream.connections, 1);
    }
  });

  t.test('by throwing: a bug, told to the caller', async (t) => {
    for (const first of [response('ab'), response('ab').slice(0, -2)]) {
      const { upstream, client } = await setUp(t, [{ send: first }, { sleep_ms: 20 }, { send: 'ab' }]);
      const answer = await answered(client);
      await t.rejects(
        answer.body.drain(() => {
          throw new TypeError('bug');
        }),
        { message: 'bug' },
      );
      await upstream.closed();
    }
  });
});

t.test('discard', async (t) => {
  t.test('closes a connection whose body is under way', async (t) => {
    const { upstream, client } = await setUp(t, [{ send: response('{"a":1}').slice(0, -1) }]);
    const answer = await answered(client);
    answer.body.discard();
    await upstream.closed();
    t.equal(upstream.connections, 1);
  });

  t.test('keeps one whose body has come', async (t) => {
    const { upstream, client } = await setUp(t, [{ send: response('{"a":1}') }]);
    for (let i = 0; i < 2; i++) {
      const answer = await answered(client);
      await sleep(5);
      answer.body.discard();
    }
    t.equal(upstream.connections, 1);
  });
});

t.test('a body that nobody reads', async (t) => {
  const SIZE = 16 * 1_048_576;
  const body = Buffer.alloc(SIZE, ' ');

  t.test('stays in the socket of the upstream, and comes whole when it is read', async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${SIZE}\r\n\r\n`);
        socket.end(body, () => {
          flushed = true;
        });
      });
    });
    let flushed = false;
    const port = await listen(server);
    t.teardown(() => server.close());
    const client = clientFor(t, `http://127.0.0.1:${port}`);
    const answer = await answered(client);
    await sleep(100);
    t.equal(flushed, false, 'held back');
    let seen = 0;
    const reading = answer.body.drain((chunk) => {
      seen += chunk.length;
      return undefined;
    });
    t.ok(seen >= 65_536 && seen <= 4 * 65_536, `${seen} bytes were kept here`);
    t.equal(await reading, undefined);
    t.equal(seen, SIZE);
  });

  t.test('may be reset meanwhile', async (t) => {
    // undici's own handling of this throws out of an event listener
    for (const close of ['Connection: close\r\n', '']) {
      const { client } = await setUp(t, [
        { send: `HTTP/1.1 200 OK\r\n${close}Content-Length: ${SIZE}\r\n\r\n${' '.repeat(70_000)}` },
        { sleep_ms: 30 },
        { reset: true },
      ]);
      const answer = await answered(client);
      await sleep(80);
      const { fault, text } = await read(answer);
      t.equal(fault?.code, 'BYT_TRUNCATED');
      t.ok(text.length >= 60_000, 'what had come is handed out');
    }
  });

  t.test('may be held back by its reader', async (t) => {
    const { client } = await setUp(t, [{ send: response(' '.repeat(2_000_000)) }]);
    const answer = await answered(client);
    const { flow } = answer.body;
    let seen = 0;
    let pauses = 0;
    const fault = await answer.body.drain((chunk) => {
      seen += chunk.length;
      pauses += 1;
      flow?.pause();
      setTimeout(() => flow?.resume(), 1);
      return undefined;
    });
    t.equal(fault, undefined);
    t.equal(seen, 2_000_000);
    t.ok(pauses > 10);
  });
});

t.test('close waits for what is under way, and takes nothing more', async (t) => {
  const { upstream, client } = await setUp(t, [{ sleep_ms: 30 }, { send: response('ok') }]);
  const running = outcome(client);
  await sleep(10);
  const closing = client.close();
  t.equal(await outcome(client), 'UPS_CLOSED');
  t.equal(await running, '200 ok');
  await closing;
  await upstream.closed();
  t.equal(upstream.requests.length, 1);
});

t.test('destroy ends what is under way', async (t) => {
  const { upstream, client } = await setUp(
    t,
    (index) => [{ send: index === 0 ? response('ok').slice(0, -1) : '' }],
    {
      connections: 2,
    },
  );
  const answer = await answered(client);
  const waiting = [outcome(client), outcome(client)];
  await sleep(20);
  const reading = read(answer);
  await client.destroy();
  t.equal((await reading).fault?.code, 'BYT_TRUNCATED');
  t.strictSame(await Promise.all(waiting), ['UPS_CLOSED', 'UPS_CLOSED']);
  await upstream.closed();
});

t.test('connection refused', async (t) => {
  const upstream = await playUpstream([]);
  await upstream.close();
  const client = clientFor(t, upstream.url, { connections: 1 });
  const answers = await Promise.all([ask(client), ask(client), ask(client)]);
  for (const answer of answers) {
    t.ok(answer instanceof Fault && answer.code === 'UPS_CONNECT' && answer.detail.note === 'ECONNREFUSED');
  }
});

t.test('a name that does not resolve', async (t) => {
  const client = clientFor(t, 'http://api.invalid');
  const code = await outcome(client);
  // A resolver that does not answer is a time-out
  t.ok(['UPS_DNS', 'UPS_CONNECT_TIMEOUT'].includes(code), code);
});

const IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

t.test('an IPv6 literal', { skip: IPV6 ? false : 'this machine has no ::1' }, async (t) => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(response('ok')));
  });
  t.teardown(() => server.close());
  const port = await listen(server, '::1');
  t.equal(await outcome(clientFor(t, `http://[::1]:${port}`)), '200 ok');
});
