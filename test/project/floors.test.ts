import t from 'tap';
import { circles, FLOORS, floorViolations, HOMES, type Sources } from './floors.js';
import { classify, importsOf } from './imports.js';
import { exists, projectFiles, read, readPackage } from './repository.js';

/** AssemblyScript: another compiler, another world; its files import one another and nothing else. */
const ASSEMBLY = 'src/json/assembly/';

const files = projectFiles().filter((file) => /^src\/.*\.ts$/.test(file));
const sources: Sources = new Map(
  files.filter((file) => !file.startsWith(ASSEMBLY)).map((file) => [file, read(file)]),
);

t.test('the sources keep the floors', async (t) => {
  t.same(floorViolations(sources), []);
  for (const floor of FLOORS)
    t.ok(exists(`src/${floor}/index.ts`) || floor === 'cli', `src/${floor}/index.ts exists`);
});

t.test('AssemblyScript keeps to itself', async (t) => {
  t.same(
    [...sources]
      .filter(([, text]) => importsOf(text).some((specifier) => specifier.includes('/assembly/')))
      .map(([file]) => file),
    [],
    'nothing imports it as if it were TypeScript',
  );
  for (const file of files.filter((file) => file.startsWith(ASSEMBLY))) {
    const outside = importsOf(read(file)).filter((specifier) => !/^\.\/[\w-]+$/.test(specifier));
    t.same(outside, [], file);
  }
});

t.test('no file of the sources is part of a circle', async (t) => {
  t.same(circles(sources), []);
});

t.test('every production dependency has a home, is declared and is used', async (t) => {
  const used = new Set(
    [...sources.values()].flatMap(importsOf).flatMap((specifier) => {
      const imported = classify(specifier);
      return imported.kind === 'package' ? [imported.name] : [];
    }),
  );
  const declared = Object.keys(readPackage().dependencies).sort();
  t.same([...used].sort(), declared);
  t.same(Object.keys(HOMES).sort(), declared);
});

t.test('tests import only what package.json declares', async (t) => {
  const { dependencies, devDependencies } = readPackage();
  for (const file of projectFiles().filter((file) => /^test\/.*\.(ts|mjs)$/.test(file))) {
    const undeclared = importsOf(read(file)).filter((specifier) => {
      const imported = classify(specifier);
      if (imported.kind === 'bare-builtin') return true;
      if (imported.kind !== 'package') return false;
      return !Object.hasOwn({ ...dependencies, ...devDependencies }, imported.name);
    });
    t.same(undeclared, [], file);
  }
});

// The rules themselves, on sources that break them.
t.test('what breaks the floors is found', async (t) => {
  const base: [string, string][] = [
    ['src/fault/index.ts', ''],
    ['src/fault/fault.ts', ''],
    ['src/json/index.ts', "export * from './scan.js';"],
    ['src/json/scan.ts', "import type { Fault } from '../fault/index.js';\nimport 'node:buffer';"],
    ['src/contract/index.ts', ''],
  ];
  const cases: [title: string, file: string, text: string, expected: string[]][] = [
    ['a sound import', 'src/json/a.ts', "import './scan.js';", []],
    [
      'an import upwards',
      'src/json/a.ts',
      "import '../contract/index.js';",
      ['../contract/index.js is not below json'],
    ],
    [
      'a type upwards',
      'src/json/a.ts',
      "import type { C } from '../contract/index.js';",
      ['../contract/index.js is not below json'],
    ],
    [
      'a re-export upwards',
      'src/json/a.ts',
      "export * from '../contract/index.js';",
      ['../contract/index.js is not below json'],
    ],
    [
      'a late import upwards',
      'src/json/a.ts',
      "await import('../contract/index.js');",
      ['../contract/index.js is not below json'],
    ],
    [
      'past the index',
      'src/json/a.ts',
      "import '../fault/fault.js';",
      ['../fault/fault.js does not go through index.js'],
    ],
    ['a package away from home', 'src/json/a.ts', "import 'undici';", ['undici is at home in upstream']],
    ['a path into a package', 'src/json/a.ts', "import 'ajv/dist/2020.js';", ['ajv is at home in contract']],
    ['a package without a home', 'src/json/a.ts', "import '@scope/x/y';", ['@scope/x has no home']],
    [
      'a built-in without prefix',
      'src/json/a.ts',
      "import 'fs/promises';",
      ['fs/promises lacks its node: prefix'],
    ],
    ['a file that is not there', 'src/json/a.ts', "import './none.js';", ['./none.js is no source file']],
    ['a folder that is no floor', 'src/attic/a.ts', '', ['lies on no floor']],
    [
      'the package entry from below',
      'src/cli/a.ts',
      "import '../index.js';",
      ['../index.js is no source file'],
    ],
  ];
  for (const [title, file, text, expected] of cases) {
    const found = floorViolations(new Map([...base, [file, text]]));
    t.same(
      found,
      expected.map((what) => `${file}: ${what}`),
      title,
    );
  }
  const circle = (back: string) =>
    circles(
      new Map([
        ['src/json/a.ts', "import './b.js';"],
        ['src/json/b.ts', back],
      ]),
    );
  t.same(circle("import { a } from './a.js';"), ['src/json/a.ts -> src/json/b.ts -> src/json/a.ts']);
  t.same(circle("import { type A } from './a.js';"), ['src/json/a.ts -> src/json/b.ts -> src/json/a.ts']);
  t.same(circle("import type {\n  A,\n} from './a.js';"), []);
});
