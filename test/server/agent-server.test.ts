import t, { type Test } from 'tap';
import type { AgentAnswer, IncomingCall } from '../../src/route/index.js';
import { type AgentServerOptions, createAgentServer } from '../../src/server/agent-server.js';
import { exchange, open, parseAnswer, received } from './wire.js';

const BODY = '{"tool":"x","request_id":"req.12345678","outcome":"success","data":{}}';
const PRESSURE = { eventLoopDelayMs: 0, heapBytes: 0, rssBytes: 0, inFlight: 100 };
/** Headers that the HTTP layer may add to those of the answer. */
const ADDED = ['connection', 'content-length', 'date', 'keep-alive'];

function answer(body = BODY): AgentAnswer {
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': 'req.12345678',
    },
    body,
    outcome: 'success',
  };
}

async function start(t: Test, options: Partial<AgentServerOptions> = {}) {
  const calls: IncomingCall[] = [];
  const refused: string[] = [];
  const bugs: unknown[] = [];
  const server = createAgentServer({
    pipeline: async (call) => {
      calls.push(call);
      return answer();
    },
    bearer: undefined,
    carriers: [],
    pressure: PRESSURE,
    bodyBytes: 64,
    onRefusedSocket: (_id, reason) => refused.push(reason),
    onBug: (_id, error) => bugs.push(error),
    ...options,
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => server.close(0));
  return { server, url, calls, refused, bugs };
}

function only(calls: readonly IncomingCall[]): IncomingCall {
  const [call] = calls;
  if (call === undefined || calls.length !== 1) throw new Error(`${calls.length} calls`);
  return call;
}

t.test('the raw target reaches the pipeline, whatever it is', async (t) => {
  const { url, calls } = await start(t);
  const targets = [
    '/',
    '//x',
    '/a//b/',
    '/%',
    '/%zz/%2',
    '/%ff%fe',
    '/a%2Fb%2e%2e',
    '/../../etc/passwd',
    '/a/./b/..',
    '/a\\b',
    '/x;y=1?z;w&&=',
    '/?a=%&a=%zz#frag',
    '*',
    'http://other.example/a%2Fb?x=1',
    'http://other.example',
    '/__proto__/constructor',
    '/:param/*',
    `/${'a'.repeat(40_000)}`,
    `/${'%2e'.repeat(200)}`,
  ];
  for (const target of targets) {
    calls.length = 0;
    const text = await exchange(url, `GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    t.equal(parseAnswer(text).body, BODY, target.slice(0, 40));
    t.equal(only(calls).target, target);
  }
});

t.test('every method reaches the pipeline, with its body', async (t) => {
  const { url, calls } = await start(t);
  for (const method of [
    'GET',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'QUERY',
    'PURGE',
    'PROPFIND',
    'POST',
    'M-SEARCH',
  ]) {
    calls.length = 0;
    const head = `${method} /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 3\r\n\r\n`;
    t.equal(parseAnswer(await exchange(url, `${head}abc`)).status, 200, method);
    const call = only(calls);
    t.equal(call.method, method);
    t.equal(Buffer.from(call.body ?? []).toString(), 'abc');
  }
});

t.test('CONNECT is a call like any other', async (t) => {
  const { url, calls } = await start(t);
  const text = await exchange(
    url,
    'CONNECT internal.example:443 HTTP/1.1\r\nHost: internal.example:443\r\n\r\n',
  );
  t.equal(parseAnswer(text).body, BODY);
  t.match(only(calls), { method: 'CONNECT', target: 'internal.example:443' });
});

t.test('header lines come as they were sent, every one', async (t) => {
  const { url, calls } = await start(t);
  const many = Array.from({ length: 1_500 }, (_, i) => `X-N: ${i}\r\n`).join('');
  await exchange(
    url,
    `GET / HTTP/1.1\r\nHost: h\r\nAccept-Version: 9\r\nUpgrade: websocket\r\nCookie: a\r\ncOOKIE: b\r\nX-Latin: \xe9\r\n${many}Connection: close, upgrade\r\n\r\n`,
  );
  const { headers } = only(calls);
  t.strictSame(headers.slice(0, 6), [
    ['Host', 'h'],
    ['Accept-Version', '9'],
    ['Upgrade', 'websocket'],
    ['Cookie', 'a'],
    ['cOOKIE', 'b'],
    ['X-Latin', '\xe9'],
  ]);
  t.equal(headers.filter(([name]) => name === 'X-N').length, 1_500);
});

t.test('content types and codings that Fastify would judge do not matter', async (t) => {
  const { url, calls } = await start(t);
  for (const type of [
    'application/json',
    'text/plain',
    'nonsense',
    ';;;',
    'a/b; charset',
    'multipart/form-data',
  ]) {
    calls.length = 0;
    const text = await exchange(
      url,
      `POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Encoding: x\r\nContent-Length: 5\r\n\r\n{"a":`,
    );
    t.equal(parseAnswer(text).status, 200, type);
    t.equal(Buffer.from(only(calls).body ?? []).toString(), '{"a":');
  }
});

t.test('a body over the limit is null, declared or chunked', async (t) => {
  const { url, calls } = await start(t);
  const post = 'POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n';
  const cases: [string, string, number | null][] = [
    ['at the limit', `${post}Content-Length: 64\r\n\r\n${'x'.repeat(64)}`, 64],
    ['one over', `${post}Content-Length: 65\r\n\r\n${'x'.repeat(65)}`, null],
    [
      'chunked at the limit',
      `${post}Transfer-Encoding: chunked\r\n\r\n40\r\n${'x'.repeat(64)}\r\n0\r\n\r\n`,
      64,
    ],
    ['chunked over', `${post}Transfer-Encoding: chunked\r\n\r\n41\r\n${'x'.repeat(65)}\r\n0\r\n\r\n`, null],
    ['none', `${post}\r\n`, 0],
    ['empty', `${post}Content-Length: 0\r\n\r\n`, 0],
  ];
  for (const [name, bytes, length] of cases) {
    calls.length = 0;
    t.equal(parseAnswer(await exchange(url, bytes)).status, 200, name);
    t.equal(only(calls).body?.byteLength ?? null, length, name);
  }
});

t.test('a body over the limit is read to its end, and the connection goes on', async (t) => {
  const { url, calls } = await start(t);
  const text = await exchange(
    url,
    `POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}GET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
  );
  t.equal(text.split('HTTP/1.1 200').length, 3);
  t.strictSame(calls.map((call) => [call.target, call.body === null]).sort(), [
    ['/a', true],
    ['/b', false],
  ]);
});

t.test('a body beyond all measure is answered without reading it', async (t) => {
  const { url, calls } = await start(t);
  const text = await exchange(url, 'POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9999999999\r\n\r\n');
  t.equal(parseAnswer(text).headers.connection, 'close');
  t.equal(only(calls).body, null);
});

t.test(
  'Expect: 100-continue is met only where the body is wanted; other expectations are ignored',
  async (t) => {
    const { url, calls } = await start(t);
    const small = await exchange(
      url,
      'POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab',
    );
    t.match(small, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    const large = await exchange(
      url,
      'POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9999999999\r\n\r\n',
    );
    t.match(large, /^HTTP\/1\.1 200 OK\r\n/);
    const odd = await exchange(
      url,
      'GET /a HTTP/1.1\r\nHost: h\r\nExpect: magic\r\nConnection: close\r\n\r\n',
    );
    t.equal(parseAnswer(odd).body, BODY);
    t.equal(calls.length, 3);
  },
);

t.test("the answer is the pipeline's, to the byte and the header", async (t) => {
  const { url } = await start(t);
  const text = await exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  const { headers, body } = parseAnswer(text);
  const own = answer();
  t.equal(body, BODY);
  t.strictSame(
    Object.keys(headers).sort(),
    [...Object.keys(own.headers), 'connection', 'content-length', 'date'].sort(),
  );
  t.match(headers, own.headers);
});

t.test('HEAD has the headers and no body', async (t) => {
  const { url, calls } = await start(t);
  const text = await exchange(url, 'HEAD /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  const { headers } = parseAnswer(text, { head: true });
  t.equal(headers['content-length'], String(BODY.length));
  t.equal(only(calls).method, 'HEAD');
});

t.test('what is no HTTP gets one constant 400', async (t) => {
  const { url, calls, refused } = await start(t);
  const junk: [string, string][] = [
    ['words', 'hello there\r\n\r\n'],
    ['tls', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03canary'],
    ['unknown method', 'CANARY / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['bad version', 'GET / HTTP/9.9\r\nHost: h\r\n\r\n'],
    ['bad header', 'GET / HTTP/1.1\r\nHost: h\r\nca nary: x\r\n\r\n'],
    [
      'smuggling',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['bad chunk', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\ncanary\r\n'],
    ['head too large', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: h\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ];
  for (const [name, bytes] of junk) {
    const text = await exchange(url, bytes);
    const { status, headers, body } = parseAnswer(text);
    t.equal(status, 400, name);
    t.match(
      body,
      /^\{"tool":null,"request_id":"req\.[A-Za-z0-9]{16}","outcome":"failure","error":\{"code":"INVALID_REQUEST","retryable":false\}\}$/,
      name,
    );
    t.equal(headers['content-type'], 'application/json');
    t.notMatch(text.toLowerCase(), 'canary');
    const known = ['content-type', 'cache-control', 'x-request-id', 'x-should-retry', ...ADDED];
    t.strictSame(
      Object.keys(headers).filter((header) => !known.includes(header)),
      [],
      name,
    );
  }
  t.equal(calls.length, 0);
  t.equal(refused.length, junk.length);
});

t.test('HTTP/1.0 without Host is a call', async (t) => {
  const { url, calls } = await start(t);
  t.match(await exchange(url, 'GET /a HTTP/1.0\r\n\r\n'), BODY);
  t.equal(only(calls).target, '/a');
});

t.test('a head or body that does not come in time is refused', async (t) => {
  const timeouts = { headersMs: 60, requestMs: 120 };
  const { url, calls, refused } = await start(t, { timeouts });
  t.equal(parseAnswer(await exchange(url, 'GET / HTTP/1.1\r\nHost:')).status, 400);
  const slow = await exchange(url, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab');
  t.equal(parseAnswer(slow).status, 400);
  t.strictSame(refused, ['ERR_HTTP_REQUEST_TIMEOUT', 'ERR_HTTP_REQUEST_TIMEOUT']);
  t.equal(calls.length, 0);
});

t.test('garbage behind a call that runs never becomes its answer', async (t) => {
  let release = (): void => {};
  const { url, refused } = await start(t, {
    pipeline: () =>
      new Promise((resolve) => {
        release = () => resolve(answer());
      }),
  });
  const text = await exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n\x00\x01garbage\r\n\r\n');
  t.equal(text, '', 'cut, not answered with a 400 that would be taken for the answer to /a');
  t.equal(refused.length, 1);
  release();
});

t.test('the signal fires when the agent goes away, before it is asked for or after', async (t) => {
  const waiting: (() => void)[] = [];
  const calls: IncomingCall[] = [];
  const { url } = await start(t, {
    pipeline: (call) => {
      if (call.target === '/probe') return Promise.resolve(answer());
      calls.push(call);
      return new Promise((resolve) => waiting.push(() => resolve(answer())));
    },
  });
  const sockets = [await open(url), await open(url)];
  for (const socket of sockets) socket.write('GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
  while (calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const [first, second] = calls;
  t.equal(first?.cancellation?.fault, undefined);
  for (const socket of sockets) socket.destroy();
  // Once the server has answered calls that came later, it has seen both connections close.
  for (let i = 0; i < 3; i++) {
    await exchange(url, 'GET /probe HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  }
  t.equal(first?.cancellation?.fault?.code, 'REQ_ABORTED');
  t.equal(second?.cancellation?.fault?.code, 'REQ_ABORTED');
  for (const release of waiting) release();
});

t.test('an answered call is not cancelled', async (t) => {
  const seen: IncomingCall[] = [];
  const { url } = await start(t, {
    pipeline: async (call) => {
      seen.push(call);
      return answer();
    },
  });
  await exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  t.ok(seen[0]?.cancellation);
  t.equal(seen[0]?.cancellation?.fault, undefined);
});

t.test('a call whose body never ends is not a call', async (t) => {
  const { server, url, calls } = await start(t);
  const socket = await open(url);
  const answered = received(socket);
  socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
  while (server.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  t.equal(await answered, '');
  while (server.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
  t.equal(calls.length, 0);
});

t.test('a call over the number in flight is shed, and its body not kept', async (t) => {
  const seen: IncomingCall[] = [];
  const waiting: (() => void)[] = [];
  const { url } = await start(t, {
    pressure: { ...PRESSURE, inFlight: 1 },
    pipeline: (call) => {
      seen.push(call);
      return call.shed === true
        ? Promise.resolve(answer())
        : new Promise((resolve) => waiting.push(() => resolve(answer())));
    },
  });
  const first = exchange(url, 'GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await exchange(url, 'POST /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc');
  for (const release of waiting) release();
  await first;
  t.strictSame(
    seen.map(({ target, shed, body }) => [target, shed, body?.byteLength ?? null]),
    [
      ['/1', false, 0],
      ['/2', true, null],
    ],
  );
});

t.test('a call under memory pressure is shed by the pipeline, not by a 503 of the framework', async (t) => {
  const { url, calls } = await start(t, { pressure: { ...PRESSURE, rssBytes: 1 }, pressureSampleMs: 10 });
  const get = 'GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
  while (calls.at(-1)?.shed !== true) {
    t.equal(parseAnswer(await exchange(url, get)).body, BODY);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

t.test('a pipeline that throws gives a constant INTERNAL', async (t) => {
  const { url, bugs } = await start(t, {
    pipeline: () => {
      throw new Error('canary');
    },
  });
  const text = await exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
  const { status, body } = parseAnswer(text);
  t.equal(status, 500);
  t.match(JSON.parse(body), {
    tool: null,
    outcome: 'failure',
    error: { code: 'INTERNAL', retryable: false },
  });
  t.notMatch(text, 'canary');
  t.equal(bugs.length, 1);
  const connect = await exchange(url, 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
  t.equal(parseAnswer(connect).status, 500);
});

t.test('close lets calls in flight finish and closes what is silent', async (t) => {
  let release = (): void => {};
  const { server, url } = await start(t, {
    pipeline: () =>
      new Promise((resolve) => {
        release = () => resolve(answer());
      }),
  });
  const silent = await open(url);
  const silentEnd = received(silent);
  const answered = exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
  while (server.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = server.close(10_000);
  await t.rejects(open(url), { code: 'ECONNREFUSED' });
  release();
  t.equal(parseAnswer(await answered).headers.connection, 'close');
  t.equal(await silentEnd, '');
  t.equal(await closed, true);
});

t.test('a request on a connection that was opened before the drain gets its answer', async (t) => {
  const { server, url, calls } = await start(t, { timeouts: { silentMs: 10_000 } });
  const socket = await open(url);
  const answered = received(socket);
  // A whole exchange later the server has accepted the connection.
  await exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  const closed = server.close(20_000);
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('GET /b HTTP/1.1\r\nHost: h\r\n\r\n');
  const { status, headers, body } = parseAnswer(await answered);
  t.equal(status, 200);
  t.equal(body, BODY);
  t.equal(headers.connection, 'close');
  t.equal(await closed, true);
  t.equal(calls.length, 2);
});

t.test('an agent host that resets its connection is no news', async (t) => {
  const { server, url, refused } = await start(t);
  const socket = await open(url);
  socket.write('POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
  while (server.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.resetAndDestroy();
  while (server.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(refused, []);
});

t.test('close cuts what is not finished at the deadline, and waits for its end', async (t) => {
  let ended = false;
  const { server, url } = await start(t, {
    pipeline: async (call) => {
      await new Promise<unknown>((resolve) => call.cancellation?.on(resolve));
      ended = true;
      return answer();
    },
  });
  const cut = exchange(url, 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
  while (server.inFlight === 0) await new Promise((resolve) => setImmediate(resolve));
  t.equal(await server.close(30), false);
  t.equal(ended, true);
  t.equal(await cut, '');
});

t.test('a port that is taken is a StartError', async (t) => {
  const { url } = await start(t);
  const second = createAgentServer({
    pipeline: async () => answer(),
    bearer: undefined,
    carriers: [],
    pressure: PRESSURE,
    bodyBytes: 1,
  });
  const port = Number(new URL(url).port);
  await t.rejects(second.listen({ host: '127.0.0.1', port }), {
    name: 'StartError',
    part: 'agent',
    code: 'EADDRINUSE',
    place: `127.0.0.1:${port}`,
  });
});
