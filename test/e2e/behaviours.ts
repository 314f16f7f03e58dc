import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { AgentCode, OperatorCode } from '../../src/fault/index.js';
import type { RouteLimits } from '../../src/route/index.js';
import type { Coding } from '../../src/upstream/index.js';
import type { Step } from '../support/tcp-upstream.js';

/** One way an upstream may behave on the wire, and what becomes of the call `GET /things/1` (contract THING). */
export interface Behaviour {
  readonly id: string;
  /** Specification that the expectation follows. */
  readonly rule: string;
  readonly steps: readonly Step[];
  /** `success`, or the operator code; several where the parser underneath may be the first to see it. */
  readonly expect: 'success' | OperatorCode | readonly OperatorCode[];
  readonly agent?: AgentCode;
  readonly offset?: number;
  readonly retryAfter?: number | null;
  readonly limits?: Partial<RouteLimits>;
  readonly codings?: readonly Coding[];
  readonly method?: 'HEAD';
  /** Adds a fresh check on the Date header. */
  readonly fresh?: true;
}

const THING = '{"id":1,"name":"a"}';

interface Parts {
  readonly status?: string;
  readonly type?: string | null;
  readonly headers?: readonly string[];
  readonly length?: number | null;
  readonly body?: string | Buffer;
}

/** One whole response and the end of the connection. */
function answer({
  status = '200 OK',
  type = 'application/json',
  headers = [],
  length,
  body = THING,
}: Parts): Step[] {
  const bytes = Buffer.from(body);
  const lines = [`HTTP/1.1 ${status}`];
  if (type !== null) lines.push(`Content-Type: ${type}`);
  lines.push(...headers);
  if (length !== null) lines.push(`Content-Length: ${length ?? bytes.byteLength}`);
  return [
    { send: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]) },
    { close: true },
  ];
}

function chunked(chunks: readonly string[], coding = 'chunked', last = '0\r\n\r\n'): Step[] {
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return answer({ headers: [`Transfer-Encoding: ${coding}`], length: null, body: framed + last });
}

function coded(coding: string, body: Buffer): Step[] {
  return answer({ headers: [`Content-Encoding: ${coding}`], body });
}

const gzipped = gzipSync(THING);
const SLOW = { firstByteMs: 400, totalMs: 700 };
const WIDE = { wireBytes: 8_388_608, decodedBytes: 8_388_608 };

export const BEHAVIOURS: readonly Behaviour[] = [
  // Sound answers
  { id: 'plain', rule: 'RFC 9110 15.3.1', steps: answer({}), expect: 'success' },
  {
    id: 'json suffix',
    rule: 'RFC 6839 3.1',
    steps: answer({ type: 'application/vnd.github+json; charset=utf-8' }),
    expect: 'success',
  },
  { id: 'chunked', rule: 'RFC 9112 7.1', steps: chunked([THING]), expect: 'success' },
  { id: 'chunks of one byte', rule: 'RFC 9112 7.1', steps: chunked([...THING]), expect: 'success' },
  { id: 'gzip', rule: 'RFC 9110 8.4.1.3', steps: coded('gzip', gzipped), expect: 'success' },
  {
    id: 'brotli, offered',
    rule: 'RFC 7932',
    steps: coded('br', brotliCompressSync(THING)),
    expect: 'success',
  },
  {
    id: 'HTTP/1.0, delimited by close',
    rule: 'RFC 9112 6.3',
    steps: [{ send: `HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${THING}` }, { close: true }],
    expect: 'success',
  },
  {
    id: 'delimited by close',
    rule: 'RFC 9112 6.3 (8)',
    steps: answer({ headers: ['Connection: close'], length: null }),
    expect: 'success',
  },
  {
    id: 'cookies',
    rule: 'RFC 6265',
    steps: answer({ headers: ['Set-Cookie: sid=secret; HttpOnly', 'Set-Cookie: b=2'] }),
    expect: 'success',
  },
  {
    id: 'headers that tell of the inside',
    rule: 'allow list',
    steps: answer({
      headers: [
        'Server: internal-1',
        'X-Debug-Token: t',
        'X-Backend: 10.0.0.7',
        'Authorization: Bearer leaked',
      ],
    }),
    expect: 'success',
  },
  {
    id: 'hop-by-hop headers',
    rule: 'RFC 9110 7.6.1',
    steps: answer({
      headers: [
        'Connection: close, X-Secret',
        'X-Secret: 1',
        'Keep-Alive: timeout=5',
        'Proxy-Authenticate: Basic',
      ],
    }),
    expect: 'success',
  },
  {
    id: 'cross-origin headers',
    rule: 'Fetch',
    steps: answer({ headers: ['Access-Control-Allow-Origin: *'] }),
    expect: 'success',
  },
  {
    id: 'header bytes beyond ASCII',
    rule: 'RFC 9110 5.5',
    steps: answer({ headers: ['X-Name: J\u00f6rg \u00e2\u0082\u00ac'] }),
    expect: 'success',
  },
  {
    id: 'headers named like prototype members',
    rule: 'CWE-1321',
    steps: answer({ headers: ['__proto__: x', 'constructor: y'] }),
    expect: 'success',
  },
  {
    id: 'two entity tags',
    rule: 'RFC 9110 5.3',
    steps: answer({ headers: ['ETag: "a"', 'ETag: "b"'] }),
    expect: 'success',
  },
  {
    id: 'long reason phrase',
    rule: 'RFC 9112 4',
    steps: answer({ status: `200 ${'x'.repeat(2000)}` }),
    expect: 'success',
  },
  {
    id: 'two responses at once',
    rule: 'RFC 9112 11.2',
    steps: [
      {
        send: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n${THING}HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"id":99}`,
      },
      { sleep_ms: 50 },
      { close: true },
    ],
    expect: 'success',
  },

  // Media type, charset, encoding
  {
    id: 'HTML page with 200',
    rule: 'RFC 9110 8.3',
    steps: answer({ type: 'text/html', body: '<!DOCTYPE html><h1>down</h1>' }),
    expect: 'BYT_MEDIA_TYPE',
  },
  {
    id: 'HTML labelled JSON',
    rule: 'RFC 8259 2',
    steps: answer({ body: '<html>login</html>' }),
    expect: 'PRS_SYNTAX',
    offset: 0,
  },
  {
    id: 'JSON labelled text',
    rule: 'RFC 9110 8.3',
    steps: answer({ type: 'text/plain' }),
    expect: 'BYT_MEDIA_TYPE',
  },
  {
    id: 'malformed content type',
    rule: 'RFC 9110 5.6.6',
    steps: answer({ type: 'application/json;;charset' }),
    expect: 'BYT_MEDIA_TYPE',
  },
  { id: 'no content type', rule: 'RFC 9110 8.3', steps: answer({ type: null }), expect: 'BYT_MEDIA_TYPE' },
  {
    id: 'two content types',
    rule: 'RFC 9110 5.3',
    steps: answer({ headers: ['Content-Type: text/html'] }),
    expect: 'BYT_HEADER_DUPLICATE',
  },
  {
    id: 'problem document with 200',
    rule: 'RFC 9457 3',
    steps: answer({
      type: 'application/problem+json',
      body: '{"type":"about:blank","title":"x","status":500}',
    }),
    expect: 'BYT_MEDIA_TYPE',
  },
  {
    id: 'text sequence',
    rule: 'RFC 7464',
    steps: answer({ type: 'application/json-seq', body: '\x1e{"id":1}\n' }),
    expect: 'BYT_MEDIA_TYPE',
  },
  {
    id: 'callback wrapper',
    rule: 'RFC 8259 2',
    steps: answer({ type: 'application/javascript', body: 'cb({"id":1})' }),
    expect: 'BYT_MEDIA_TYPE',
  },
  {
    id: 'byte order mark',
    rule: 'RFC 8259 8.1',
    steps: answer({ body: `\ufeff${THING}` }),
    expect: 'PRS_BOM',
    offset: 0,
  },
  {
    id: 'UTF-16, little endian with mark',
    rule: 'RFC 8259 8.1',
    steps: answer({ body: Buffer.from(`\ufeff${THING}`, 'utf16le') }),
    expect: 'PRS_UTF8',
    offset: 0,
  },
  {
    id: 'UTF-16, big endian without mark',
    rule: 'RFC 8259 8.1',
    steps: answer({ body: Buffer.from(THING, 'utf16le').swap16() }),
    expect: 'PRS_SYNTAX',
    offset: 0,
  },
  {
    id: 'latin-1, labelled',
    rule: 'RFC 8259 8.1',
    steps: answer({
      type: 'application/json; charset=iso-8859-1',
      body: Buffer.from('{"name":"J\u00f6rg"}', 'latin1'),
    }),
    expect: 'BYT_CHARSET',
  },
  {
    id: 'latin-1, unlabelled',
    rule: 'RFC 3629 3',
    steps: answer({ body: Buffer.from('{"name":"J\u00f6rg"}', 'latin1') }),
    expect: 'PRS_UTF8',
    offset: 10,
  },
  {
    id: 'invalid UTF-8',
    rule: 'RFC 3629 3',
    steps: answer({ body: Buffer.from('{"a":"\xff"}', 'latin1') }),
    expect: 'PRS_UTF8',
    offset: 6,
  },

  // The document
  {
    id: 'two documents',
    rule: 'RFC 8259 2',
    steps: answer({ body: '{"safe":1}{"token":2}' }),
    expect: 'PRS_TRAILING',
    offset: 10,
  },
  {
    id: 'guard prefix',
    rule: 'RFC 8259 2',
    steps: answer({ body: ')]}\'\n{"id":1}' }),
    expect: 'PRS_SYNTAX',
    offset: 0,
  },
  { id: 'empty body', rule: 'RFC 8259 2', steps: answer({ body: '' }), expect: 'PRS_EMPTY' },
  {
    id: 'duplicate member, escaped',
    rule: 'RFC 8259 4',
    steps: answer({ body: '{"id":1,"\\u0069d":2}' }),
    expect: 'PRS_DUPLICATE_NAME',
    offset: 8,
  },
  {
    id: 'deep nesting',
    rule: 'RFC 8259 9',
    steps: answer({ body: '['.repeat(100_000) + ']'.repeat(100_000) }),
    expect: 'PRS_DEPTH',
    offset: 32,
  },
  {
    id: 'many members',
    rule: 'RFC 8259 9',
    steps: answer({ body: `{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join(',')}}` }),
    expect: 'PRS_MEMBERS',
    limits: WIDE,
  },
  {
    id: 'a long number',
    rule: 'RFC 8259 9',
    steps: answer({ body: `{"v":${'1'.repeat(1_048_576)}}` }),
    expect: 'PRS_NUMBER_LENGTH',
    offset: 69,
    limits: WIDE,
  },

  // Status
  {
    id: '204 with a body',
    rule: 'RFC 9110 15.3.5',
    steps: answer({ status: '204 No Content' }),
    expect: 'CON_DECLARED_FAILURE',
    agent: 'NOT_FOUND',
  },
  {
    id: '204',
    rule: 'RFC 9110 15.3.5',
    steps: answer({ status: '204 No Content', type: null, length: null, body: '' }),
    expect: 'CON_DECLARED_FAILURE',
    agent: 'NOT_FOUND',
  },
  {
    id: '205 with a body',
    rule: 'RFC 9110 15.3.6',
    steps: answer({ status: '205 Reset Content' }),
    expect: 'BYT_STATUS',
  },
  {
    id: '202 still computing',
    rule: 'RFC 9110 15.3.3',
    steps: answer({ status: '202 Accepted', body: '{}' }),
    expect: 'CON_DECLARED_FAILURE',
    agent: 'UPSTREAM_UNAVAILABLE',
  },
  {
    id: '203 transformed',
    rule: 'RFC 9110 15.3.4',
    steps: answer({ status: '203 Non-Authoritative Information' }),
    expect: 'BYT_STATUS',
  },
  {
    id: '207 multi-status',
    rule: 'RFC 4918 13',
    steps: answer({ status: '207 Multi-Status', body: '[{"status":200},{"status":500}]' }),
    expect: 'BYT_STATUS',
  },
  { id: 'unknown 2xx', rule: 'RFC 9110 15', steps: answer({ status: '299 Weird' }), expect: 'BYT_STATUS' },
  {
    id: 'status 999',
    rule: 'RFC 9110 15',
    steps: answer({ status: '999 Nope' }),
    expect: ['BYT_STATUS', 'BYT_PROTOCOL'],
  },
  {
    id: 'redirect, same origin',
    rule: 'RFC 9110 15.4',
    steps: answer({
      status: '301 Moved Permanently',
      headers: ['Location: /new'],
      body: '{"message":"Moved"}',
    }),
    expect: 'BYT_REDIRECT',
  },
  {
    id: 'redirect to another origin',
    rule: 'RFC 9110 15.4',
    steps: answer({
      status: '302 Found',
      type: null,
      headers: ['Location: http://other.invalid/x'],
      body: '',
    }),
    expect: 'BYT_REDIRECT',
  },
  {
    id: 'redirect to itself',
    rule: 'RFC 9110 15.4',
    steps: answer({ status: '302 Found', type: null, headers: ['Location: /things/1'], body: '' }),
    expect: 'BYT_REDIRECT',
  },
  {
    id: '401',
    rule: 'RFC 9110 11.6.1',
    steps: answer({
      status: '401 Unauthorized',
      headers: ['WWW-Authenticate: Bearer realm="x"'],
      body: '{"message":"Bad credentials"}',
    }),
    expect: 'UPS_DENIED',
    agent: 'DENIED',
  },
  {
    id: '407',
    rule: 'RFC 9110 11.7',
    steps: answer({
      status: '407 Proxy Authentication Required',
      type: null,
      headers: ['Proxy-Authenticate: Basic realm=x'],
      body: '',
    }),
    expect: 'BYT_STATUS',
  },
  {
    id: '429, seconds',
    rule: 'RFC 9110 10.2.3',
    steps: answer({ status: '429 Too Many Requests', headers: ['Retry-After: 2'], body: '{}' }),
    expect: 'UPS_RATE_LIMITED',
    agent: 'RATE_LIMITED',
    retryAfter: 2,
  },
  {
    id: '429, far date',
    rule: 'RFC 9110 10.2.3',
    steps: answer({
      status: '429 Too Many Requests',
      headers: ['Retry-After: Fri, 31 Dec 2999 23:59:59 GMT'],
      body: '{}',
    }),
    expect: 'UPS_RATE_LIMITED',
    retryAfter: 3600,
  },
  {
    id: '429, junk',
    rule: 'RFC 9110 10.2.3',
    steps: answer({ status: '429 Too Many Requests', headers: ['Retry-After: soon'], body: '{}' }),
    expect: 'UPS_RATE_LIMITED',
    retryAfter: null,
  },
  {
    id: '429, negative',
    rule: 'RFC 9110 10.2.3',
    steps: answer({ status: '429 Too Many Requests', headers: ['Retry-After: -5'], body: '{}' }),
    expect: 'UPS_RATE_LIMITED',
    retryAfter: null,
  },
  {
    id: '503',
    rule: 'RFC 9110 15.6.4',
    steps: answer({ status: '503 Service Unavailable', type: 'text/html', body: '<h1>busy</h1>' }),
    expect: 'UPS_SERVER_ERROR',
    agent: 'UPSTREAM_UNAVAILABLE',
  },
  {
    id: 'unasked protocol switch',
    rule: 'RFC 9110 15.2.2',
    steps: [
      { send: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n' },
      { sleep_ms: 100 },
      { close: true },
    ],
    expect: 'BYT_PROTOCOL',
  },
  {
    id: 'flood of interim responses',
    rule: 'RFC 9110 15.2',
    steps: [{ send: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000) }, ...answer({})],
    expect: 'BYT_INTERIM',
  },
  {
    id: 'a few interim responses',
    rule: 'RFC 9110 15.2',
    steps: [
      { send: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n' },
      ...answer({}),
    ],
    expect: 'success',
  },

  // Framing
  {
    id: 'shorter than announced',
    rule: 'RFC 9112 8',
    steps: answer({ length: 100 }),
    expect: 'BYT_TRUNCATED',
  },
  {
    id: 'longer than announced',
    rule: 'RFC 9112 6.3',
    steps: answer({ length: 8, body: '{"id":1}<html>extra' }),
    expect: ['CON_NO_ALTERNATIVE', 'BYT_PROTOCOL'],
  },
  {
    id: 'length twice, equal',
    rule: 'RFC 9110 8.6',
    steps: answer({ headers: ['Content-Length: 19'] }),
    expect: ['BYT_HEADER_DUPLICATE', 'BYT_PROTOCOL'],
  },
  {
    id: 'length twice, different',
    rule: 'RFC 9112 6.3 (5)',
    steps: answer({ headers: ['Content-Length: 5'] }),
    expect: ['BYT_HEADER_DUPLICATE', 'BYT_PROTOCOL'],
  },
  {
    id: 'length as list',
    rule: 'RFC 9110 8.6',
    steps: answer({ length: null, headers: ['Content-Length: 19, 19'] }),
    expect: ['BYT_HEADER_DUPLICATE', 'BYT_PROTOCOL'],
  },
  { id: 'negative length', rule: 'RFC 9112 6.3', steps: answer({ length: -1 }), expect: 'BYT_PROTOCOL' },
  {
    id: 'chunked twice',
    rule: 'RFC 9112 6.1',
    steps: chunked([THING], 'chunked, chunked'),
    expect: 'BYT_FRAMING',
  },
  {
    id: 'gzip as transfer coding',
    rule: 'RFC 9112 6.1',
    steps: chunked([THING], 'gzip, chunked'),
    expect: 'BYT_FRAMING',
  },
  {
    id: 'chunked and length',
    rule: 'RFC 9112 6.3 (3)',
    steps: answer({ headers: ['Transfer-Encoding: chunked'], body: `13\r\n${THING}\r\n0\r\n\r\n` }),
    expect: ['BYT_FRAMING', 'BYT_PROTOCOL'],
  },
  {
    id: 'chunked, cut before the last chunk',
    rule: 'RFC 9112 8',
    steps: chunked([THING], 'chunked', ''),
    expect: 'BYT_TRUNCATED',
  },
  {
    id: 'malformed chunk size',
    rule: 'RFC 9112 7.1',
    steps: answer({
      headers: ['Transfer-Encoding: chunked'],
      length: null,
      body: `zz\r\n${THING}\r\n0\r\n\r\n`,
    }),
    expect: 'BYT_PROTOCOL',
  },
  {
    id: 'endless chunks',
    rule: 'RFC 9112 7.1',
    steps: [
      ...chunked([], 'chunked', '').slice(0, 1),
      { repeat: `400\r\n${' '.repeat(1024)}\r\n`, every_ms: 1, max: 20_000 },
    ],
    expect: 'BYT_WIRE_TOO_LARGE',
    limits: { wireBytes: 65_536 },
  },
  {
    id: 'announced above the limit',
    rule: 'limits',
    steps: answer({ body: ' '.repeat(2_000) }),
    expect: 'BYT_WIRE_TOO_LARGE',
    limits: { wireBytes: 1_999 },
  },
  {
    id: 'not HTTP',
    rule: 'RFC 9112 4',
    steps: [{ send: 'SSH-2.0-OpenSSH_9.9\r\n' }, { close: true }],
    expect: 'BYT_PROTOCOL',
  },
  {
    id: 'huge header',
    rule: 'limits',
    steps: answer({ headers: [`X-Big: ${'a'.repeat(204_800)}`] }),
    expect: 'BYT_HEADERS_TOO_LARGE',
  },
  {
    id: 'many header lines',
    rule: 'limits',
    steps: answer({ headers: Array.from({ length: 200 }, (_, i) => `X-${i}: 1`) }),
    expect: 'BYT_HEADERS_TOO_LARGE',
  },
  {
    id: 'HEAD without body',
    rule: 'RFC 9110 9.3.2',
    method: 'HEAD',
    steps: answer({ headers: ['Transfer-Encoding: chunked'], length: null, body: '' }),
    expect: 'PRS_EMPTY',
  },

  // Codings
  {
    id: 'gzip bomb',
    rule: 'limits',
    steps: coded('gzip', gzipSync(Buffer.alloc(67_108_864, ' '))),
    expect: ['BYT_RATIO', 'BYT_DECODED_TOO_LARGE'],
  },
  {
    id: 'gzip twice',
    rule: 'RFC 9110 8.4',
    steps: coded('gzip, gzip', gzipSync(gzipped)),
    expect: 'BYT_CODING',
  },
  {
    id: 'six codings',
    rule: 'RFC 9110 8.4',
    steps: coded('gzip, gzip, gzip, gzip, gzip, gzip', gzipped),
    expect: 'BYT_CODING',
  },
  {
    id: 'two coding lines',
    rule: 'RFC 9110 8.4',
    steps: answer({ headers: ['Content-Encoding: gzip', 'Content-Encoding: gzip'], body: gzipSync(gzipped) }),
    expect: ['BYT_CODING', 'BYT_HEADER_DUPLICATE'],
  },
  {
    id: 'gzip without label',
    rule: 'RFC 9110 8.4',
    steps: answer({ body: gzipped }),
    expect: 'PRS_SYNTAX',
    offset: 0,
  },
  {
    id: 'gzip, cut',
    rule: 'RFC 1952 2.2',
    steps: coded('gzip', gzipped.subarray(0, gzipped.byteLength - 6)),
    expect: 'BYT_CODING_CORRUPT',
  },
  {
    id: 'gzip, garbage behind',
    rule: 'RFC 1952 2.2',
    steps: coded('gzip', Buffer.concat([gzipped, Buffer.from('garbage')])),
    expect: 'BYT_CODING_CORRUPT',
  },
  {
    id: 'gzip, second member',
    rule: 'RFC 1952 2.2',
    steps: coded('gzip', Buffer.concat([gzipped, gzipSync('{"id":2}')])),
    expect: 'BYT_CODING_CORRUPT',
  },
  {
    id: 'deflate, zlib',
    rule: 'RFC 9110 8.4.1.2',
    steps: coded('deflate', deflateSync(THING)),
    expect: 'BYT_CODING',
  },
  {
    id: 'deflate, raw',
    rule: 'RFC 9110 8.4.1.2',
    steps: coded('deflate', deflateRawSync(THING)),
    expect: 'BYT_CODING',
  },
  {
    id: 'brotli, not offered',
    rule: 'RFC 9110 12.5.3',
    steps: coded('br', brotliCompressSync(THING)),
    expect: 'BYT_CODING',
    codings: ['gzip'],
  },

  // Time
  {
    id: 'slow headers',
    rule: 'limits.first_byte',
    steps: [
      {
        drip: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n${THING}`,
        every_ms: 100,
      },
    ],
    expect: 'UPS_FIRST_BYTE_TIMEOUT',
    limits: SLOW,
  },
  {
    id: 'slow body',
    rule: 'limits.total',
    steps: [
      { send: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n' },
      { repeat: ' ', every_ms: 50, max: 5000 },
    ],
    expect: 'UPS_TOTAL_TIMEOUT',
    limits: SLOW,
  },
  {
    id: 'stall in the body',
    rule: 'limits.total',
    steps: [
      { send: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"id":' },
      { sleep_ms: 3000 },
      { close: true },
    ],
    expect: 'UPS_TOTAL_TIMEOUT',
    limits: SLOW,
  },
  { id: 'close without response', rule: 'RFC 9112 9.3.1', steps: [{ close: true }], expect: 'UPS_CLOSED' },
  { id: 'reset without response', rule: 'RFC 9112 9.3.1', steps: [{ reset: true }], expect: 'UPS_CLOSED' },
  {
    id: 'close in the headers',
    rule: 'RFC 9112 8',
    steps: [{ send: 'HTTP/1.1 200 OK\r\nContent-Ty' }, { close: true }],
    expect: ['UPS_CLOSED', 'BYT_PROTOCOL'],
  },
  {
    id: 'old public answer from a cache',
    rule: 'RFC 9111 4.2.3',
    fresh: true,
    steps: answer({
      headers: ['Cache-Control: public, max-age=600', 'Age: 90000', 'Date: Mon, 01 Jan 2001 00:00:00 GMT'],
    }),
    expect: 'CHK_FRESH_STALE',
  },
  {
    id: 'unreadable date',
    rule: 'RFC 9110 6.6.1',
    fresh: true,
    steps: answer({ headers: ['Date: tomorrow'] }),
    expect: 'CHK_FRESH_UNKNOWN',
  },

  // Meaning
  {
    id: 'error object with 200',
    rule: 'contract',
    steps: answer({ body: '{"error":{"code":500,"message":"boom"}}' }),
    expect: 'CON_NO_ALTERNATIVE',
  },
  {
    id: 'ok: false with 200',
    rule: 'contract',
    steps: answer({ body: '{"ok":false,"error":"invalid_auth"}' }),
    expect: 'CON_NO_ALTERNATIVE',
  },
  {
    id: 'another object than asked',
    rule: 'bind',
    steps: answer({ body: '{"id":2,"name":"b"}' }),
    expect: 'CHK_BIND',
  },
];
