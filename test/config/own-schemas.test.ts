import t from 'tap';
import { LIMITS } from '../../src/config/limits.js';
import { ownSchema } from '../../src/config/schema-files.js';
import { formatDuration, formatSize, validateShape } from '../../src/contract/index.js';
import { BUILT_IN_PROFILES } from '../../src/envelope/index.js';
import { AGENT_CODES, DECLARABLE_CODES } from '../../src/fault/index.js';
import { METHODS } from '../../src/upstream/index.js';

// config/*.schema.json are what editors read; here they are held to what the code does.

type Schema = { readonly [keyword: string]: unknown };
const NAMES = ['config', 'contract', 'fixture'] as const;

function at(name: (typeof NAMES)[number], pointer: string): Schema {
  let node: unknown = ownSchema(name);
  for (const key of pointer.split('/').slice(1)) node = (node as Schema)[key];
  return node as Schema;
}

/** Every schema within a schema: the values of these keywords are schemas, or maps or lists of them. */
function subschemas(schema: unknown, path = '#'): [path: string, schema: Schema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Schema;
  const found: [string, Schema][] = [[path, node]];
  for (const keyword of ['items', 'additionalProperties', 'propertyNames']) {
    found.push(...subschemas(node[keyword], `${path}/${keyword}`));
  }
  for (const keyword of ['properties', '$defs', 'anyOf']) {
    for (const [key, inner] of Object.entries(node[keyword] ?? {})) {
      found.push(...subschemas(inner, `${path}/${keyword}/${key}`));
    }
  }
  return found;
}

for (const name of NAMES) {
  const all = subschemas(ownSchema(name));

  t.test(`${name}: every member has a title and a description`, async (t) => {
    t.ok(all.length > 20);
    for (const [path, schema] of all) {
      const target = typeof schema.$ref === 'string' ? at(name, schema.$ref.slice(1)) : {};
      const { title, description } = { ...target, ...schema };
      t.ok(typeof title === 'string' && typeof description === 'string', path);
    }
  });

  t.test(`${name}: every example and default fits its schema`, async (t) => {
    // One document with an example for each member, since each schema takes its time to compile.
    const properties: Record<string, unknown> = {};
    const document: Record<string, unknown> = {};
    for (const [path, schema] of all) {
      const examples = [
        schema.examples ?? [],
        'default' in schema ? [schema.default] : [],
      ].flat() as unknown[];
      for (const [i, example] of examples.entries()) {
        properties[`${path} ${i}`] = schema;
        document[`${path} ${i}`] = example;
      }
    }
    t.ok(Object.keys(document).length > 10);
    const members = { type: 'object', properties, $defs: at(name, '/$defs') };
    t.same(validateShape(members, document), []);
  });

  t.test(`${name}: every object that names its keys is closed`, async (t) => {
    for (const [path, schema] of all) {
      if (schema.properties !== undefined) t.equal(schema.additionalProperties, false, path);
    }
  });
}

t.test('limits: the same keys, units and defaults', async (t) => {
  const upstream = at('config', '/$defs/upstreamLimits/properties');
  const route = at('config', '/$defs/routeLimits/properties');
  t.same(Object.keys(upstream), Object.keys(LIMITS));
  t.same(Object.keys(route), Object.keys(LIMITS));
  for (const [key, row] of Object.entries(LIMITS)) {
    const own = upstream[key] as Schema;
    const schema = 'default' in own ? own : at('config', String(own.$ref).slice(1));
    const format = { duration: formatDuration, size: formatSize, count: Number }[row.unit];
    t.equal(schema.default, format(row.default), key);
    t.equal(schema.$ref, `#/$defs/${row.unit}`, key);
  }
});

t.test('codes, methods and profiles: the same lists', async (t) => {
  t.same(
    Object.keys(at('config', '/$defs/upstream/properties/statuses/properties')),
    Object.keys(AGENT_CODES),
  );
  for (const [code, row] of Object.entries(AGENT_CODES)) {
    const { description } = at('config', `/$defs/upstream/properties/statuses/properties/${code}`);
    t.match(description, `Default ${row.status}`, code);
  }
  t.same(at('contract', '/$defs/agentCode').enum, DECLARABLE_CODES);
  t.same(at('fixture', '/properties/expect/anyOf/1/properties/agent').enum, Object.keys(AGENT_CODES));
  t.same(at('config', '/$defs/route/properties/method').enum, METHODS);
  const { description } = at('config', '/$defs/upstream/properties/failure_profile');
  for (const name of BUILT_IN_PROFILES.keys()) t.match(description, name);
});
