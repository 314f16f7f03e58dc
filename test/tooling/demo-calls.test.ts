import { connect } from 'node:net';
import t from 'tap';
import { loadSettings } from '../../src/config/index.js';
import { AGENT_CODES, formatDiagnostic, type OperatorCode } from '../../src/fault/index.js';
import { DEMO_CALLS, DEMO_MOUNT, startSampleUpstream, upstreamPath } from '../../src/tooling/index.js';
import { harness } from '../support/harness.js';

/** What the demo has to show, by the start of a title. */
const SHOWN: Readonly<Record<string, OperatorCode>> = {
  'the deployment story': 'CON_NO_ALTERNATIVE',
  'unexpected property in a closed alternative': 'CON_NO_ALTERNATIVE',
  'null for an object': 'CON_NO_ALTERNATIVE',
  'empty identifier': 'CON_NO_ALTERNATIVE',
  'duplicate member': 'PRS_DUPLICATE_NAME',
  'array for an object': 'CON_NO_ALTERNATIVE',
  'oversized string': 'SEL_TEXT',
  'success that also carries an error': 'CON_NO_ALTERNATIVE',
  'wrong id': 'CHK_BIND',
  'old timestamp': 'CHK_FRESH_STALE',
  'HTML with 200': 'BYT_MEDIA_TYPE',
  'wrong media type': 'BYT_MEDIA_TYPE',
  'oversize body with content-length': 'BYT_WIRE_TOO_LARGE',
  'oversize body, chunked': 'BYT_WIRE_TOO_LARGE',
  'oversize body, gzip': 'BYT_DECODED_TOO_LARGE',
};

const now = new Date('2026-01-01T00:00:00Z');

t.test('every kind of refusal is in the table, and every example tool gives a result', async (t) => {
  for (const [title, operator] of Object.entries(SHOWN)) {
    const found = DEMO_CALLS.filter((call) => call.title.startsWith(title));
    t.equal(found.length, 1, title);
    t.match(found[0]?.expect, { outcome: 'failure', code: 'INVALID_RESPONSE', operator }, title);
  }
  const tools = DEMO_CALLS.filter((call) => call.expect.outcome === 'success').map((call) => call.tool);
  t.same(tools.sort(), [
    'deployment_state',
    'issue_summary',
    'job_run',
    'list_repositories',
    'review_status',
  ]);
});

t.test('the upstream can tell the calls apart', async (t) => {
  t.equal(new Set(DEMO_CALLS.map((call) => upstreamPath(call))).size, DEMO_CALLS.length);
  t.equal(new Set(DEMO_CALLS.map((call) => call.title)).size, DEMO_CALLS.length);
  for (const call of DEMO_CALLS) t.ok(call.path.startsWith(`${DEMO_MOUNT}/`), call.path);
});

t.test('every upstream answer is a whole response: its framing holds what it promises', async (t) => {
  for (const call of DEMO_CALLS) {
    const raw = Buffer.from(call.upstream(now));
    const end = raw.indexOf('\r\n\r\n');
    const head = raw.subarray(0, end).toString('latin1');
    const body = raw.subarray(end + 4);
    t.match(head, /^HTTP\/1\.1 [1-5]\d\d [A-Za-z ]+\r\n/, call.title);
    const length = /^content-length: (\d+)$/m.exec(head.replaceAll('\r', ''))?.[1];
    if (length !== undefined) t.equal(body.byteLength, Number(length), call.title);
    else {
      t.match(head, /^transfer-encoding: chunked$/m, call.title);
      t.ok(body.toString('latin1').endsWith('\r\n0\r\n\r\n'), call.title);
    }
  }
});

t.test('the answers are of the moment they are asked for', async (t) => {
  const fresh = DEMO_CALLS.find((call) => call.tool === 'job_run' && call.expect.outcome === 'success');
  const stale = DEMO_CALLS.find((call) => call.title.startsWith('old timestamp'));
  t.match(Buffer.from(fresh?.upstream(now) ?? []).toString(), /date: Thu, 01 Jan 2026 00:00:00 GMT\r\n/);
  t.match(Buffer.from(stale?.upstream(now) ?? []).toString(), /date: Wed, 31 Dec 2025 23:00:00 GMT\r\n/);
});

t.test('through the routes of config/demo.yaml every call gives what the table says', async (t) => {
  const upstream = await startSampleUpstream(0);
  const settings = await loadSettings('config/demo.yaml', { ASSAY_DEMO_UPSTREAM: upstream.url });
  if (!('settings' in settings)) throw new Error(settings.diagnostics.map(formatDiagnostic).join('\n'));
  const sidecar = harness(settings.settings.routes);
  t.teardown(async () => {
    await sidecar.close();
    await upstream.close();
  });
  for (const { title, tool, path, method, expect } of DEMO_CALLS) {
    const { answer, text, record } = await sidecar.call(path, { method });
    const envelope = { tool, request_id: record.request_id, outcome: expect.outcome };
    if (expect.outcome === 'success') {
      const { data, untrusted_text: texts } = expect;
      const untrusted = texts === undefined ? {} : { untrusted_text: texts };
      t.same(JSON.parse(text), { ...envelope, data, ...untrusted }, title);
      t.equal(record.operator_code, null, title);
      t.equal(answer.status, 200, title);
    } else {
      const { retryable, status } = AGENT_CODES[expect.code];
      t.equal(record.operator_code, expect.operator, title);
      t.equal(text, JSON.stringify({ ...envelope, error: { code: expect.code, retryable } }), title);
      t.equal(answer.status, status, title);
    }
  }
  t.same(sidecar.bugs, []);
});

/** What comes back for some raw request bytes, to the end of the connection. */
function ask(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

t.test('the sample upstream: the query does not choose, unknown paths and methods are 404', async (t) => {
  const upstream = await startSampleUpstream(0);
  t.teardown(() => upstream.close());
  const port = Number(new URL(upstream.url).port);
  const path = '/repos/octocat/hello-world/pulls/1347/reviews/80';
  t.match(await ask(port, `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`), /^HTTP\/1\.1 200 OK\r\n.*"id":80/s);
  t.match(await ask(port, `GET ${path}?a=b HTTP/1.1\r\nhost: x\r\n\r\n`), /^HTTP\/1\.1 200 OK\r\n/);
  t.match(await ask(port, 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n'), /^HTTP\/1\.1 404 Not Found\r\n/);
  t.match(await ask(port, `DELETE ${path} HTTP/1.1\r\nhost: x\r\n\r\n`), /^HTTP\/1\.1 404 Not Found\r\n/);
});

t.test('the sample upstream: a taken port is told, closing closes open connections', async (t) => {
  const upstream = await startSampleUpstream(0);
  const port = Number(new URL(upstream.url).port);
  await t.rejects(startSampleUpstream(port), { code: 'EADDRINUSE' });
  const idle = connect(port, '127.0.0.1');
  await new Promise((resolve) => idle.once('connect', resolve));
  const closed = new Promise((resolve) => idle.once('close', resolve));
  idle.on('error', () => {});
  await upstream.close();
  await closed;
  t.pass('closed');
});
