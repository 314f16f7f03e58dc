import { createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ContractDefinition, JsonSchema, ResponseDefinition } from '../../src/contract/index.js';
import { Fault, OPERATOR_CODES, type OperatorCode } from '../../src/fault/index.js';
import { DEFAULT_SCAN_LIMITS } from '../../src/json/index.js';
import type { IncomingCall, PipelineDeps, RouteLimits } from '../../src/route/index.js';
import { Cancellation, DEFAULT_KEY_SET_OPTIONS, RemoteKeys } from '../../src/upstream/index.js';
import { harness, type PlanOptions, planOf, THING } from '../support/harness.js';
import { ED25519, hmac, jws, publicKeys, ring, SECRET, secrets } from '../support/signing.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';
import {
  AUDIENCE,
  contractOf,
  digestClaim,
  ISSUER,
  KINDS,
  type SignedKind,
  signMessage,
} from './signed-answers.js';

/** One way to each operator code. The record's type makes a code without a case a compile error. */
interface Way {
  /** What the upstream sends; the default is a good answer. */
  readonly steps?: readonly Step[];
  readonly contract?: ContractDefinition;
  readonly plan?: Partial<PlanOptions>;
  readonly limits?: Partial<RouteLimits>;
  readonly scan?: Partial<RouteLimits['scan']>;
  readonly target?: string;
  readonly call?: Partial<IncomingCall>;
  readonly deps?: Partial<PipelineDeps>;
  /** Takes the place of the upstream's origin. */
  readonly origin?: string | (() => Promise<string>);
  readonly auditBroken?: true;
  readonly agentLeavesAfterMs?: number;
}

function ok(
  body: string | Buffer,
  type = 'application/json',
  head: readonly string[] = [],
  status = '200 OK',
): Step[] {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${type}`,
    ...head,
    `Content-Length: ${bytes.byteLength}`,
  ];
  return [{ send: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]) }, { close: true }];
}

const raw = (text: string): Step[] => [{ send: text }, { close: true }];
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const good = '{"id":1,"name":"a"}';

function withQuery(query: Record<string, JsonSchema>): ContractDefinition {
  return { ...THING, request: { ...THING.request, query } };
}

function withBody(): ContractDefinition {
  const body = {
    media_type: 'application/json',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['x'],
      properties: { x: { type: 'integer' } },
    },
  } as const;
  return { ...THING, request: { ...THING.request, body: { ...body, required: true } } };
}

function withResponse(...responses: ResponseDefinition[]): ContractDefinition {
  return { ...THING, responses };
}

const first = THING.responses[0] as ResponseDefinition;
const openThing: JsonSchema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const post = (body: string, ...headers: [string, string][]): Partial<IncomingCall> => ({
  method: 'POST',
  body: Buffer.from(body),
  headers,
});
const json: [string, string] = ['Content-Type', 'application/json'];

function selecting(name: ResponseDefinition['select']): ContractDefinition {
  return withResponse({ status: 200, schema: openThing, ...(name === undefined ? {} : { select: name }) });
}

function fresh(check: { header?: 'date' }): ContractDefinition {
  return withResponse({ ...first, checks: [{ id: 'recent', fresh: { ...check, within: '60s' } }] });
}

function ruled(rule: string): ContractDefinition {
  return withResponse({ ...first, checks: [{ id: 'rule', rule, reads: { id: '/id' } }] });
}

const dated = (ms: number) =>
  ok(good, 'application/json', [`Date: ${new Date(Date.now() + ms).toUTCString()}`]);

/** A port that takes connections and says nothing. */
async function silentServer(): Promise<string> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `https://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** A contract that demands an HMAC and one that demands a token about the body, with the keys of both. */
const mac = contractOf({ id: 'signed', hmac: { key: 'k', header: 'x-mac', algorithm: 'sha256' } });
const macKeys = ring({ k: secrets(SECRET) });
const token = contractOf({
  id: 'signed',
  jws: {
    key: 'k',
    algorithms: ['EdDSA'],
    covers: 'digest',
    header: 'x-jws',
    digest: { claim: '/sha256', algorithm: 'sha-256', encoding: 'hex' },
    issuer: ISSUER,
    audience: AUDIENCE,
  },
});
const claims = { iss: ISSUER, aud: AUDIENCE, exp: 4_000_000_000, sha256: digestClaim(Buffer.from(good)) };
const tokenKeys = ring({ k: publicKeys(ED25519.publicKey) });
const nowhere = new RemoteKeys({
  ...DEFAULT_KEY_SET_OPTIONS,
  origin: 'http://127.0.0.1:1',
  target: '/jwks',
});
const bearing = async (more: object) =>
  ok(good, 'application/json', [`X-Jws: ${await jws({ ...claims, ...more })}`]);

/** REQ_PROTOCOL is the listener's: what is refused with it is no call (test/server/agent-server.test.ts). */
type CallCode = Exclude<OperatorCode, 'REQ_PROTOCOL'>;

const WAYS: Record<CallCode, Way> = {
  REQ_UNAUTHENTICATED: { call: { authenticated: false } },
  REQ_NO_ROUTE: { target: '/nothing' },
  REQ_PATH_TOO_LONG: { target: `/things/${'1'.repeat(5_000)}` },
  REQ_PATH_UNSAFE: { target: '/things/%2e%2e' },
  REQ_PARAM_INVALID: { target: '/things/0' },
  REQ_QUERY_UNKNOWN: { target: '/things/1?x=1' },
  REQ_QUERY_INVALID: { target: '/things/1?page=x', contract: withQuery({ page: { type: 'integer' } }) },
  REQ_HEADER_INVALID: {
    contract: {
      ...THING,
      request: { ...THING.request, headers: { 'x-tenant': { type: 'string', pattern: '^[a-z]{1,8}$' } } },
    },
    call: { headers: [['X-Tenant', 'UPPER']] },
  },
  REQ_BODY_UNDECLARED: { call: post('{}', json), plan: { method: 'POST' } },
  REQ_BODY_MEDIA_TYPE: {
    call: post('{"x":1}', ['Content-Type', 'text/plain']),
    contract: withBody(),
    plan: { method: 'POST' },
  },
  REQ_BODY_TOO_LARGE: {
    call: { method: 'POST', body: null, headers: [json] },
    contract: withBody(),
    plan: { method: 'POST' },
  },
  REQ_BODY_SYNTAX: { call: post('{"x":1,"x":2}', json), contract: withBody(), plan: { method: 'POST' } },
  REQ_BODY_INVALID: { call: post('{"x":"1"}', json), contract: withBody(), plan: { method: 'POST' } },
  REQ_ABORTED: { agentLeavesAfterMs: 50, steps: [{ sleep_ms: 2000 }, { close: true }] },
  OVERLOADED: { call: { shed: true } },

  UPS_DNS: { origin: 'http://nothing.invalid' },
  UPS_CONNECT: { origin: 'http://127.0.0.1:9' },
  UPS_CONNECT_TIMEOUT: { origin: silentServer, limits: { connectMs: 200 } },
  UPS_TLS: { origin: plainServer },
  UPS_FIRST_BYTE_TIMEOUT: { steps: [{ sleep_ms: 2000 }, { close: true }], limits: { firstByteMs: 200 } },
  UPS_TOTAL_TIMEOUT: {
    steps: [{ send: `${head}Content-Length: 9\r\n\r\n{` }, { sleep_ms: 2000 }, { close: true }],
    limits: { totalMs: 300 },
  },
  UPS_CLOSED: { steps: [{ close: true }] },
  UPS_CIRCUIT_OPEN: {
    steps: ok('{}', 'application/json', [], '500 Oops'),
    plan: {
      retry: { attempts: 2, withinMs: 5_000, on: new Set([500]) },
      upstream: { breaker: { failures: 1, openMs: 60_000 } },
    },
  },
  UPS_DENIED: { steps: ok('{}', 'application/json', [], '403 Forbidden') },
  UPS_RATE_LIMITED: { steps: ok('{}', 'application/json', [], '429 Too Many Requests') },
  UPS_SERVER_ERROR: { steps: ok('{}', 'application/json', [], '500 Oops') },

  BYT_PROTOCOL: { steps: raw('SSH-2.0-x\r\n') },
  BYT_FRAMING: { steps: raw(`${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`) },
  BYT_INTERIM: { steps: [{ send: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50) }, ...ok(good)] },
  BYT_HEADERS_TOO_LARGE: {
    steps: ok(
      good,
      'application/json',
      Array.from({ length: 150 }, (_, i) => `X-${i}: 1`),
    ),
  },
  BYT_HEADER_DUPLICATE: { steps: ok(good, 'application/json', ['Content-Type: text/html']) },
  BYT_REDIRECT: { steps: ok('', 'text/plain', ['Location: /x'], '302 Found') },
  BYT_STATUS: { steps: ok(good, 'application/json', [], '203 Other') },
  BYT_MEDIA_TYPE: { steps: ok('<h1>down</h1>', 'text/html') },
  BYT_CHARSET: { steps: ok(good, 'application/json; charset=latin1') },
  BYT_CODING: { steps: ok(good, 'application/json', ['Content-Encoding: deflate']) },
  BYT_CODING_CORRUPT: { steps: ok('junk', 'application/json', ['Content-Encoding: gzip']) },
  BYT_RATIO: {
    steps: ok(gzipSync(Buffer.alloc(1_000_000, ' ')), 'application/json', ['Content-Encoding: gzip']),
  },
  BYT_WIRE_TOO_LARGE: { steps: ok(good), limits: { wireBytes: 18 } },
  BYT_DECODED_TOO_LARGE: {
    steps: ok(gzipSync(good), 'application/json', ['Content-Encoding: gzip']),
    limits: { decodedBytes: 18 },
  },
  BYT_TRUNCATED: { steps: raw(`${head}Content-Length: 100\r\n\r\n${good}`) },
  BYT_INCOMPLETE: {
    steps: raw(`${head}\r\n12`),
    contract: withResponse({
      status: 200,
      schema: { type: 'integer' },
      select: { id: '', name: 'request.id' },
    }),
  },
  BYT_BODY_UNEXPECTED: {
    steps: ok(good),
    contract: withResponse({ status: 200, select: { id: 'request.params.id', name: 'request.id' } }),
  },

  PRS_EMPTY: { steps: ok(' \n') },
  PRS_BOM: { steps: ok(`\ufeff${good}`) },
  PRS_UTF8: { steps: ok(Buffer.from('{"id":1,"name":"\xff"}', 'latin1')) },
  PRS_SYNTAX: { steps: ok('{"id":NaN}') },
  PRS_CONTROL: { steps: ok('{"name":"a\nb"}') },
  PRS_ESCAPE: { steps: ok('{"name":"\\x"}') },
  PRS_TRUNCATED: { steps: ok('{"id":1,') },
  PRS_TRAILING: { steps: ok(`${good}x`) },
  PRS_DUPLICATE_NAME: { steps: ok('{"id":1,"\\u0069d":2}') },
  PRS_DUPLICATE_NAME_CASE: {
    steps: ok('{"id":1,"name":"a","ID":2}'),
    contract: { ...THING, names: 'case_insensitive' },
  },
  PRS_DEPTH: { steps: ok('['.repeat(100)) },
  PRS_MEMBERS: { steps: ok('{"a":1,"b":2}'), scan: { members: 1 } },
  PRS_ITEMS: { steps: ok('{"a":[1,2]}'), scan: { items: 1 } },
  PRS_TOKENS: { steps: ok('{"a":[1,2]}'), scan: { tokens: 3 } },
  PRS_NAME_LENGTH: { steps: ok('{"abc":1}'), scan: { nameBytes: 2 } },
  PRS_STRING_LENGTH: { steps: ok('{"a":"abc"}'), scan: { stringBytes: 2 } },
  PRS_NUMBER_LENGTH: { steps: ok('{"a":123}'), scan: { numberBytes: 2 } },
  PRS_INTEGER_RANGE: { steps: ok('{"id":9007199254740993,"name":"a"}') },
  PRS_NUMBER_PRECISION: { steps: ok('{"id":0.12345678901234567890123,"name":"a"}') },
  PRS_SURROGATE: { steps: ok('{"id":1,"name":"\\ud800"}') },
  PRS_PATTERN: {
    steps: ok('Welcome!\nv1.2\n', 'text/plain'),
    contract: withResponse({
      status: 200,
      parse: { pattern: '^v(?<version>[0-9.]{1,20})\n?$' },
      select: { id: 'request.params.id', name: '/version' },
    }),
  },
  PRS_PROTO_NAME: { steps: ok('{"id":1,"name":"a","__proto__":1}') },

  SIG_MISSING: { steps: ok(good), contract: mac, plan: { keys: macKeys } },
  SIG_FORM: {
    steps: ok(good, 'application/json', ['X-Mac: sha256=x']),
    contract: mac,
    plan: { keys: macKeys },
  },
  SIG_ALGORITHM: {
    steps: ok(good, 'application/json', [
      `X-Jws: ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`,
    ]),
    contract: token,
    plan: { keys: tokenKeys },
  },
  SIG_COVERAGE: {
    steps: ok(
      good,
      'application/json',
      signMessage({ body: Buffer.from(good), method: '', targetUri: '', status: 200 }, 'ed25519', {
        parameters: `created=${Math.floor(Date.now() / 1000)}`,
        components: () => [['"@status"', '200']],
      }).lines.map(([name, value]) => `${name}: ${value}`),
    ),
    contract: contractOf((KINDS['HTTP message signature, ed25519'] as SignedKind).signature),
    plan: { keys: tokenKeys },
  },
  SIG_KEY: {
    steps: await bearing({}),
    contract: token,
    plan: {
      keys: ring({
        k: publicKeys(
          { key: ED25519.publicKey, kid: 'other', alg: 'EdDSA' },
          { key: ED25519.publicKey, kid: 'more' },
        ),
      }),
    },
  },
  SIG_KEYS_UNAVAILABLE: {
    steps: await bearing({}),
    contract: token,
    plan: { keys: ring({ k: { kind: 'public', keys: nowhere } }) },
  },
  SIG_INVALID: {
    steps: ok(good, 'application/json', [`X-Mac: ${hmac(Buffer.from('{}'))}`]),
    contract: mac,
    plan: { keys: macKeys },
  },
  SIG_DIGEST: {
    steps: await bearing({ sha256: digestClaim(Buffer.from('{}')) }),
    contract: token,
    plan: { keys: tokenKeys },
  },
  SIG_CLAIMS: { steps: await bearing({ aud: 'others' }), contract: token, plan: { keys: tokenKeys } },
  SIG_TIME: { steps: await bearing({ exp: 1 }), contract: token, plan: { keys: tokenKeys } },

  CON_NO_ALTERNATIVE: { steps: ok('{"id":null,"name":"a"}') },
  CON_AMBIGUOUS: { contract: withResponse(first, { status: 200, schema: openThing, failure: 'CONFLICT' }) },
  CON_HEADER: {
    steps: ok(good, 'application/json', ['X-Total: many']),
    contract: withResponse({ ...first, headers: { 'x-total': { type: 'integer', minimum: 0 } } }),
  },
  CON_DECLARED_FAILURE: { steps: ok('{}', 'application/json', [], '404 Not Found') },
  CON_UNMAPPED_FAILURE: {
    contract: withResponse(
      { status: 200, schema: openThing, failure: { by: '/name', map: { b: 'CONFLICT' } } },
      { ...first, status: 201 },
    ),
  },
  // Deep equality asks the data for its valueOf.
  CON_THREW: {
    steps: ok('{"id":1,"v":{"valueOf":1,"a":"x"}}'),
    contract: withResponse({
      ...first,
      schema: { type: 'object', required: ['v'], properties: { v: { const: { a: 'x' } } } },
      select: { id: 'request.params.id', name: 'request.id' },
      checks: [],
    }),
  },

  CHK_BIND: { steps: ok('{"id":2,"name":"b"}') },
  CHK_FRESH_STALE: { steps: dated(-100_000), contract: fresh({ header: 'date' }) },
  CHK_FRESH_FUTURE: { steps: dated(100_000), contract: fresh({ header: 'date' }) },
  CHK_FRESH_UNKNOWN: { steps: ok(good), contract: fresh({ header: 'date' }) },

  CHK_RULE: { contract: ruled('id > 1') },
  CHK_RULE_UNDECIDED: { contract: ruled('10 / (id - 1) > 1') },

  SEL_MISSING: { steps: ok('{"id":1}'), contract: selecting({ id: '/id', name: '/name' }) },
  SEL_TYPE: { steps: ok('{"id":1,"name":{"x":1}}'), contract: selecting({ id: '/id', name: '/name' }) },
  SEL_MAP: { steps: ok(good), contract: selecting({ id: '/id', name: { from: '/name', map: { b: 'B' } } }) },
  SEL_CONVERT: {
    steps: ok(good),
    contract: selecting({ id: { from: '/name', convert: 'integer' }, name: '/name' }),
  },
  SEL_TEXT: { steps: ok('{"id":1,"name":"a\\u200bb"}') },
  SEL_TOO_MANY: {
    steps: ok('{"id":1,"list":[1,2]}'),
    contract: {
      ...withResponse({
        status: 200,
        schema: openThing,
        select: { list: { each: '/list', max: 1, item: '' } },
      }),
      result: {
        type: 'object',
        additionalProperties: false,
        required: ['list'],
        properties: { list: { type: 'array', maxItems: 1, items: { type: 'integer' } } },
      },
    },
  },

  CON_RESULT: {
    steps: ok(`{"id":1,"name":"${'a'.repeat(65)}"}`),
    contract: selecting({ id: '/id', name: '/name' }),
  },

  AUD_UNAVAILABLE: { auditBroken: true },
  INTERNAL: {
    deps: {
      send: () => () => {
        throw new Error('a bug');
      },
    },
  },
};

/** A port that speaks plain HTTP to whoever connects. */
async function plainServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `https://127.0.0.1:${(server.address() as { port: number }).port}`;
}

for (const code of Object.keys(WAYS) as CallCode[]) {
  t.test(code, async (t) => {
    const way = WAYS[code];
    const upstream = await playUpstream([...(way.steps ?? ok(good))]);
    const origin = typeof way.origin === 'function' ? await way.origin() : (way.origin ?? upstream.url);
    const limits: Partial<RouteLimits> = {
      ...way.limits,
      ...(way.scan === undefined ? {} : { scan: { ...DEFAULT_SCAN_LIMITS, ...way.scan } }),
    };
    const plan = planOf({
      origin,
      limits,
      ...(way.contract === undefined ? {} : { contract: way.contract }),
      ...way.plan,
    });
    const run = harness([plan], way.deps);
    if (way.auditBroken === true) run.audit.writable = false;
    t.teardown(async () => {
      await upstream.close();
      await run.close();
    });

    const cancellation = new Cancellation();
    if (way.agentLeavesAfterMs !== undefined) {
      setTimeout(() => cancellation.cancel(new Fault('REQ_ABORTED')), way.agentLeavesAfterMs);
    }
    const call = { cancellation, ...way.call };
    const { answer, text, record } = await run.call(way.target ?? '/things/1', call);
    t.equal(record.operator_code, code);
    t.equal(record.stage, OPERATOR_CODES[code].stage);
    t.equal(run.bugs.length, code === 'INTERNAL' ? 1 : 0);
    if (code !== 'CON_DECLARED_FAILURE') {
      const { agent } = OPERATOR_CODES[code];
      t.equal(answer.outcome, agent);
      t.match(
        text,
        new RegExp(`"outcome":"failure","error":\\{"code":"${agent}","retryable":(true|false)\\}\\}$`),
      );
    }
    const kept = run.audit.records.map((one) => one.operator_code);
    t.strictSame(kept, code === 'AUD_UNAVAILABLE' ? [] : [code], 'one audit record');
  });
}
