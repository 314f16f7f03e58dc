import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { BUILT_IN_PROFILES, type FailureProfile } from '../../src/envelope/index.js';
import type { OperatorCode } from '../../src/fault/index.js';
import type { AuditRecord } from '../../src/record/index.js';
import { startServer } from '../../src/server/index.js';
import { planOf, THING } from '../support/harness.js';
import { rawRequest } from '../support/raw-request.js';
import { settingsOf } from '../support/settings.js';
import { playUpstream } from '../support/tcp-upstream.js';

/**
 * A token that nothing but the upstream knows is planted in every place of an answer that it can write; whatever
 * becomes of the call, not one byte of the agent's side (status line, headers, body) may hold it.
 */
const CANARY = 'cAnArY7Zq';
const BITS = [
  CANARY,
  CANARY.toLowerCase(),
  Buffer.from(CANARY).toString('base64'),
  Buffer.from(CANARY).toString('hex'),
];

const CONTRACT: ContractDefinition = {
  ...THING,
  responses: [
    ...THING.responses,
    { status: 403, failure: 'DENIED' },
    {
      status: 409,
      schema: { type: 'object', required: ['why'], properties: { why: { type: 'string' } } },
      failure: { by: '/why', map: { taken: 'CONFLICT' } },
    },
  ],
};

const HEADERS = [
  `Server: ${CANARY}`,
  `X-${CANARY}: 1`,
  `X-Value: ${CANARY}`,
  `Set-Cookie: sid=${CANARY}`,
  `Link: <http://x/${CANARY}>; rel="next"`,
  `Location: /${CANARY}`,
  `ETag: "${CANARY}"`,
  `WWW-Authenticate: Bearer realm="${CANARY}"`,
  `Warning: 199 - "${CANARY}"`,
  `X-Request-Id: ${CANARY}`,
  `Content-Language: ${CANARY}`,
  `Access-Control-Allow-Origin: https://${CANARY}`,
  `Connection: ${CANARY}`,
  `Trailer: X-${CANARY}-T`,
];

interface Parts {
  readonly status?: string;
  readonly type?: string;
  readonly body: string | Buffer;
  readonly headers?: readonly string[];
  readonly framing?: 'length' | 'chunked';
}

/** One response with the token in its reason phrase, in every header, in chunk extensions and in a trailer. */
function planted({
  status = '200',
  type = 'application/json',
  body,
  headers = [],
  framing = 'length',
}: Parts): Buffer {
  const bytes = Buffer.from(body);
  const head = [
    `HTTP/1.1 ${status} ${CANARY}`,
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    ...HEADERS,
    ...headers,
  ];
  if (framing === 'length') {
    head.push(`Content-Length: ${bytes.byteLength}`);
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
  }
  head.push('Transfer-Encoding: chunked');
  const chunk = `${bytes.byteLength.toString(16)};ext=${CANARY}`;
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n${chunk}\r\n`),
    bytes,
    Buffer.from(`\r\n0;last=${CANARY}\r\nX-${CANARY}-T: ${CANARY}\r\nContent-Type: text/${CANARY}\r\n\r\n`),
  ]);
}

const GOOD = `{"id":1,"name":"a","${CANARY}":"${CANARY}","more":{"${CANARY}":["${CANARY}",{"x":"${CANARY}"}]}}`;

interface Case {
  readonly title: string;
  readonly send: Buffer;
  readonly code: OperatorCode | null;
  /** Other codes that the HTTP parser may be quick enough to give. */
  readonly or?: OperatorCode;
}

const CASES: readonly Case[] = [
  { title: 'success', send: planted({ body: GOOD }), code: null },
  {
    title: 'success, chunked with extensions and trailers',
    send: planted({ body: GOOD, framing: 'chunked' }),
    code: null,
  },
  {
    title: 'success, gzip',
    send: planted({ body: gzipSync(GOOD), headers: ['Content-Encoding: gzip'] }),
    code: null,
  },
  {
    title: 'stray bytes behind the body',
    send: Buffer.concat([planted({ body: GOOD }), Buffer.from(CANARY)]),
    code: null,
    or: 'BYT_PROTOCOL',
  },
  { title: 'trailing content', send: planted({ body: `${GOOD}${CANARY}` }), code: 'PRS_TRAILING' },
  { title: 'not JSON', send: planted({ body: CANARY }), code: 'PRS_SYNTAX' },
  { title: 'cut', send: planted({ body: `{"id":1,"name":"${CANARY}` }), code: 'PRS_TRUNCATED' },
  {
    title: 'duplicate of that name',
    send: planted({ body: `{"id":1,"name":"a","${CANARY}":1,"${CANARY}":2}` }),
    code: 'PRS_DUPLICATE_NAME',
  },
  { title: 'bad escape', send: planted({ body: `{"id":1,"name":"\\${CANARY}"}` }), code: 'PRS_ESCAPE' },
  {
    title: 'number behind it',
    send: planted({ body: `{"id":1e999,"name":"${CANARY}"}` }),
    code: 'PRS_INTEGER_RANGE',
  },
  {
    title: 'no alternative',
    send: planted({ body: `{"id":"${CANARY}","name":"a"}` }),
    code: 'CON_NO_ALTERNATIVE',
  },
  {
    title: 'too long a value',
    send: planted({ body: `{"id":1,"name":"${CANARY.repeat(10)}"}` }),
    code: 'CON_NO_ALTERNATIVE',
  },
  { title: 'another object', send: planted({ body: `{"id":2,"name":"${CANARY}"}` }), code: 'CHK_BIND' },
  { title: 'hidden text', send: planted({ body: `{"id":1,"name":"${CANARY}\\u202e"}` }), code: 'SEL_TEXT' },
  { title: 'media type', send: planted({ type: `text/${CANARY}`, body: CANARY }), code: 'BYT_MEDIA_TYPE' },
  {
    title: 'malformed media type',
    send: planted({ type: `application/json;;${CANARY}`, body: GOOD }),
    code: 'BYT_MEDIA_TYPE',
  },
  {
    title: 'charset',
    send: planted({ type: `application/json; charset=${CANARY}`, body: GOOD }),
    code: 'BYT_CHARSET',
  },
  {
    title: 'coding',
    send: planted({ body: GOOD, headers: [`Content-Encoding: ${CANARY}`] }),
    code: 'BYT_CODING',
  },
  {
    title: 'corrupt coding',
    send: planted({ body: CANARY, headers: ['Content-Encoding: gzip'] }),
    code: 'BYT_CODING_CORRUPT',
  },
  {
    title: 'transfer coding',
    send: planted({ body: GOOD, headers: [`Transfer-Encoding: ${CANARY}`] }),
    code: 'BYT_FRAMING',
    or: 'BYT_PROTOCOL',
  },
  {
    title: 'undeclared status',
    send: planted({ status: '418', body: `{"message":"${CANARY}"}` }),
    code: 'BYT_STATUS',
  },
  { title: 'redirect', send: planted({ status: '302', body: CANARY }), code: 'BYT_REDIRECT' },
  {
    title: 'server error',
    send: planted({ status: '500', type: 'text/html', body: `<h1>${CANARY}</h1>` }),
    code: 'UPS_SERVER_ERROR',
  },
  {
    title: 'rate limit',
    send: planted({ status: '429', body: `{"message":"${CANARY}"}`, headers: [`Retry-After: ${CANARY}`] }),
    code: 'UPS_RATE_LIMITED',
  },
  { title: 'denied', send: planted({ status: '401', body: `{"message":"${CANARY}"}` }), code: 'UPS_DENIED' },
  {
    title: 'declared failure, unread',
    send: planted({ status: '404', body: `{"message":"${CANARY}"}` }),
    code: 'CON_DECLARED_FAILURE',
  },
  {
    title: 'declared failure, read',
    send: planted({ status: '409', body: `{"why":"taken","message":"${CANARY}"}` }),
    code: 'CON_DECLARED_FAILURE',
  },
  {
    title: 'unmapped failure',
    send: planted({ status: '409', body: `{"why":"${CANARY}"}` }),
    code: 'CON_UNMAPPED_FAILURE',
  },
  { title: 'not HTTP', send: Buffer.from(`${CANARY}\r\n\r\n`), code: 'BYT_PROTOCOL' },
  {
    title: 'malformed header',
    send: Buffer.from(`HTTP/1.1 200 OK\r\n${CANARY}\r\n\r\n`),
    code: 'BYT_PROTOCOL',
  },
  {
    title: 'interim responses',
    send: Buffer.concat([
      Buffer.from(`HTTP/1.1 103 ${CANARY}\r\nLink: <${CANARY}>\r\n\r\n`),
      planted({ body: GOOD }),
    ]),
    code: null,
  },
  {
    title: 'cut in the headers',
    send: Buffer.from(`HTTP/1.1 200 OK\r\nX-A: ${CANARY}`),
    code: 'UPS_CLOSED',
    or: 'BYT_PROTOCOL',
  },
];

for (const answer of ['envelope', 'data'] as const) {
  const profile = BUILT_IN_PROFILES.get(answer === 'data' ? 'github' : 'envelope') as FailureProfile;
  t.test(`answer: ${answer}`, async (t) => {
    let current = CASES[0] as Case;
    const upstream = await playUpstream(() => [{ send: current.send }, { close: true }]);
    const records: AuditRecord[] = [];
    const server = await startServer(
      settingsOf([planOf({ origin: upstream.url, contract: CONTRACT, answer, profile })]),
      {
        proven: true,
        onRecord: (record) => records.push(record),
      },
    );
    t.teardown(async () => {
      await server.close();
      await upstream.close();
    });
    for (const one of CASES) {
      current = one;
      records.length = 0;
      const raw = await rawRequest(
        server.agentUrl,
        'GET /things/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      );
      const text = raw.toString('latin1');
      t.match(text, /^HTTP\/1\.1 \d{3} /, `${one.title}: answered`);
      for (const bit of BITS) t.notOk(text.includes(bit), `${one.title}: nothing of the token in the answer`);
      const [record] = records;
      t.equal(records.length, 1);
      const codes = one.or === undefined ? [one.code] : [one.code, one.or];
      t.ok(
        codes.includes((record as AuditRecord).operator_code),
        `${one.title}: ${record?.operator_code} is of ${codes}`,
      );
      if (record?.operator_code === null) t.match(text, /"id":1,"name":"a"/, `${one.title}: data`);
    }
  });
}
