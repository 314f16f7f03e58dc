import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { BUNDLE_FILE, isKept, keptFile, runBundle, runBundleAndKeep } from '../../src/cli/bundle.js';

/** A bundle whose program says `said`, and into the file beside it. */
function bundle(t: Test, said: string): string {
  const file = join(t.testdir(), 'b.cjs');
  writeFileSync(
    file,
    `const path = require('node:path'); exports.main = async () => { await 0; return '${said}' + path.basename(__filename); };`,
  );
  return file;
}

const says = (file: string): Promise<unknown> => runBundle(file).main();

t.test('a bundle runs, with what was kept of it and without', async (t) => {
  const file = bundle(t, 'one ');
  t.equal(await says(file), 'one b.cjs');
  const { program, keep } = runBundleAndKeep(file);
  t.equal(await program.main(), 'one b.cjs');
  t.notOk(existsSync(keptFile(file)));
  t.notOk(isKept(file));
  keep();
  t.ok(isKept(file));
  t.equal(await says(file), 'one b.cjs');
});

t.test('what was kept of another source of the same length is not taken', async (t) => {
  const file = bundle(t, 'one ');
  const made = runBundleAndKeep(file);
  await made.program.main();
  made.keep();
  writeFileSync(file, readFileSync(file, 'utf8').replace("'one '", "'two '"));
  t.notOk(isKept(file));
  t.equal(await says(file), 'two b.cjs');
});

t.test('what was changed since it was kept is not taken', async (t) => {
  const file = bundle(t, 'one ');
  const made = runBundleAndKeep(file);
  await made.program.main();
  made.keep();
  const kept = readFileSync(keptFile(file));
  for (const at of [0, 31, 32, 40, kept.length - 1]) {
    const changed = Buffer.from(kept);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(keptFile(file), changed);
    t.equal(await says(file), 'one b.cjs', `byte ${at}`);
  }
  for (const part of [Buffer.alloc(0), kept.subarray(0, 16), kept.subarray(0, kept.length - 1)]) {
    writeFileSync(keptFile(file), part);
    t.equal(await says(file), 'one b.cjs', `${part.length} bytes`);
  }
});

t.test('text beyond ASCII means the same in a bundle', async (t) => {
  const file = bundle(t, '\u00b5\u{1f600}');
  t.equal(await says(file), '\u00b5\u{1f600}b.cjs');
});

t.test('a stack names the bundle and the place in it', async (t) => {
  const file = join(t.testdir(), 'b.cjs');
  writeFileSync(file, '\n\nexports.main = async function main() { throw new Error("x"); };');
  const stack = await runBundle(file)
    .main()
    .catch((error: Error) => error.stack);
  t.match(stack, `${file}:3:`);
});

// Not so after `tsc` alone.
t.test('npm run build has put the bundle in the place of the program', async (t) => {
  const main = readFileSync(fileURLToPath(new URL('../../src/cli/main.js', import.meta.url)), 'utf8');
  t.match(main, 'runBundle(BUNDLE_FILE)');
  t.ok(existsSync(BUNDLE_FILE));
});
