import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { assay } from './assay.js';
import { config, project } from './project.js';

t.test('asks readyz of the admin address', async (t) => {
  let status = 200;
  let body = '{"ready":true,"reasons":[]}';
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { connection: 'close' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  t.strictSame(await assay(['healthcheck', '--url', url]), { exit: 'OK', out: 'ready\n', err: '' });
  status = 503;
  body = '{"ready":false,"reasons":["draining","the audit file is not writable"]}';
  t.strictSame(await assay(['healthcheck', '--url', url]), {
    exit: 'NOT_READY',
    out: '',
    err: 'not ready: draining, the audit file is not writable\n',
  });
  body = '<h1>nginx</h1>';
  t.match(await assay(['healthcheck', '--url', url]), { exit: 'NOT_READY', err: /not an admin listener/ });

  const listen = `{ listen: "127.0.0.1:0", admin: "0.0.0.0:${port}", agent_auth: { bearer: { secret: TOKEN } } }`;
  status = 200;
  const file = await configured(t, config('http://127.0.0.1:9', listen));
  t.match(await assay(['healthcheck', '-c', file]), { exit: 'OK' }, 'no secret is needed');
  const bare = await configured(t, config(`\${UNSET}`, listen).replace('thing@1', 'nothing@1'));
  t.match(await assay(['healthcheck', '-c', bare]), { exit: 'OK' }, 'nor an upstream, nor a contract');
  t.strictSame([...new Set(paths)], ['/readyz']);

  await new Promise((resolve) => server.close(resolve));
  t.match(await assay(['healthcheck', '--url', url]), { exit: 'NOT_READY', err: /ECONNREFUSED/ });
  t.match(await assay(['healthcheck', '--url', 'ftp://x']), { exit: 'USAGE' });
});

t.test('the address itself has to be sound', async (t) => {
  for (const [admin, rule] of [
    ['"127.0.0.1:x"', 'bad-address'],
    [`"\${UNSET}"`, 'unset-variable'],
  ]) {
    const file = await configured(t, config('http://127.0.0.1:9', `{ admin: ${admin} }`));
    t.match(await assay(['healthcheck', '-c', file]), { exit: 'CONFIG', err: `[${rule}]` });
  }
});

t.test('without an admin listener there is nothing to ask', async (t) => {
  const file = await configured(t, config('http://127.0.0.1:9', '{ listen: "127.0.0.1:0" }'));
  t.match(await assay(['healthcheck', '-c', file]), { exit: 'CONFIG', err: /no admin listener/ });
});

/** Writes a project with that configuration; its contracts are found from any working directory. */
async function configured(t: Test, text: string): Promise<string> {
  const dir = await project(t);
  const file = join(dir, 'config/assay.yaml');
  await writeFile(file, `${text}contracts: ${join(dir, 'schemas')}\n`);
  return file;
}
