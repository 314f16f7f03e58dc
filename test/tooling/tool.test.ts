import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import {
  openAuditFile,
  openTool,
  type Tool,
  type ToolAnswer,
  type ToolBytes,
  type ToolCall,
} from '../../src/index.js';
import { verifyAudit } from '../../src/record/index.js';

const CALL: ToolCall = { params: { owner: 'octocat', repo: 'hello-world', number: 1347, review: 80 } };
const REVIEW = JSON.stringify({
  id: 80,
  user: { login: 'octocat' },
  state: 'APPROVED',
  pull_request_url: 'https://api.github.com/repos/octocat/hello-world/pulls/1347',
});
const DATA = { change_id: 'CR-1347', decision: 'approved', reviewed_by: 'octocat' };

function opened(options?: Parameters<typeof openTool>[1]): Tool {
  const tool = openTool('schemas/review_status/1', options);
  if ('diagnostics' in tool) throw new Error(JSON.stringify(tool.diagnostics));
  return tool;
}

async function answered(
  given: Partial<ToolBytes> & Pick<ToolBytes, 'bytes'>,
  call = CALL,
  tool = opened(),
): Promise<ToolAnswer> {
  const answer = await tool.answer(call, given);
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}

async function* stream(text: string) {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
}

t.test('bytes at once and as they come', async (t) => {
  for (const bytes of [Buffer.from(REVIEW), stream(REVIEW)]) {
    const { outcome, envelope, record, bugs } = await answered({ bytes });
    t.equal(outcome, 'success');
    t.match(JSON.parse(envelope), { tool: 'review_status', outcome: 'success', data: DATA });
    t.same(JSON.parse(envelope).data, DATA);
    t.match(record, { operator_code: null, attempts: [{ status: 200, decoded_bytes: REVIEW.length }] });
    t.same(bugs, []);
  }
});

t.test('status, headers and media type that the bytes stand for', async (t) => {
  const code = async (given: Partial<ToolBytes>) =>
    (await answered({ bytes: Buffer.from(REVIEW), ...given })).record.operator_code;
  t.equal(await code({}), null);
  t.equal(await code({ status: 404, bytes: Buffer.alloc(0) }), 'CON_DECLARED_FAILURE');
  t.equal(await code({ status: 500 }), 'UPS_SERVER_ERROR');
  t.equal(await code({ mediaType: 'application/vnd.github+json' }), null);
  t.equal(await code({ mediaType: 'text/html' }), 'BYT_MEDIA_TYPE');
  t.equal(await code({ headers: { 'Content-Type': 'application/json' } }), null);
  t.equal(await code({ headers: { 'content-type': ['application/json', 'text/html'] } }), 'BYT_MEDIA_TYPE');
  t.equal(
    await code({ headers: { 'content-length': '5' }, status: 200 }),
    null,
    'the end of the bytes is their end',
  );
});

t.test('what the call breaks, and what it lacks', async (t) => {
  const bytes = Buffer.from(REVIEW);
  t.equal(
    (await answered({ bytes }, { params: { ...CALL.params, review: 0 } })).record.operator_code,
    'REQ_PARAM_INVALID',
  );
  t.equal(
    (await answered({ bytes }, { ...CALL, query: { page: 1 } })).record.operator_code,
    'REQ_QUERY_UNKNOWN',
  );
  t.equal((await answered({ bytes }, { ...CALL, body: {} })).record.operator_code, 'REQ_BODY_UNDECLARED');
  t.equal(
    (await answered({ bytes }, { params: { ...CALL.params, owner: '../x' } })).outcome,
    'INVALID_REQUEST',
  );
  const tool = opened();
  t.same(await tool.answer({ params: {} }, { bytes }), {
    problem: 'there is no value for the parameter owner',
  });
  t.same(await tool.answer({ params: { ...CALL.params, x: 1 } }, { bytes }), {
    problem: 'the contract has no parameter x; it has owner, repo, number, review',
  });
});

t.test('limits, and bytes that break off', async (t) => {
  const small = opened({ limits: { decodedBytes: 10 } });
  t.equal(
    (await answered({ bytes: Buffer.from(REVIEW) }, CALL, small)).record.operator_code,
    'BYT_DECODED_TOO_LARGE',
  );
  t.equal(
    (await answered({ bytes: stream(REVIEW) }, CALL, small)).record.operator_code,
    'BYT_DECODED_TOO_LARGE',
  );
  async function* broken() {
    yield Buffer.from(REVIEW);
    throw new Error('a secret of the source');
  }
  const { record, envelope } = await answered({ bytes: broken() });
  t.equal(record.operator_code, 'BYT_TRUNCATED', 'even where what came is a whole document');
  t.notMatch(envelope + JSON.stringify(record), /secret/);
});

t.test('bytes that take too long', async (t) => {
  async function* slow() {
    yield Buffer.from('{');
    await new Promise(() => {});
  }
  const tool = opened({ limits: { totalMs: 30 } });
  t.equal((await answered({ bytes: slow() }, CALL, tool)).record.operator_code, 'UPS_TOTAL_TIMEOUT');
});

t.test('a record is kept before the answer is given, or there is no answer', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'assay-tool-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const file = join(dir, 'audit.jsonl');
  const audit = await openAuditFile({ file, durability: 'durable' });
  t.equal((await answered({ bytes: Buffer.from(REVIEW) }, CALL, opened({ audit }))).outcome, 'success');
  await audit.close();
  t.match(await verifyAudit(file), { ok: true });
  const gone = await answered({ bytes: Buffer.from(REVIEW) }, CALL, opened({ audit }));
  t.equal(gone.record.operator_code, 'AUD_UNAVAILABLE');
  t.notMatch(gone.envelope, /approved/);
});

t.test('folders that are no sound contract', async (t) => {
  const none = openTool('schemas/nothing/1');
  t.ok('diagnostics' in none && none.diagnostics.length === 1);
});
