import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { loadContract } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { formatVerdict, proveContracts } from '../../src/tooling/index.js';
import { read } from './repository.js';

/** Files of examples in the pages: a fence whose first line is a comment with the file's name. */
function filesIn(page: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, name, text] of read(page).matchAll(/^```yaml\n# (schemas\/\S+)\n([\s\S]*?)^```/gm)) {
    if (name === undefined || text === undefined) continue;
    if (files.has(name)) throw new Error(`${page} has two files ${name}`);
    files.set(name, text);
  }
  return files;
}

const files = new Map([...filesIn('docs/contracts.md'), ...filesIn('docs/signatures.md')]);
const folders = [...files.keys()]
  .filter((name) => name.endsWith('/contract.yaml'))
  .map((name) => dirname(name));

t.test('the examples are found', async (t) => {
  t.ok(folders.length >= 12, folders.join(' '));
  for (const name of files.keys())
    t.ok(
      folders.some((folder) => name.startsWith(`${folder}/`)),
      name,
    );
});

for (const folder of folders) {
  t.test(`${folder} loads, and its fixtures pass`, async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'assay-example-'));
    t.teardown(() => rm(root, { recursive: true }));
    let fixtures = 0;
    for (const [name, text] of files) {
      if (!name.startsWith(`${folder}/`)) continue;
      if (name.includes('/fixtures/')) fixtures++;
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    const loaded = loadContract(join(root, folder));
    if (!('source' in loaded)) {
      t.fail(loaded.diagnostics.map(formatDiagnostic).join('\n'));
      return;
    }
    const { passed, failed } = await proveContracts([loaded]);
    t.equal(failed.map(formatVerdict).join('\n'), '');
    t.equal(passed, fixtures);
  });
}
