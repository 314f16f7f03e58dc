import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  BUILT_IN_PROFILES,
  ENVELOPE_PROFILE,
  type FailureProfile,
  failureReply,
  newRequestId,
  REQUEST_ID,
  successReply,
} from '../../src/envelope/index.js';
import {
  AGENT_CODES,
  type AgentCode,
  Fault,
  OPERATOR_CODES,
  type OperatorCode,
} from '../../src/fault/index.js';

const text = (reply: { body: string }) => reply.body;

t.test('success, to the byte', async (t) => {
  const selection = { data: { id: 1, ok: false, nothing: null, empty: '' } };
  const reply = successReply('x_tool', 'req.12345678', selection, 'envelope');
  t.equal(
    text(reply),
    '{"tool":"x_tool","request_id":"req.12345678","outcome":"success","data":{"id":1,"ok":false,"nothing":null,"empty":""}}',
  );
  t.equal(reply.status, 200);
  t.strictSame(reply.headers, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': 'req.12345678',
  });
  t.equal(
    text(successReply('x', 'req.12345678', selection, 'data')),
    '{"id":1,"ok":false,"nothing":null,"empty":""}',
  );
  t.equal(
    text(successReply('x', 'req.12345678', { data: [], untrustedText: { title: 'T' } }, 'envelope')),
    '{"tool":"x","request_id":"req.12345678","outcome":"success","data":[],"untrusted_text":{"title":"T"}}',
  );
});

t.test('failure: every agent code with its status and retryable', async (t) => {
  for (const code of Object.keys(AGENT_CODES) as AgentCode[]) {
    const reply = failureReply(
      'x',
      'req.12345678',
      new Fault('CON_DECLARED_FAILURE', { agent: code }),
      ENVELOPE_PROFILE,
      {},
    );
    const { status, retryable } = AGENT_CODES[code];
    t.equal(
      text(reply),
      `{"tool":"x","request_id":"req.12345678","outcome":"failure","error":{"code":"${code}","retryable":${retryable}}}`,
    );
    t.equal(reply.status, status, code);
    t.equal(reply.headers['x-should-retry'], String(retryable), code);
  }
});

t.test('status: profile, then configuration, then the code', async (t) => {
  const fault = new Fault('REQ_NO_ROUTE');
  t.equal(failureReply(null, 'r', fault, ENVELOPE_PROFILE, {}).status, 404);
  t.match(text(failureReply(null, 'r', fault, ENVELOPE_PROFILE, {})), /^\{"tool":null,/);
  t.equal(failureReply('x', 'r', fault, ENVELOPE_PROFILE, { INVALID_REQUEST: 418 }).status, 418);
  t.equal(
    failureReply('x', 'r', fault, { name: 'p', status: 200, headers: {} }, { INVALID_REQUEST: 418 }).status,
    200,
  );
  t.equal(failureReply('x', 'r', fault.as('OUTCOME_UNKNOWN'), ENVELOPE_PROFILE, {}).status, 422);
  const denied = failureReply('x', 'r', new Fault('REQ_UNAUTHENTICATED'), ENVELOPE_PROFILE, {});
  t.strictSame([denied.status, denied.headers['www-authenticate']], [401, 'Bearer']);
});

t.test('retry-after only where a retry makes sense', async (t) => {
  const limited = new Fault('UPS_RATE_LIMITED', { retryAfter: 7 });
  t.equal(failureReply('x', 'r', limited, ENVELOPE_PROFILE, {}).headers['retry-after'], '7');
  t.notOk('retry-after' in failureReply('x', 'r', limited.as('DENIED'), ENVELOPE_PROFILE, {}).headers);
  t.notOk(
    'retry-after' in failureReply('x', 'r', new Fault('UPS_RATE_LIMITED'), ENVELOPE_PROFILE, {}).headers,
  );
});

t.test("a profile's answer is constant but for code, retryable and request id", async (t) => {
  const known = {
    envelope: [
      422,
      '{"tool":"x","request_id":"req.12345678","outcome":"failure","error":{"code":"INVALID_RESPONSE","retryable":false}}',
    ],
    github: [422, '{"message":"INVALID_RESPONSE","retryable":false,"request_id":"req.12345678"}'],
    stripe: [422, '{"error":{"type":"api_error","code":"INVALID_RESPONSE","message":"INVALID_RESPONSE"}}'],
    slack: [200, '{"ok":false,"error":"INVALID_RESPONSE"}'],
    kubernetes: [
      422,
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"INVALID_RESPONSE","message":"INVALID_RESPONSE"}',
    ],
    elasticsearch: [422, '{"error":{"type":"INVALID_RESPONSE","reason":"INVALID_RESPONSE"}}'],
    openai: [
      422,
      '{"error":{"message":"INVALID_RESPONSE","type":"assay_error","param":null,"code":"INVALID_RESPONSE"}}',
    ],
  };
  t.strictSame([...BUILT_IN_PROFILES.keys()].sort(), Object.keys(known).sort());
  for (const [name, profile] of BUILT_IN_PROFILES) {
    const fault = new Fault('PRS_SYNTAX', { note: 'SECRET', instance: '/SECRET', rule: 'SECRET' });
    const reply = failureReply('x', 'req.12345678', fault, profile, {});
    t.strictSame([reply.status, text(reply)], known[name as keyof typeof known], name);
    t.notMatch(JSON.stringify(reply.headers), /SECRET/);
  }
});

const PLACEHOLDERS = ['{code}', '{retryable}', '{request_id}'];

/** Any profile that a configuration can hold, and the built-in ones. */
const profiles: fc.Arbitrary<FailureProfile> = fc.oneof(
  fc.constantFrom(...BUILT_IN_PROFILES.values()),
  fc.record(
    {
      name: fc.constant('own'),
      status: fc.constantFrom(200, 418, 503),
      headers: fc.dictionary(
        fc.stringMatching(/^x-[a-z]{1,8}$/),
        fc.oneof(fc.constantFrom(...PLACEHOLDERS), fc.stringMatching(/^[a-z]{1,9}$/)),
      ),
      body: fc.jsonValue({ maxDepth: 4 }).chain((value) =>
        fc.constantFrom(...PLACEHOLDERS, 'text', '{other}', 'a {code}').map((text) => ({
          [text]: [text, { deep: text, value }],
        })),
      ),
    },
    { requiredKeys: ['name', 'headers'] },
  ),
);

/** What a fault can hold: anything, also what an upstream wrote. */
const faults = fc
  .record({
    code: fc.constantFrom(...(Object.keys(OPERATOR_CODES) as OperatorCode[])),
    detail: fc.record(
      {
        instance: fc.string(),
        schema: fc.string(),
        rule: fc.string(),
        note: fc.string(),
        offset: fc.nat(),
        line: fc.nat(),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ code, detail }) => new Fault(code, detail));

t.test('property: the body is a constant but for code, retryable and request id', async () => {
  const statuses = { DENIED: 499, INVALID_RESPONSE: 502 };
  const filled = (body: unknown, code: AgentCode, id: string) => {
    const values = new Map<unknown, unknown>([
      ['{code}', code],
      ['{retryable}', AGENT_CODES[code].retryable],
      ['{request_id}', id],
    ]);
    return JSON.stringify(body, (_key, value) => (values.has(value) ? values.get(value) : value));
  };
  fc.assert(
    fc.property(profiles, faults, faults, (profile, one, other) => {
      const before = JSON.stringify(profile);
      const code = one.agent;
      const reply = failureReply('x', 'req.12345678', one, profile, statuses);
      if (profile.body !== undefined) assert.equal(reply.body, filled(profile.body, code, 'req.12345678'));
      // Nothing of the fault but its agent code, nothing of the call but its id.
      const same = failureReply('x', 'req.12345678', other.as(code), profile, statuses);
      assert.equal(same.body, reply.body);
      assert.deepEqual(same.headers, reply.headers);
      assert.equal(JSON.stringify(profile), before, 'the profile itself stays');
    }),
    { seed: 4, numRuns: 300 },
  );
});

t.test('constant headers of an upstream: on success, on failure, never over our own', async (t) => {
  const constants = { 'x-vendor': 'V', 'x-elastic-product': 'Mine' };
  const selection = { data: { id: 1 } };
  t.strictSame(successReply('x', 'req.12345678', selection, 'data', constants).headers, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': 'req.12345678',
    ...constants,
  });
  const profile = BUILT_IN_PROFILES.get('elasticsearch') as FailureProfile;
  const { headers } = failureReply('x', 'r', new Fault('PRS_SYNTAX'), profile, {}, { constants });
  t.match(headers, { 'x-vendor': 'V', 'x-elastic-product': 'Elasticsearch', 'x-should-retry': 'false' });
  const denied = new Fault('REQ_UNAUTHENTICATED');
  const challenged = failureReply('x', 'r', denied, ENVELOPE_PROFILE, {}, { challenge: 'Token, Basic' });
  t.equal(challenged.headers['www-authenticate'], 'Token, Basic');
});

t.test('request ids are well formed and differ', async (t) => {
  const ids = new Set(Array.from({ length: 1000 }, newRequestId));
  t.equal(ids.size, 1000);
  for (const id of ids) if (!REQUEST_ID.test(id) || id.length !== 20) t.fail(id);
});
