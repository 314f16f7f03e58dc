import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { AuditRecord } from '../../src/record/index.js';
import { createLogger } from '../../src/server/log.js';
import { type ServeOptions, startServer } from '../../src/server/serve.js';
import { planOf } from '../support/harness.js';
import { settingsOf } from '../support/settings.js';
import { heldUpstream, release } from './held-upstream.js';
import { exchange, parseAnswer } from './wire.js';

const GOOD = '{"id":1,"name":"a"}';
const GET = 'GET /things/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

function logged() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, logger };
}

t.test('a call: one answer, one log line, one audit record, and what the admin side tells', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'assay-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const file = join(dir, 'audit.jsonl');
  const upstream = await heldUpstream(t);
  const { lines, logger } = logged();
  const records: AuditRecord[] = [];
  const settings = {
    ...settingsOf([planOf({ origin: upstream.url, mount: '/m' })], { bearer: 's3cret-token' }),
    audit: { file, durability: 'durable' as const, retainMs: undefined },
  };
  const server = await startServer(settings, { proven: true, logger, onRecord: (r) => void records.push(r) });
  t.teardown(() => server.close());

  const call = exchange(
    server.agentUrl,
    'GET /m/things/1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer s3cret-token\r\nConnection: close\r\n\r\n',
  );
  const held = await upstream.asked();
  const status = await (await fetch(`${server.adminUrl}/status`)).json();
  t.match(status, {
    version: /^\d+\.\d+\.\d+/,
    config_digest: 'test',
    in_flight: 1,
    ready: true,
    contracts: [{ name: 'thing@1', version: '1.0.0', digest: /^[0-9a-f]{64}$/ }],
    routes: [{ tool: 'thing', method: 'GET', path: '/m/things/{id}', upstream: 'test', contract: 'thing@1' }],
  });
  t.notMatch(JSON.stringify(status), 's3cret');
  release(held, GOOD);
  const { status: code, headers, body } = parseAnswer(await call);
  t.equal(code, 200);
  const { request_id: id, ...envelope } = JSON.parse(body);
  t.strictSame(envelope, { tool: 'thing', outcome: 'success', data: { id: 1, name: 'a' } });
  t.equal(headers['x-request-id'], id);

  const denied = parseAnswer(await exchange(server.agentUrl, GET));
  t.equal(denied.status, 401);
  t.equal(denied.headers['www-authenticate'], 'Bearer');
  await exchange(server.agentUrl, 'nonsense\r\n\r\n');

  t.equal(await server.close(), true);
  t.strictSame(
    records.map((r) => [r.request_id === id, r.operator_code]),
    [
      [true, null],
      [false, 'REQ_UNAUTHENTICATED'],
    ],
  );
  t.strictSame(
    lines.map((line) => [line.msg, line.operator_code ?? null]),
    [
      ['listening', null],
      ['call', null],
      ['call', 'REQ_UNAUTHENTICATED'],
      ['refused', 'REQ_PROTOCOL'],
      ['draining', null],
      ['closed', null],
    ],
  );
  t.notMatch(JSON.stringify(lines), 's3cret');
  const audited = (await readFile(file, 'utf8')).trimEnd().split('\n');
  t.strictSame(
    audited.map((line) => JSON.parse(line).operator_code),
    [null, 'REQ_UNAUTHENTICATED'],
  );
});

t.test('ready only when proven', async (t) => {
  const upstream = await heldUpstream(t);
  const plans = [planOf({ origin: upstream.url })];
  for (const proven of [true, false]) {
    const server = await startServer(settingsOf(plans), { proven });
    const ready = await fetch(`${server.adminUrl}/readyz`);
    t.equal(ready.status, proven ? 200 : 503);
    t.match(await ready.json(), { ready: proven, reasons: proven ? [] : [/not proven/] });
    await server.close();
  }
});

t.test('close: not ready, nothing accepted, the call in flight gets its answer', async (t) => {
  const upstream = await heldUpstream(t);
  const { lines, logger } = logged();
  const server = await startServer(settingsOf([planOf({ origin: upstream.url })]), {
    proven: true,
    logger,
  });
  const call = exchange(server.agentUrl, GET);
  const held = await upstream.asked();
  const closed = server.close();
  t.equal(server.close(), closed, 'asked twice, done once');
  const ready = await fetch(`${server.adminUrl}/readyz`);
  t.equal(ready.status, 503);
  t.strictSame(await ready.json(), { ready: false, reasons: ['draining'] });
  await t.rejects(exchange(server.agentUrl, GET), { code: 'ECONNREFUSED' });
  release(held, GOOD);
  t.equal(parseAnswer(await call).status, 200);
  t.equal(await closed, true);
  t.match(lines.at(-1), { msg: 'closed', clean: true });
  await t.rejects(fetch(`${server.adminUrl}/livez`), 'the admin side closes last');
});

t.test('close at the deadline: the call is cut, aborted and recorded', async (t) => {
  const upstream = await heldUpstream(t);
  const records: AuditRecord[] = [];
  const options: ServeOptions = { proven: true, drainMs: 50, onRecord: (r) => void records.push(r) };
  const server = await startServer(settingsOf([planOf({ origin: upstream.url })]), options);
  const call = exchange(server.agentUrl, GET);
  await upstream.asked();
  t.equal(await server.close(), false);
  t.equal(await call, '');
  t.strictSame(
    records.map((r) => r.operator_code),
    ['REQ_ABORTED'],
  );
});

t.test('a start that fails leaves nothing open', async (t) => {
  const upstream = await heldUpstream(t);
  const plans = [planOf({ origin: upstream.url })];
  const first = await startServer(settingsOf(plans), { proven: true });
  t.teardown(() => first.close());
  const taken = { host: '127.0.0.1', port: Number(new URL(first.agentUrl).port) };
  const other = settingsOf(plans, { listen: taken });
  await t.rejects(startServer(other, { proven: true }), {
    name: 'StartError',
    part: 'agent',
    code: 'EADDRINUSE',
  });
  await t.rejects(startServer(settingsOf(plans, { admin: taken }), { proven: true }), {
    name: 'StartError',
    part: 'admin',
  });
  const moved = await startServer(other, { proven: true, freePorts: true });
  t.not(moved.agentUrl, first.agentUrl);
  await moved.close();

  const audit = { file: '/dev/null/audit.jsonl', durability: 'async' as const, retainMs: undefined };
  await t.rejects(startServer({ ...settingsOf(plans), audit }, { proven: true }), {
    name: 'StartError',
    part: 'audit',
    place: '/dev/null/audit.jsonl',
    code: 'EEXIST',
  });
});
