import t from 'tap';
import type { TransportLimits } from '../../src/upstream/index.js';
import type { Step } from '../support/tcp-upstream.js';
import { outcome, response, setUp } from '../support/upstream-client.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const HI = `${OK}Content-Length: 2\r\n\r\nhi`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const SMALL = { headerBytes: 1_000, wireBytes: 1_000 };

interface Case {
  readonly title: string;
  readonly rule: string;
  readonly send: string | readonly Step[];
  readonly expect: string;
  readonly method?: 'HEAD' | 'POST';
  readonly limits?: Partial<TransportLimits>;
  /** What ends the connection after `send`; `open` leaves it to the client. */
  readonly end?: 'close' | 'reset' | 'open';
}

const CASES: readonly Case[] = [
  // Sound answers
  { title: 'Content-Length', rule: 'RFC 9112 6.2', send: HI, expect: '200 hi' },
  { title: 'chunked', rule: 'RFC 9112 7.1', send: `${CHUNKED}2\r\nhi\r\n0\r\n\r\n`, expect: '200 hi' },
  {
    title: 'one-byte chunks, with extensions and trailers',
    rule: 'RFC 9112 7.1',
    send: `${CHUNKED}1;a=b\r\nh\r\n1\r\ni\r\n0\r\nSet-Cookie: a\r\nContent-Type: text/html\r\n\r\n`,
    expect: '200 hi',
  },
  {
    title: 'HTTP/1.0',
    rule: 'RFC 9112 2.3',
    send: 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    expect: '200 hi',
  },
  { title: 'delimited by close', rule: 'RFC 9112 6.3 (8)', send: `${OK}\r\nhi`, expect: '200 hi' },
  { title: 'empty line first', rule: 'RFC 9112 2.2', send: `\r\n${HI}`, expect: '200 hi' },
  { title: 'no reason phrase', rule: 'RFC 9112 4', send: HI.replace(' OK', ''), expect: '200 hi' },
  {
    title: 'redirect, not followed',
    rule: 'RFC 9110 15.4',
    send: response('', 'Location: /\r\n', '302'),
    expect: '302 ',
  },
  { title: 'status 999', rule: 'RFC 9110 15', send: HI.replace('200', '999'), expect: '999 hi' },

  // No content
  { title: '204', rule: 'RFC 9110 15.3.5', send: 'HTTP/1.1 204 No Content\r\n\r\n', expect: '204 ' },
  { title: '204 with a body', rule: 'RFC 9112 6.3 (1)', send: HI.replace('200', '204'), expect: '204 ' },
  { title: '304 with a length', rule: 'RFC 9110 15.4.5', send: HI.replace('200', '304'), expect: '304 ' },
  { title: 'HEAD', rule: 'RFC 9110 9.3.2', method: 'HEAD', send: `${CHUNKED}`, expect: '200 ' },
  { title: 'HEAD with a body', rule: 'RFC 9112 6.3 (1)', method: 'HEAD', send: HI, expect: '200 ' },

  // Interim responses
  {
    title: 'interim responses, 100 among them',
    rule: 'RFC 9110 15.2',
    send: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${HI}`,
    expect: '200 hi',
  },
  {
    title: '100, byte by byte',
    rule: 'RFC 9110 15.2.1',
    send: [{ drip: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', every_ms: 0 }, { send: HI }],
    expect: '200 hi',
  },
  {
    title: 'as many interim responses as allowed',
    rule: 'limits.interimResponses',
    send: 'HTTP/1.1 102 P\r\n\r\n'.repeat(16) + HI,
    expect: '200 hi',
  },
  {
    title: 'one more',
    rule: 'limits.interimResponses',
    send: 'HTTP/1.1 102 P\r\n\r\n'.repeat(17) + HI,
    expect: 'BYT_INTERIM',
    end: 'open',
  },
  {
    title: '101 with an upgrade',
    rule: 'RFC 9110 15.2.2',
    send: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: '101',
    rule: 'RFC 9110 15.2.2',
    send: 'HTTP/1.1 101 S\r\n\r\n',
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },

  // Status line and headers
  {
    title: 'another protocol',
    rule: 'RFC 9112 4',
    send: 'SSH-2.0-x\r\n',
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  { title: 'HTML alone', rule: 'RFC 9112 4', send: '<html>hi</html>', expect: 'BYT_PROTOCOL', end: 'open' },
  {
    title: 'HTTP/2.0',
    rule: 'RFC 9112 2.3',
    send: HI.replace('1.1', '2.0'),
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'HTTP/0.9',
    rule: 'RFC 9112 2.3',
    send: HI.replace('1.1', '0.9'),
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'status 099',
    rule: 'RFC 9110 15',
    send: HI.replace('200', '099'),
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'status 1000',
    rule: 'RFC 9112 4',
    send: HI.replace('200', '1000'),
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'bare LF',
    rule: 'RFC 9112 2.2',
    send: HI.replaceAll('\r', ''),
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'NUL in a value',
    rule: 'RFC 9110 5.5',
    send: `${OK}X: a\0\r\n\r\n`,
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'folded line',
    rule: 'RFC 9112 5.2',
    send: `${OK}X: a\r\n b\r\n\r\n`,
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'space before the colon',
    rule: 'RFC 9112 5.1',
    send: `${OK}X : a\r\n\r\n`,
    expect: 'BYT_PROTOCOL',
    end: 'open',
  },
  {
    title: 'header as long as allowed',
    rule: 'limits.headerBytes',
    send: `${OK}X: ${'a'.repeat(1_000 - 43)}\r\nContent-Length: 2\r\n\r\nhi`,
    expect: '200 hi',
    limits: SMALL,
  },
  {
    title: 'one byte longer',
    rule: 'limits.headerBytes',
    send: `${OK}X: ${'a'.repeat(1_000 - 42)}\r\nContent-Length: 2\r\n\r\nhi`,
    expect: 'BYT_HEADERS_TOO_LARGE',
    limits: SMALL,
    end: 'open',
  },
  {
    title: 'header over every limit',
    rule: 'limits.headerBytes',
    send: `${OK}X: ${'a'.repeat(204_800)}\r\n\r\n`,
    expect: 'BYT_HEADERS_TOO_LARGE',
    end: 'open',
  },
  {
    title: 'endless white space before a value',
    rule: 'limits.headerBytes',
    send: [{ send: `${OK}X:` }, { repeat: ' '.repeat(50), every_ms: 1, max: 1_000 }],
    expect: 'BYT_HEADERS_TOO_LARGE',
    limits: SMALL,
  },
  {
    title: 'endless reason phrase',
    rule: 'limits.headerBytes',
    send: [{ send: 'HTTP/1.1 200 ' }, { repeat: 'x'.repeat(50), every_ms: 1, max: 1_000 }],
    expect: 'BYT_HEADERS_TOO_LARGE',
    limits: SMALL,
  },
  {
    title: 'endless empty lines',
    rule: 'limits.headerBytes',
    send: [{ repeat: '\r\n'.repeat(25), every_ms: 1, max: 1_000 }],
    expect: 'BYT_HEADERS_TOO_LARGE',
    limits: SMALL,
  },
  {
    title: 'interim responses with large headers',
    rule: 'limits.headerBytes',
    send: `HTTP/1.1 103 E\r\nX: ${'a'.repeat(400)}\r\n\r\n`.repeat(3) + HI,
    expect: 'BYT_HEADERS_TOO_LARGE',
    limits: SMALL,
    end: 'open',
  },
  {
    title: 'as many header lines as allowed',
    rule: 'limits.headerLines',
    send: `${OK}${'a:\r\n'.repeat(127)}Content-Length: 2\r\n\r\nhi`,
    expect: '200 hi',
  },
  {
    title: 'one more header line',
    rule: 'limits.headerLines',
    send: `${OK}${'a:\r\n'.repeat(128)}Content-Length: 2\r\n\r\nhi`,
    expect: 'BYT_HEADERS_TOO_LARGE',
    end: 'open',
  },

  // Framing
  ...[
    ['gzip, chunked', 'BYT_FRAMING'],
    ['chunked, chunked', 'BYT_FRAMING'],
    ['chunked\r\nTransfer-Encoding: chunked', 'BYT_FRAMING'],
    ['gzip', 'BYT_FRAMING'],
    ['chunked, gzip', 'BYT_FRAMING'],
    ['xchunked', 'BYT_FRAMING'],
    ['identity', 'BYT_FRAMING'],
    ['\x0bchunked', 'BYT_PROTOCOL'],
    ['chunked\xa0', 'BYT_FRAMING'],
  ].map(
    ([value = '', expect = '']): Case => ({
      title: `Transfer-Encoding: ${JSON.stringify(value)}`,
      rule: 'RFC 9112 6.1',
      send: `${OK}Transfer-Encoding: ${value}\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
      expect,
      end: 'open',
    }),
  ),
  {
    title: 'HTTP/1.0 with Transfer-Encoding',
    rule: 'RFC 9112 6.1',
    send: `${CHUNKED}2\r\nhi\r\n0\r\n\r\n`.replace('1.1', '1.0'),
    expect: 'BYT_FRAMING',
    end: 'open',
  },
  ...[
    '2\r\nContent-Length: 2',
    '2\r\nContent-Length: 3',
    '2, 2',
    '-2',
    '+2',
    '0x2',
    '',
    '99999999999999999999',
  ].map(
    (value): Case => ({
      title: `Content-Length: ${JSON.stringify(value)}`,
      rule: 'RFC 9110 8.6',
      send: `${OK}Content-Length: ${value}\r\n\r\nhi`,
      expect: 'BYT_PROTOCOL',
      end: 'open',
    }),
  ),
  ...[
    'Content-Length: 12\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 12',
  ].map(
    (both): Case => ({
      title: JSON.stringify(both),
      rule: 'RFC 9112 6.3 (3)',
      send: `${OK}${both}\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
      expect: 'BYT_PROTOCOL',
      end: 'open',
    }),
  ),
  ...['Content-Type: text/html', 'Date: tomorrow', 'Age: 1', 'Content-Location: /', 'Content-Range: x'].map(
    (line): Case => ({
      title: `two lines ${line}`,
      rule: 'RFC 9110 5.3',
      send: `${OK}${line}\r\n${line.toUpperCase()}\r\nContent-Length: 2\r\n\r\nhi`,
      expect: 'BYT_HEADER_DUPLICATE',
      end: 'open',
    }),
  ),
  {
    title: 'two lines ETag, Expires, Set-Cookie',
    rule: 'RFC 9110 5.3',
    send: `${OK}ETag: "a"\r\nETag: "b"\r\nExpires: 0\r\nExpires: 1\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nhi`,
    expect: '200 hi',
  },

  // Bodies that end early, or badly
  {
    title: 'short body',
    rule: 'RFC 9112 8',
    send: response('{"id":1}').slice(0, -1),
    expect: 'body BYT_TRUNCATED',
  },
  {
    title: 'delimited by close, but reset',
    rule: 'RFC 9112 8',
    send: `${OK}\r\nhi`,
    expect: 'body BYT_TRUNCATED',
    end: 'reset',
  },
  {
    title: 'short body, announced close',
    rule: 'RFC 9112 8',
    send: response('{"id":1}', 'Connection: close\r\n').slice(0, -1),
    expect: 'body BYT_TRUNCATED',
  },
  {
    title: 'short body, reset',
    rule: 'RFC 9112 8',
    send: response('{"id":1}').slice(0, -1),
    expect: 'body BYT_TRUNCATED',
    end: 'reset',
  },
  {
    title: 'short body, announced close, reset',
    rule: 'RFC 9112 8',
    send: response('{"id":1}', 'Connection: close\r\n').slice(0, -1),
    expect: 'body BYT_TRUNCATED',
    end: 'reset',
  },
  ...['2\r\nhi\r\n', '2\r\nhi\r\n0\r\n', '2\r\nh', '2'].flatMap((part): Case[] => [
    {
      title: `chunks cut after ${JSON.stringify(part)}`,
      rule: 'RFC 9112 8',
      send: CHUNKED + part,
      expect: 'body BYT_TRUNCATED',
    },
    {
      title: `chunks cut after ${JSON.stringify(part)}, announced close`,
      rule: 'RFC 9112 8',
      send: CHUNKED.replace(OK, `${OK}Connection: close\r\n`) + part,
      expect: 'body BYT_TRUNCATED',
    },
  ]),
  ...[
    'zz\r\nhi\r\n0\r\n\r\n',
    '2\r\nhixx0\r\n\r\n',
    '2\nhi\n0\n\n',
    '-2\r\nhi\r\n',
    'fffffffffffffffff\r\nhi\r\n',
  ].map(
    (part): Case => ({
      title: `chunk ${JSON.stringify(part)}`,
      rule: 'RFC 9112 7.1',
      send: CHUNKED + part,
      expect: 'body BYT_PROTOCOL',
      end: 'open',
    }),
  ),
  {
    title: 'chunk extension over the wire limit',
    rule: 'RFC 9112 7.1.1',
    send: [{ send: `${CHUNKED}1;` }, { repeat: 'x'.repeat(100), every_ms: 1, max: 1_000 }],
    expect: 'body BYT_WIRE_TOO_LARGE',
    limits: SMALL,
  },
  {
    title: 'one-byte chunks with extensions, over the wire limit together',
    rule: 'RFC 9112 7.1.1',
    send: [{ send: CHUNKED }, { repeat: `1;${'x'.repeat(100)}\r\n \r\n`, every_ms: 1, max: 1_000 }],
    expect: 'body BYT_WIRE_TOO_LARGE',
    limits: SMALL,
  },
  {
    title: 'huge trailer',
    rule: 'limits.headerBytes',
    send: `${CHUNKED}0\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`,
    expect: 'body BYT_HEADERS_TOO_LARGE',
    end: 'open',
  },

  // Connections that end before an answer
  { title: 'close', rule: 'RFC 9112 9.5', send: '', expect: 'UPS_CLOSED' },
  { title: 'reset', rule: 'RFC 9112 9.5', send: '', expect: 'UPS_CLOSED', end: 'reset' },
  { title: 'close in the status line', rule: 'RFC 9112 8', send: 'HTTP/1.', expect: 'UPS_CLOSED' },
  {
    title: 'close in the headers',
    rule: 'RFC 9112 8',
    send: `${OK}Content-Length: 2\r\nX`,
    expect: 'UPS_CLOSED',
  },
  { title: 'reset in the headers', rule: 'RFC 9112 8', send: `${OK}X`, expect: 'UPS_CLOSED', end: 'reset' },
  {
    title: 'close after an interim response',
    rule: 'RFC 9112 8',
    send: 'HTTP/1.1 102 P\r\n\r\n',
    expect: 'UPS_CLOSED',
  },
];

for (const { title, rule, send, expect, end = 'close', method, limits } of CASES) {
  t.test(`${title} (${rule})`, async (t) => {
    const steps: Step[] = typeof send === 'string' ? [{ send }] : [...send];
    // Long enough for the bytes to be read first: a reset drops what waits
    if (end === 'reset') steps.push({ sleep_ms: 30 }, { reset: true });
    if (end === 'close') steps.push({ close: true });
    const { upstream, client } = await setUp(t, steps);
    const asked = { ...(method && { method }), ...(limits && { limits }) };
    t.equal(await outcome(client, asked), expect);
    t.equal(upstream.requests.length, 1, 'one request');
    // Where it stays open only the client can have ended the connection
    if (end === 'open') await upstream.closed();
    t.equal(upstream.connections, 1, 'one connection');
  });
}
