import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { heldUpstream, release, takenPort } from '../server/held-upstream.js';
import { exchange, parseAnswer } from '../server/wire.js';
import { assay, type Running, start } from './assay.js';
import { ACCEPT, config, project } from './project.js';

const GOOD = '{"id":1,"name":"a","more":"dropped"}';
const GET = 'GET /shop/things/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

/** Starts `assay serve` on a project and gives the addresses from its log. */
async function serve(t: Test, dir: string): Promise<Running & { agent: string; admin: string }> {
  const running = start(['serve'], dir);
  t.teardown(() => running.child.kill('SIGKILL'));
  await running.shows('"msg":"listening"');
  const line = JSON.parse(running.out().split('\n')[0] ?? '');
  return { ...running, agent: line.agent, admin: line.admin };
}

t.test('SIGTERM: the call in flight gets its answer, the audit file its record, exit 0', async (t) => {
  const upstream = await heldUpstream(t);
  const dir = await project(t, { 'config/assay.yaml': config(upstream.url) });
  const sidecar = await serve(t, dir);
  t.equal((await fetch(`${sidecar.admin}/readyz`)).status, 200);
  const call = exchange(sidecar.agent, GET);
  const socket = await upstream.asked();
  sidecar.child.kill('SIGTERM');
  await sidecar.shows('"msg":"draining"');
  release(socket, GOOD);
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
  const upstream = await heldUpstream(t);
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
  const place = `127.0.0.1:${await takenPort(t)}`;
  const listen = config('http://127.0.0.1:9', `{ listen: "${place}" }`);
  const taken = start(['serve'], await project(t, { 'config/assay.yaml': listen }));
  t.equal(await taken.ended, 4);
  t.equal(taken.out(), '');
  t.equal(
    taken.err(),
    `assay: cannot listen on ${place}: the port is in use by another process (EADDRINUSE)\n  = change server.listen in the configuration, or free what holds it\n`,
  );

  // The rest in this process: what check.test.ts shows of the same problems is not repeated.
  const cases: [string, Record<string, string>, string, RegExp][] = [
    ['a bad file', { 'config/assay.yaml': 'version: 2\n' }, 'CONFIG', /assay\.yaml:1:10: /],
    [
      'a fixture that fails',
      { 'schemas/thing/1/fixtures/accept/thing.yaml': ACCEPT.replace('name: a }', 'name: b }') },
      'FIXTURES',
      /accept\/thing\.yaml: a thing\n {2}expected .*\n {2}got /,
    ],
    [
      'a fixture that cannot be run, after the warning of a header that is not sent',
      {
        'config/assay.yaml': config(
          'http://127.0.0.1:9\n    headers: { authorization: { secret: NOWHERE, optional: true } }',
        ),
        'schemas/thing/1/fixtures/accept/thing.yaml': ACCEPT.replace('title:', 'titel:'),
      },
      'CONFIG',
      /^assay: warning: upstreams\.shop\.headers\.authorization is not sent: no secret NOWHERE\n.*thing\.yaml:1:1: /,
    ],
  ];
  for (const [name, changes, exit, err] of cases) {
    const dir = await project(t, changes);
    const file = join(dir, 'config/assay.yaml');
    await appendFile(file, `contracts: ${join(dir, 'schemas')}\n`);
    t.match(await assay(['serve', '-c', file]), { exit, out: '', err }, name);
  }
});

t.test('demo: every call as it should be, from any folder, also where the port is taken', async (t) => {
  const dir = await project(t);
  const env = (port: number) => ({ ASSAY_DEMO_LISTEN: `127.0.0.1:${port}`, ASSAY_DEMO_ADMIN: '127.0.0.1:0' });
  const once = start(['demo', '--once'], dir, env(await takenPort(t)));
  const stays = start(['demo'], dir, env(0));
  t.teardown(() => stays.child.kill('SIGKILL'));

  t.equal(await once.ended, 0);
  t.equal(once.err(), '');
  const out = once.out();
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

  await stays.shows('Stop with Ctrl-C.');
  const [, url = ''] = /curl -i '(http:[^']+)'/.exec(stays.out()) ?? [];
  t.equal((await fetch(url)).status, 200);
  stays.child.kill('SIGINT');
  t.equal(await stays.ended, 0);
});
