import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { parseYaml } from '../../src/config/yaml-file.js';
import { compiledMetaSchema, compiledShape, OWN_SCHEMAS } from '../../src/contract/compiled-schemas.js';
import { validateShape } from '../../src/contract/index.js';
import { newMetaSchemaAjv } from '../../src/contract/meta-schema.js';
import { DIALECT } from '../../src/contract/sound-keywords.js';

// `npm run build` compiles the project's own schemas beforehand. The compiled ones say yes exactly where the others, which
// are compiled here, find nothing.

const textOf = (name: string) => readFileSync(`config/${name}.schema.json`, 'utf8');

/** Every YAML document that the project has of a kind, sound and unsound. */
function documents(matching: RegExp, folders: readonly string[]): unknown[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => matching.test(join(folder, file)))
      .map((file) => parseYaml(readFileSync(join(folder, file), 'utf8')).value)
      .filter((value) => value !== undefined),
  );
}

const KINDS: Readonly<Record<(typeof OWN_SCHEMAS)[number], readonly unknown[]>> = {
  config: documents(/\/[\w-]+\.yaml$/, ['config', 'test/config/bad']),
  contract: documents(/contract\.yaml$|bad-contracts\/.*\.yaml$/, ['schemas', 'test/config/bad-contracts']),
  fixture: documents(/fixtures\/.*\.yaml$/, ['schemas', 'test/config/bad-fixtures']),
};

/** A document with one of its values, at any depth, replaced, removed or given a companion. */
function changed(document: unknown, at: number, name: string, put: unknown): unknown {
  const copy: unknown = structuredClone(document);
  const holders = [{ copy } as Record<string, unknown>];
  for (const holder of holders) {
    for (const inner of Object.values(holder)) {
      if (typeof inner === 'object' && inner !== null) holders.push(inner as Record<string, unknown>);
    }
  }
  const places = holders.flatMap((holder) => Object.keys(holder).map((key) => [holder, key] as const));
  const [holder, key] = places[at % places.length] ?? [{}, ''];
  if (put === undefined && !Array.isArray(holder)) delete holder[key];
  else if (name === '' || Array.isArray(holder)) holder[key] = put;
  else holder[name] = put;
  return holders[0]?.copy;
}

const values = fc.oneof(
  fc.constantFrom(undefined, null, true, 0, 1, -1, 1.5, 1_000_000, '', 'a', 'x'.repeat(300), '1s', '/a'),
  fc.constantFrom([], ['a'], ['a', 'a'], {}, { a: 1 }, { secret: 'A' }, { toString: 1 }),
  fc.string({ maxLength: 5 }),
);
const names = fc.constantFrom('', '', '', 'a', 'from', 'type', 'status', 'constructor', 'toString');

for (const name of OWN_SCHEMAS) {
  t.test(`${name}: the compiled schema and the other one agree`, async (t) => {
    const accepts = compiledShape(name, textOf(name));
    if (accepts === undefined) return t.fail('npm run build has not compiled it');
    const schema = JSON.parse(textOf(name)) as object;
    let sound = 0;
    let unsound = 0;
    const agree = (document: unknown) => {
      const verdict = validateShape(schema, document).length === 0;
      if (accepts(document) !== verdict) throw new Error(`${!verdict}: ${JSON.stringify(document)}`);
      if (verdict) sound++;
      else unsound++;
    };
    for (const document of KINDS[name]) agree(document);
    fc.assert(
      fc.property(fc.constantFrom(...KINDS[name]), fc.nat(1_000), names, values, (document, at, key, put) =>
        agree(changed(document, at, key, put)),
      ),
      { seed: 4, numRuns: 1_500 },
    );
    t.ok(sound > 50 && unsound > 50, `${sound} sound, ${unsound} unsound`);
    return undefined;
  });
}

t.test('one that was compiled from another text is not used', async (t) => {
  for (const name of OWN_SCHEMAS) t.equal(compiledShape(name, `${textOf(name)} `), undefined);
});

t.test('the compiled meta-schema and the other one agree', async (t) => {
  const accepts = compiledMetaSchema();
  const ajv = newMetaSchemaAjv().getSchema(DIALECT);
  if (accepts === undefined || ajv === undefined) return t.fail('npm run build has not compiled it');
  const schemas = readdirSync('schemas', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.schema.json'))
    .map((file): unknown => JSON.parse(readFileSync(join('schemas', file), 'utf8')));
  const own = OWN_SCHEMAS.map((name): unknown => JSON.parse(textOf(name)));
  let [sound, unsound] = [0, 0];
  const agree = (schema: unknown) => {
    const verdict = ajv(schema);
    if (accepts(schema) !== verdict) throw new Error(`${!verdict}: ${JSON.stringify(schema)}`);
    if (verdict === true) sound++;
    else unsound++;
  };
  for (const schema of [true, false, 1, null, [], ...schemas, ...own]) agree(schema);
  fc.assert(
    fc.property(fc.constantFrom(...schemas, ...own), fc.nat(1_000), names, values, (schema, at, key, put) =>
      agree(changed(schema, at, key, put)),
    ),
    { seed: 5, numRuns: 1_500 },
  );
  t.ok(sound > 50 && unsound > 50, `${sound} sound, ${unsound} unsound`);
  return undefined;
});

t.test('they are of the files that the project has', async (t) => {
  const files = readdirSync('config').filter((file) => file.endsWith('.schema.json'));
  t.same(files.map((file) => basename(file, '.schema.json')).sort(), [...OWN_SCHEMAS].sort());
});
