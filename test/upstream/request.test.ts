import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { answered, ask, outcome, response, setUp } from '../support/upstream-client.js';

const OK = [{ send: response('{}') }];

t.test('exactly what is declared leaves', async (t) => {
  const { upstream, client } = await setUp(t, OK, {
    basePath: '/api/v3',
    headers: new Map([
      ['authorization', 'Bearer secret'],
      ['accept', 'application/vnd.github+json'],
    ]),
  });
  t.equal(await outcome(client, { target: '/a%2Fb?x=1&y=%20', headers: { 'x-request-id': 'r1' } }), '200 {}');
  t.equal(
    upstream.requests[0]?.toString('latin1'),
    [
      'GET /api/v3/a%2Fb?x=1&y=%20 HTTP/1.1',
      `host: 127.0.0.1:${upstream.port}`,
      'connection: keep-alive',
      'x-request-id: r1',
      'authorization: Bearer secret',
      'accept: application/vnd.github+json',
      'accept-encoding: gzip, br',
      '',
      '',
    ].join('\r\n'),
  );
});

t.test('a body and its length', async (t) => {
  const { upstream, client } = await setUp(t, OK, { codings: [] });
  const body = Buffer.from('{"name":"é"}');
  t.equal(
    await outcome(client, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    '200 {}',
  );
  t.equal(
    upstream.requests[0]?.toString(),
    [
      'POST /things/1 HTTP/1.1',
      `host: 127.0.0.1:${upstream.port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'accept-encoding: identity',
      `content-length: ${body.length}`,
      '',
      '{"name":"é"}',
    ].join('\r\n'),
  );
});

t.test('a request cannot set what is not its own', async (t) => {
  const { upstream, client } = await setUp(t, OK, { headers: new Map([['authorization', 'Bearer secret']]) });
  const headers = {
    authorization: 'Bearer agent',
    host: 'other.invalid',
    'content-length': '100',
    'transfer-encoding': 'chunked',
    'accept-encoding': 'zstd',
    connection: 'upgrade',
    upgrade: 'h2c',
    expect: '100-continue',
    te: 'trailers',
  };
  t.equal(await outcome(client, { headers }), '200 {}');
  t.equal(
    upstream.requests[0]?.toString('latin1'),
    `GET /things/1 HTTP/1.1\r\nhost: 127.0.0.1:${upstream.port}\r\nconnection: keep-alive\r\n` +
      'authorization: Bearer secret\r\naccept-encoding: gzip, br\r\n\r\n',
  );
});

t.test('a target cannot name another host', async (t) => {
  const { upstream, client } = await setUp(t, OK);
  t.equal(await outcome(client, { target: '//other.invalid/x' }), '200 {}');
  t.match(
    upstream.requests[0]?.toString('latin1'),
    new RegExp(`^GET //other.invalid/x HTTP/1.1\r\nhost: 127.0.0.1:${upstream.port}\r\n`),
  );
});

t.test('what is no target or no header value is our bug, and does not leave', async (t) => {
  const { upstream, client } = await setUp(t, OK);
  for (const target of ['', 'x', 'http://other.invalid/', '*', '/a b', '/a\r\nx: y', '/a#b', '/é', '/a\0']) {
    t.equal(await outcome(client, { target }), 'INTERNAL', JSON.stringify(target));
  }
  for (const value of ['a\r\nb: c', 'a\0', '€']) {
    t.equal(await outcome(client, { headers: { x: value } }), 'INTERNAL', JSON.stringify(value));
  }
  t.equal(upstream.requests.length, 0);
  t.equal(await outcome(client), '200 {}', 'and the next request is none the worse');
});

t.test('response headers: every line, in order, byte for byte', async (t) => {
  const { client } = await setUp(t, [
    {
      send: response(
        '{}',
        'X-Name: J\xf6rg \xe2\x82\xac\r\n__proto__: x\r\n__proto__: y\r\nconstructor: z\r\nETag: "a"\r\nETag:\t"b" \r\nX-Empty:\r\n',
      ),
    },
  ]);
  const answer = await answered(client);
  t.equal(answer.status, 200);
  t.equal(answer.closeDelimited, false);
  t.strictSame(answer.headers.lines, [
    ['content-type', 'application/json'],
    ['x-name', 'J\xf6rg \xe2\x82\xac'],
    ['__proto__', 'x'],
    ['__proto__', 'y'],
    ['constructor', 'z'],
    ['etag', '"a"'],
    ['etag', '"b"'],
    ['x-empty', ''],
    ['content-length', '2'],
  ]);
  t.equal(answer.headers.single('constructor'), 'z');
  t.equal(answer.headers.single('etag'), undefined);
  t.equal(answer.headers.single('tostring'), undefined);
  t.strictSame(answer.headers.all('__proto__'), ['x', 'y']);
});

t.test('closeDelimited', async (t) => {
  const heads: [head: string, expected: boolean][] = [
    ['HTTP/1.1 200 OK\r\n\r\n', true],
    ['HTTP/1.0 200 OK\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', false],
    ['HTTP/1.1 204 No Content\r\n\r\n', false],
    ['HTTP/1.1 304 Not Modified\r\n\r\n', false],
  ];
  const { client } = await setUp(t, (index) => [{ send: heads[index]?.[0] ?? '' }, { close: true }]);
  for (const [head, expected] of heads) {
    const answer = await ask(client);
    t.equal(answer instanceof Fault ? answer.code : answer.closeDelimited, expected, head);
  }
});
