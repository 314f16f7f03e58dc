import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { exchange, parseAnswer } from '../server/wire.js';
import { type Running, start } from './assay.js';
import { ACCEPT, config, project } from './project.js';

const GOOD = '{"id":1,"name":"a","more":"dropped"}';
const GET = 'GET /shop/things/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

/** An upstream that holds its answers back until it is told. */
async function slowUpstream(t: Test) {
  const waiting: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => waiting.push(socket));
    t.teardown(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async asked(): Promise<Socket> {
      for (;;) {
        const socket = waiting.shift();
        if (socket !== undefined) return socket;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

/** Starts `assay serve` on a project and gives the addresses from its log. */
async function serve(t: Test, dir: string): Promise<Running & { agent: string; admin: string }> {
  const running = start(['serve'], dir);
  t.teardown(() => running.child.kill('SIGKILL'));
  await running.shows('"msg":"listening"');
  const line = JSON.parse(running.out().split('\n')[0] ?? '');
  return { ...running, agent: line.agent, admin: line.admin };
}

t.test('SIGTERM: the call in flight gets its answer, the audit file its record, exit 0', async (t) => {
  const upstream = await slowUpstream(t);
  const dir = await project(t, { 'config/assay.yaml': config(upstream.url) });
  const sidecar = await serve(t, dir);
  t.equal((await fetch(`${sidecar.admin}/readyz`)).status, 200);
  const call = exchange(sidecar.agent, GET);
  const socket = await upstream.asked();
  sidecar.child.kill('SIGTERM');
  await sidecar.shows('"msg":"draining"');
  socket.end(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${GOOD.length}\r\n\r\n${GOOD}`,
  );
  const { status, body } = parseAnswer(await call);
  t.equal(status, 200);
  t.match(JSON.parse(body), { tool: 'thing', outcome: 'success', data: { id: 1, name: 'a' } });
  t.equal(await sidecar.ended, 0);
  t.equal(sidecar.err(), '');
  const records = (await readFile(join(dir, 'var/audit.jsonl'), 'utf8')).trimEnd().split('\n');
  t.strictSame(
    records.map((line) => JSON.parse(line).request_id),
    [JSON.parse(body).request_id],
  );
  t.notMatch(sidecar.out(), 'dropped');
});

t.test('a second signal ends it at once', async (t) => {
  const upstream = await slowUpstream(t);
  const dir = await project(t, { 'config/assay.yaml': config(upstream.url) });
  const sidecar = await serve(t, dir);
  const call = exchange(sidecar.agent, GET);
  await upstream.asked();
  sidecar.child.kill('SIGINT');
  await sidecar.shows('"msg":"draining"');
  sidecar.child.kill('SIGTERM');
  t.equal(await sidecar.ended, 130);
  t.equal(await call, '');
});

t.test('serve stops before it listens, and says why', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const address = taken.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const place = `127.0.0.1:${address.port}`;

  const cases: [string, Record<string, string>, string[], number, RegExp][] = [
    [
      'no file',
      {},
      ['--config', 'none.yaml'],
      2,
      /^assay: no configuration at .*\/none\.yaml: there is no such file\n/,
    ],
    [
      'a bad file',
      { 'config/assay.yaml': config('ftp://x').replace('version: 1', 'version: 2') },
      [],
      2,
      /^config\/assay\.yaml:1:10: .*\n(.*\n)+\n2 problems in config\/assay\.yaml/,
    ],
    [
      'a fixture that fails',
      { 'schemas/thing/1/fixtures/accept/thing.yaml': ACCEPT.replace('name: a }', 'name: b }') },
      [],
      3,
      /fixtures\/accept\/thing\.yaml: a thing\n {2}expected .*\n {2}got /,
    ],
    [
      'a port that is taken',
      { 'config/assay.yaml': config('http://127.0.0.1:9', `{ listen: "${place}" }`) },
      [],
      4,
      new RegExp(
        `^assay: cannot listen on ${place}: the port is in use by another process \\(EADDRINUSE\\)\n  = change server\\.listen`,
      ),
    ],
    ['a wrong option', {}, ['--prot', '1'], 1, /^assay serve: unknown option '--prot'/],
  ];
  await Promise.all(
    cases.map(async ([name, changes, argv, code, err]) => {
      const running = start(['serve', ...argv], await project(t, changes));
      t.equal(await running.ended, code, name);
      t.match(running.err(), err, name);
      t.equal(running.out(), '', name);
    }),
  );
});

t.test('demo --once: every call as it should be, also where the port is taken', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const address = taken.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const env = { ASSAY_DEMO_LISTEN: `127.0.0.1:${address.port}`, ASSAY_DEMO_ADMIN: '127.0.0.1:0' };
  const running = start(['demo', '--once'], await project(t), env);
  t.equal(await running.ended, 0);
  t.equal(running.err(), '');
  const out = running.out();
  t.match(out, /\nOK: \d+ calls, each gave exactly what it should\n$/);
  t.notMatch(out, 'UNEXPECTED');
  t.notMatch(out, /[^\n -~]/, 'no colour in a pipe, and no byte that a terminal acts on');
  for (const part of [
    'the upstream sent',
    'the agent got',
    'for the operator: CHK_BIND',
    '"outcome":"success"',
  ]) {
    t.ok(out.includes(part), part);
  }
});

t.test('demo stays up until it is stopped', async (t) => {
  const env = { ASSAY_DEMO_LISTEN: '127.0.0.1:0', ASSAY_DEMO_ADMIN: '127.0.0.1:0' };
  const running = start(['demo'], await project(t), env);
  t.teardown(() => running.child.kill('SIGKILL'));
  await running.shows('Stop with Ctrl-C.');
  const [, url = ''] = /curl -i '(http:[^']+)'/.exec(running.out()) ?? [];
  t.equal((await fetch(url)).status, 200);
  running.child.kill('SIGINT');
  t.equal(await running.ended, 0);
});
