import t from 'tap';
import { project } from '../../src/contract/project.js';
import { ITEM, type ReadPath } from '../../src/contract/read-path.js';
import { KEEP, type Projection } from '../../src/json/index.js';
import { projectValue } from '../support/project-value.js';
import { compiled } from './support.js';

function projection(schema: unknown, reads: readonly ReadPath[] = []): Projection {
  return project([compiled(schema, 'sound').bundle], reads);
}

/** A projection as text: `{a{} b[{}]}`; `*` is KEEP, `^` one that is open above it. */
function show(of: Projection, open: readonly Projection[] = []): string {
  if (of === KEEP) return '*';
  if (open.includes(of)) return '^';
  const inner = [...open, of];
  const members = [...of.members]
    .map(([name, member]) => name + show(member, inner))
    .sort()
    .join(' ');
  return `{${members}}${of.items === undefined ? '' : `[${show(of.items, inner)}]`}`;
}

t.test('what each keyword needs', async (t) => {
  const cases: [schema: unknown, shown: string][] = [
    [true, '{}'],
    [{ type: 'object' }, '{}'],
    [{ const: 1 }, '{}'],
    [{ properties: { a: { type: 'string' }, b: true } }, '{a{}}'],
    [{ required: ['a'] }, '{a{}}'],
    [{ properties: { a: false } }, '{a{}}'],
    [{ properties: { a: { properties: { b: { type: 'string' } } } } }, '{a{b{}}}'],
    [{ additionalProperties: true }, '{}'],
    [{ items: { properties: { a: { type: 'string' } } } }, '{}[{a{}}]'],
    [{ items: true }, '{}'],
    [{ minItems: 1 }, '{}[{}]'],
    [{ contains: true }, '{}[{}]'],
    [{ prefixItems: [{ required: ['a'] }], items: { required: ['b'] } }, '{}[{a{} b{}}]'],
    [
      { allOf: [{ required: ['a'] }, { anyOf: [{ required: ['b'] }, { oneOf: [{ required: ['c'] }] }] }] },
      '{a{} b{} c{}}',
    ],
    [{ not: { required: ['error'] } }, '{error{}}'],
    [{ if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } }, '{a{} b{} c{}}'],
    [{ dependentRequired: { a: ['b'] } }, '{a{} b{}}'],
    [{ dependentSchemas: { a: { required: ['b'] } } }, '{a{} b{}}'],
    [{ properties: { a: { const: { x: 1 } }, b: { enum: [1, []] }, c: { enum: [1, 'x'] } } }, '{a* b* c{}}'],
    [{ properties: { a: { uniqueItems: true, maxItems: 3 } } }, '{a*}'],
    [{ additionalProperties: false }, '*'],
    [{ additionalProperties: { type: 'string' } }, '*'],
    [{ patternProperties: { a: true } }, '*'],
    [{ propertyNames: { maxLength: 3 } }, '*'],
    [{ minProperties: 1 }, '*'],
    [{ maxProperties: 1 }, '*'],
    [{ allOf: [{ properties: { a: { type: 'string' } } }], unevaluatedProperties: false }, '*'],
    [{ properties: { a: { additionalProperties: false } } }, '{a*}'],
    [{ properties: { next: { $ref: '#' }, id: { type: 'string' } } }, '{id{} next^}'],
    [
      {
        $ref: '#/$defs/a',
        $defs: {
          a: { properties: { b: { $ref: '#/$defs/b' } } },
          b: { properties: { a: { $ref: '#/$defs/a' }, x: { type: 'string' } } },
        },
      },
      '{b{a^ x{}}}',
    ],
  ];
  for (const [schema, shown] of cases) t.equal(show(projection(schema)), shown, JSON.stringify(schema));
});

t.test('what is read is kept beside what the schema looks at', async (t) => {
  const schema = { properties: { id: { type: 'string' } } };
  t.equal(show(projection(schema, [['user', 'login']])), '{id{} user{login{}}}');
  t.equal(show(projection(schema, [[]])), '{id{}}');
  t.equal(
    show(
      projection(schema, [
        ['list', ITEM, 'name'],
        ['list', ITEM],
      ]),
    ),
    '{id{} list{}[{name{}}]}',
  );
  t.equal(show(projection(schema, [['list', '0', 'name']])), '{id{} list{0{name{}}}[{name{}}]}', 'an index');
  t.equal(show(projection({ additionalProperties: false }, [['a']])), '*');
  t.equal(show(project([], [['a']])), '{a{}}');
});

t.test('an object that is selected leaves only its shape', async (t) => {
  const kept = projectValue(projection(true, [['user'], ['n']]), { user: { login: 'x' }, n: 1, other: 2 });
  t.strictSame(kept, { user: {}, n: 1 });
});

t.test('several alternatives: everything that any of them looks at', async (t) => {
  const one = compiled({ properties: { a: { type: 'string' } } }, 'sound').bundle;
  const two = compiled(
    { properties: { a: { properties: { b: { type: 'string' } } }, c: { type: 'null' } } },
    'sound',
  ).bundle;
  t.equal(show(project([one, two], [])), '{a{b{}} c{}}');
});

t.test('a schema with too many combinations keeps everything', async (t) => {
  // The state after n letters is which of the last 14 were "a": 2^14 of them.
  const $defs: Record<string, unknown> = { start: { properties: { a: { $ref: '#/$defs/s0' } } } };
  $defs.start = {
    properties: {
      a: { allOf: [{ $ref: '#/$defs/start' }, { $ref: '#/$defs/s0' }] },
      b: { $ref: '#/$defs/start' },
    },
  };
  for (let i = 0; i < 14; i++) {
    const next = i === 13 ? { type: 'object' } : { $ref: `#/$defs/s${i + 1}` };
    $defs[`s${i}`] = { properties: { a: next, b: next } };
  }
  t.equal(projection({ $ref: '#/$defs/start', $defs }), KEEP);
});
