import { connect } from 'node:net';
import t from 'tap';
import type { ContractDefinition, JsonSchema, ResponseDefinition } from '../../src/contract/index.js';
import type { AgentCode, OperatorCode } from '../../src/fault/index.js';
import { assembleContract } from '../../src/route/index.js';
import { createAgentServer } from '../../src/server/agent-server.js';
import { harness, type PlanOptions, planOf, sourceOf } from '../support/harness.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';

/**
 * Whole answers, requests and schemas after faults that people met in the field, beside the bodies of
 * field-answers.test.ts: what goes wrong in the head, before the answer, or in the contract itself.
 */
const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const numbers: JsonSchema = { type: 'array', maxItems: 100, items: { type: 'integer' } };

function contract(responses: readonly ResponseDefinition[], result: JsonSchema): ContractDefinition {
  return {
    tool: 'field',
    version: '1.0.0',
    purpose: 'What people met.',
    request: { params: { id: { type: 'integer' } } },
    responses,
    result,
  };
}

const text = contract(
  [
    {
      status: 200,
      schema: { type: 'object', required: ['n'], properties: { n: { type: 'string', maxLength: 9 } } },
      select: { n: '/n' },
    },
  ],
  {
    type: 'object',
    additionalProperties: false,
    required: ['n'],
    properties: { n: { type: 'string', maxLength: 9 } },
  },
);
const ids = contract(
  [
    {
      status: 200,
      schema: {
        type: 'array',
        maxItems: 9,
        items: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer', minimum: 0, maximum: 9 } },
        },
      },
      select: { each: '', max: 9, item: '/id' },
    },
  ],
  { type: 'array', maxItems: 9, items: { type: 'integer', minimum: 0, maximum: 9 } },
);
/** A page of at most three numbers; a full one without a link to the next may be the last or may not. */
const page: ContractDefinition = {
  ...contract(
    [
      {
        status: 200,
        links: 'rewrite',
        schema: { ...numbers, maxItems: 3 },
        select: {
          numbers: { each: '', cursor: 'next', item: '' },
          next: { from: 'link:next?page', convert: 'integer', optional: true },
        },
        checks: [
          {
            id: 'complete',
            rule: 'n < 3 || next.hasValue()',
            reads: { n: { count: '' }, next: 'link:next?page' },
          },
        ],
      } as ResponseDefinition,
    ],
    {
      type: 'object',
      additionalProperties: false,
      required: ['numbers'],
      properties: {
        numbers: { type: 'array', maxItems: 3, items: { type: 'integer', minimum: 0, maximum: 9 } },
        next: { type: 'integer', minimum: 1, maximum: 999 },
      },
    },
  ),
  request: {
    params: { id: { type: 'integer' } },
    query: { page: { type: 'integer', minimum: 1, maximum: 999 } },
  },
};

interface Message {
  readonly title: string;
  readonly send: string | Buffer;
  readonly contract: ContractDefinition;
  readonly code: OperatorCode | null;
  readonly agent: AgentCode | 'success';
  readonly retryable?: boolean;
}

const ANSWERS: readonly Message[] = [
  {
    title: 'UTF-8 that is said to be Latin-1: not transcoded, refused',
    send: `${JSON_HEAD.replace('json', 'json; charset=iso-8859-1')}Content-Length: 12\r\n\r\n{"n":"\u00e5\u00f6"}`,
    contract: text,
    code: 'BYT_CHARSET',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'Latin-1 bytes, said or not',
    send: Buffer.from(`${JSON_HEAD}Content-Length: 9\r\n\r\n{"n":"\u00e9"}`, 'latin1'),
    contract: text,
    code: 'PRS_UTF8',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'a body that is JSON, and shorter than announced',
    send: `${JSON_HEAD}Content-Length: 400\r\n\r\n[{"id":1}]`,
    contract: ids,
    code: 'BYT_TRUNCATED',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'a log-in page with status 200',
    send: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><form action="/login"></form></html>',
    contract: text,
    code: 'BYT_MEDIA_TYPE',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'a maintenance page that is said to be JSON',
    send: `${JSON_HEAD}\r\n<!DOCTYPE html><title>down</title>`,
    contract: text,
    code: 'PRS_SYNTAX',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'nothing at all',
    send: `${JSON_HEAD}Content-Length: 0\r\n\r\n`,
    contract: text,
    code: 'PRS_EMPTY',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'a coding that is not what the header says',
    send: `${JSON_HEAD}Content-Encoding: br\r\nContent-Length: 9\r\n\r\n{"n":"a"}`,
    contract: text,
    code: 'BYT_CODING_CORRUPT',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'a value that is still being computed: an empty object is no result, and asking again makes sense',
    send: 'HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    contract: { ...text, responses: [...text.responses, { status: 202, failure: 'UPSTREAM_UNAVAILABLE' }] },
    code: 'CON_DECLARED_FAILURE',
    agent: 'UPSTREAM_UNAVAILABLE',
    retryable: true,
  },
  {
    title: 'a full page that does not say whether there is another',
    send: `${JSON_HEAD}Content-Length: 7\r\n\r\n[1,2,3]`,
    contract: page,
    code: 'CHK_RULE',
    agent: 'INVALID_RESPONSE',
  },
  {
    title: 'a full page that does',
    send: `${JSON_HEAD}Link: </things/1?page=2>; rel="next"\r\nContent-Length: 7\r\n\r\n[1,2,3]`,
    contract: page,
    code: null,
    agent: 'success',
  },
  {
    title: 'a page that is not full says so by itself',
    send: `${JSON_HEAD}Content-Length: 5\r\n\r\n[1,2]`,
    contract: page,
    code: null,
    agent: 'success',
  },
  {
    title: 'a redirect to a place inside',
    send: 'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n',
    contract: text,
    code: 'BYT_REDIRECT',
    agent: 'INVALID_RESPONSE',
  },
];

for (const message of ANSWERS) {
  t.test(message.title, async (t) => {
    const steps: Step[] = [{ send: message.send }, { close: true }];
    const upstream = await playUpstream(steps);
    const run = harness([planOf({ origin: upstream.url, contract: message.contract })]);
    t.teardown(async () => {
      await upstream.close();
      await run.close();
    });
    const { answer, text: got, record } = await run.call('/things/1');
    t.strictSame(run.bugs, []);
    t.equal(record.operator_code, message.code);
    t.equal(answer.outcome, message.agent);
    t.equal(upstream.requests.length, 1, 'nothing is followed, nothing repeated');
    if (message.agent === 'success') return;
    const error = { code: message.agent, retryable: message.retryable ?? false };
    t.strictSame(JSON.parse(got), {
      tool: 'field',
      request_id: record.request_id,
      outcome: 'failure',
      error,
    });
  });
}

/** What leaves for an upstream when these bytes come from an agent, and the status that the agent gets. */
async function relayed(bytes: string, options: Partial<PlanOptions> = {}) {
  const upstream = await playUpstream(() => [{ send: `${JSON_HEAD}Content-Length: 9\r\n\r\n{"n":"a"}` }]);
  const open: ContractDefinition = { ...text, request: {}, ...options.contract };
  const run = harness([planOf({ origin: upstream.url, path: '/', ...options, contract: open })]);
  const server = createAgentServer({
    pipeline: run.pipeline,
    bearer: undefined,
    carriers: [],
    pressure: { eventLoopDelayMs: 0, heapBytes: 0, rssBytes: 0, inFlight: 100 },
    bodyBytes: 1024,
  });
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(url.port), url.hostname);
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  await server.close(0);
  await run.close();
  await upstream.close();
  return { status: Number(answer.split(' ')[1]), requests: upstream.requests.map((raw) => raw.toString()) };
}

t.test(
  'a session id and a token of one agent go to no upstream, so none can mix two agents up',
  async (t) => {
    const { status, requests } = await relayed(
      'GET / HTTP/1.1\r\nHost: a\r\nMcp-Session-Id: s1\r\nAuthorization: Bearer userB\r\nConnection: close\r\n\r\n',
    );
    t.equal(status, 200);
    t.equal(requests.length, 1);
    t.notMatch(requests[0], /session|userB|authorization/i);
  },
);

t.test('three dots in a name are a name', async (t) => {
  const name = { type: 'string', pattern: '^[\\[\\].a-z]{1,32}$' };
  const { status, requests } = await relayed(
    'GET /files/%5B...slug%5D.js HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    { path: '/files/{name}', contract: { ...text, request: { params: { name } } } },
  );
  t.equal(status, 200);
  t.match(requests[0], /^GET \/files\/%5B\.\.\.slug%5D\.js HTTP\/1\.1\r\n/);
});

t.test('two slashes at the start name no host', async (t) => {
  const { status, requests } = await relayed(
    'GET //evil.invalid/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  t.equal(status, 400);
  t.strictSame(requests, []);
});

t.test('what Connection lists does not go on, declared or not', async (t) => {
  const { status, requests } = await relayed(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: X-Internal, close\r\nX-Internal: 1\r\n\r\n',
    {
      contract: {
        ...text,
        request: { headers: { 'x-internal': { type: 'string', pattern: '^[0-9]{1,9}$' } } },
      },
    },
  );
  t.equal(status, 200);
  t.notMatch(requests[0], /internal/i);
});

t.test('schemas that would enforce less than they say do not load', async (t) => {
  const rules = (schema: JsonSchema): string[] => {
    const [response] = text.responses;
    if (response === undefined) throw new Error('no response');
    const assembled = assembleContract(sourceOf({ ...text, responses: [{ ...response, schema }] }));
    return 'problems' in assembled ? assembled.problems.map(({ rule }) => rule) : [];
  };
  const n = (schema: JsonSchema): JsonSchema => ({
    type: 'object',
    required: ['n'],
    properties: { n: schema },
  });
  t.strictSame(rules(n({ type: 'string', maxLength: 9, format: 'e-mail' })), ['unasserted-format']);
  t.ok(
    rules(n({ type: 'array', prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false }))
      .length > 0,
  );
});

t.test('a format that is asserted is asserted; null is not text, and is not made one', async (t) => {
  const mail: JsonSchema = {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'string', maxLength: 64, format: 'email' } },
  };
  const wide: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    required: ['n'],
    properties: { n: { type: 'string', maxLength: 64 } },
  };
  const definition = contract([{ status: 200, schema: mail, select: { n: '/n' } }], wide);
  for (const body of ['{"n":"not an email"}', '{"n":null}', '{"n":["a"]}']) {
    const upstream = await playUpstream(() => [
      { send: `${JSON_HEAD}Content-Length: ${body.length}\r\n\r\n${body}` },
    ]);
    const run = harness([planOf({ origin: upstream.url, contract: definition })]);
    const { record } = await run.call('/things/1');
    t.strictSame([record.operator_code, record.fault?.instance], ['CON_NO_ALTERNATIVE', '/n'], body);
    await run.close();
    await upstream.close();
  }
});
