import { join } from 'node:path';
import t from 'tap';
import { loadSettings, type Settings } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { projectFiles, ROOT } from './repository.js';

const ENV = { ASSAY_TOKEN: 'token-of-this-test', ASSAY_DEMO_UPSTREAM: 'http://127.0.0.1:9' };

async function load(name: string): Promise<Settings | string> {
  const loaded = await loadSettings(join(ROOT, 'config', name), ENV, { cwd: ROOT });
  return 'settings' in loaded ? loaded.settings : loaded.diagnostics.map(formatDiagnostic).join('\n');
}

t.test('every configuration that is shipped loads, and serves the same tools', async (t) => {
  const names = projectFiles()
    .filter((file) => /^config\/[^/]+\.yaml$/.test(file))
    .map((file) => file.slice('config/'.length));
  t.strictSame(names, ['assay.yaml', 'compose.yaml', 'demo.yaml']);
  const served: string[][] = [];
  for (const name of names) {
    const settings = await load(name);
    if (typeof settings === 'string') {
      t.fail(settings);
      continue;
    }
    served.push(
      settings.routes.map((r) => `${r.tool} ${r.method} ${r.mount}${r.path} ${r.contract.name} ${r.answer}`),
    );
  }
  t.equal(served[0]?.length, 5);
  for (const other of served.slice(1)) t.strictSame(other, served[0]);
});

t.test('what is reached from another container asks for a token', async (t) => {
  const settings = await load('compose.yaml');
  if (typeof settings === 'string') throw new Error(settings);
  t.equal(settings.server.listen.host, '0.0.0.0');
  t.equal(settings.server.bearer, ENV.ASSAY_TOKEN);
  t.equal(settings.server.admin?.host, '127.0.0.1', 'the admin side stays in the container');
  t.equal(settings.audit?.durability, 'durable');
});
