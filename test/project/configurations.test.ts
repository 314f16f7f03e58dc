import { join } from 'node:path';
import t from 'tap';
import { loadSettings, type Settings } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { projectFiles, ROOT } from './repository.js';

/** The tools whose failures come with a status of success. */
const IN_BAND = 'in-band.yaml';

const ENV = { ASSAY_TOKEN: 'token-of-this-test', ASSAY_DEMO_UPSTREAM: 'http://127.0.0.1:9' };

async function load(name: string): Promise<Settings | string> {
  const loaded = await loadSettings(join(ROOT, 'config', name), ENV, { cwd: ROOT });
  return 'settings' in loaded ? loaded.settings : loaded.diagnostics.map(formatDiagnostic).join('\n');
}

t.test('every configuration that is shipped loads, and those for GitHub serve the same tools', async (t) => {
  const names = projectFiles()
    .filter((file) => /^config\/[^/]+\.yaml$/.test(file))
    .map((file) => file.slice('config/'.length));
  t.strictSame(names, ['assay.yaml', 'compose.yaml', 'demo.yaml', IN_BAND]);
  const served: string[][] = [];
  for (const name of names.filter((one) => one !== IN_BAND)) {
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

t.test('every example contract stands in a configuration', async (t) => {
  const settings = await load(IN_BAND);
  if (typeof settings === 'string') throw new Error(settings);
  const github = await load('assay.yaml');
  if (typeof github === 'string') throw new Error(github);
  const served = [...settings.routes, ...github.routes].map((route) => route.contract.name);
  const folders = projectFiles().flatMap(
    (file) => /^schemas\/([^/]+)\/(\d+)\/contract\.yaml$/.exec(file) ?? [],
  );
  t.strictSame(
    served.sort(),
    folders
      .filter((_, i) => i % 3 === 1)
      .map((tool) => `${tool}@1`)
      .sort(),
  );
});

t.test('what is reached from another container asks for a token', async (t) => {
  const settings = await load('compose.yaml');
  if (typeof settings === 'string') throw new Error(settings);
  t.equal(settings.server.listen.host, '0.0.0.0');
  t.equal(settings.server.bearer, ENV.ASSAY_TOKEN);
  t.equal(settings.server.admin?.host, '127.0.0.1', 'the admin side stays in the container');
  t.equal(settings.audit?.durability, 'durable');
});
