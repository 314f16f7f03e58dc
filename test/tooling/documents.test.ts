import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { loadContract } from '../../src/config/index.js';
import { formatVerdict, proveContract } from '../../src/tooling/index.js';

/** The files that docs/first-contract.md tells to write: a path in backticks, then a fence with its text. */
function filesOf(markdown: string): Map<string, string> {
  const files = new Map<string, string>();
  let path: string | undefined;
  for (const [, named, text] of markdown.matchAll(
    /`(schemas\/[^`]+\.(?:yaml|json))`|^```(?:yaml|json)\n([\s\S]*?)^```/gm,
  )) {
    if (named !== undefined) path = named;
    else if (path !== undefined && text !== undefined) {
      files.set(path, text);
      path = undefined;
    }
  }
  return files;
}

t.test('the contract of docs/first-contract.md proves itself', async (t) => {
  const root = t.testdir();
  const files = filesOf(readFileSync('docs/first-contract.md', 'utf8'));
  t.equal(files.size, 5);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const loaded = loadContract(join(root, 'schemas/repository_size/1'));
  if (!('source' in loaded)) throw new Error(JSON.stringify(loaded.diagnostics));
  const proof = await proveContract(loaded);
  t.same(proof.failed.map(formatVerdict), []);
  t.equal(proof.passed, 2);
});

t.test('docs/contracts.md and docs/signatures.md name every key of contracts and fixtures', async (t) => {
  const text = readFileSync('docs/contracts.md', 'utf8') + readFileSync('docs/signatures.md', 'utf8');
  for (const file of ['config/contract.schema.json', 'config/fixture.schema.json']) {
    const keys = new Set<string>();
    const open: unknown[] = [JSON.parse(readFileSync(file, 'utf8'))];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next !== 'object' || next === null) continue;
      const { properties } = next as { properties?: object };
      if (properties !== undefined) for (const key of Object.keys(properties)) keys.add(key);
      open.push(...Object.values(next));
    }
    t.ok(keys.size > 10, file);
    for (const key of keys) t.match(text, new RegExp(`\\b${key}\\b`), `${file}: ${key}`);
  }
});
