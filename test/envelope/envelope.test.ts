import t from 'tap';
import {
  BUILT_IN_PROFILES,
  ENVELOPE_PROFILE,
  failureReply,
  newRequestId,
  REQUEST_ID,
  successReply,
} from '../../src/envelope/index.js';
import { AGENT_CODES, type AgentCode, Fault } from '../../src/fault/index.js';

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

t.test('request ids are well formed and differ', async (t) => {
  const ids = new Set(Array.from({ length: 1000 }, newRequestId));
  t.equal(ids.size, 1000);
  for (const id of ids) if (!REQUEST_ID.test(id) || id.length !== 20) t.fail(id);
});
