import { createHash } from 'node:crypto';
import { builtinModules } from 'node:module';
import t from 'tap';
import { exists, projectFiles, read, readPackage } from './repository.js';

const manifest = readPackage();
const lock = JSON.parse(read('package-lock.json')) as {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<
    Record<
      string,
      { readonly version?: string; readonly dependencies?: object; readonly devDependencies?: object }
    >
  >;
};

t.test('versions are exact and those of the lock file', async (t) => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    t.match(version, /^\d+\.\d+\.\d+$/, name);
    t.equal(lock.packages[`node_modules/${name}`]?.version, version, `${name} in the lock file`);
  }
  t.same(lock.packages['']?.dependencies, manifest.dependencies);
  t.same(lock.packages['']?.devDependencies, manifest.devDependencies);
  t.equal(lock.version, manifest.version);
});

t.test(
  'nothing is both a production and a development dependency, and nothing shadows a built-in',
  async (t) => {
    const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
    t.equal(new Set(names).size, names.length);
    t.same(
      names.filter((name) => builtinModules.includes(name) && name !== 'undici'),
      [],
    );
  },
);

t.test('every development dependency is used', async (t) => {
  // A tool by a script, types by the compiler, the rest by tests.
  const tools = (name: string): string[] => {
    if (name === '@types/node') return ['tsc'];
    const { bin = {} } = JSON.parse(read(`node_modules/${name}/package.json`)) as { bin?: string | object };
    return typeof bin === 'string' ? [name] : Object.keys(bin);
  };
  const tests = projectFiles()
    .filter((file) => /^test\/.*\.(ts|mjs)$/.test(file))
    .map(read)
    .join('\n');
  const commands = Object.values(manifest.scripts).join('\n');
  for (const name of Object.keys(manifest.devDependencies)) {
    const imported = tests.includes(`'${name}'`) || tests.includes(`'${name}/`);
    t.ok(imported || tools(name).some((tool) => new RegExp(`\\b${tool}\\b`).test(commands)), name);
  }
});

t.test('the oldest Node that is promised is the one whose API is used', async (t) => {
  t.equal(manifest.engines.node, '>=20.18.1');
  t.match(manifest.devDependencies['@types/node'], /^20\./);
});

t.test('what the manifest points to is built from a source that exists', async (t) => {
  const built = [...JSON.stringify(manifest).matchAll(/\bbuild\/(src\/[\w./-]+?)(?:\.d\.ts|\.js)\b/g)].map(
    (m) => m[1],
  );
  t.ok(built.length > 0);
  t.same(
    built.filter((path) => !exists(`${path}.ts`)),
    [],
  );
});

t.test('version and licence are told the same everywhere', async (t) => {
  const newest = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md'))?.[1];
  t.equal(newest, manifest.version, 'CHANGELOG.md');
  t.equal(manifest.license, 'Apache-2.0');
  // SHA-256 of https://www.apache.org/licenses/LICENSE-2.0.txt
  const text = createHash('sha256').update(read('LICENSE')).digest('hex');
  t.equal(text, 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30');
});
