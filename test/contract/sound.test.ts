import t from 'tap';
import { SchemaLibrary } from '../../src/contract/schema-library.js';
import { EXPLICIT_RULES, SOUND_RULES } from '../../src/contract/sound.js';
import { briefly, compiled, refusals, shown } from './support.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Schema -> `rule pointer` of each problem. */
const REFUSED: readonly [schema: unknown, ...problems: string[]][] = [
  // Identity and references
  [{ $id: 'x' }, 'unknown-keyword /$id'],
  [{ type: 'object', properties: { a: { $id: 'x' } } }, 'unknown-keyword /properties/a/$id'],
  [{ id: 'x' }, 'unknown-keyword /id'],
  [{ $anchor: 'x' }, 'unknown-keyword /$anchor'],
  [{ $vocabulary: {} }, 'unknown-keyword /$vocabulary'],
  [{ $recursiveRef: '#' }, 'unknown-keyword /$recursiveRef'],
  [{ $ref: 'http://example.com/x.schema.json' }, 'reference /$ref'],
  [{ $ref: '//example.com/x' }, 'reference /$ref'],
  [{ $ref: '../other/x.schema.json' }, 'reference /$ref'],
  [{ $ref: '/x.schema.json' }, 'reference /$ref'],
  [{ $ref: 'file:///etc/passwd' }, 'reference /$ref'],
  [{ $ref: 'missing.schema.json' }, 'reference /$ref'],
  [{ $ref: '#name' }, 'reference /$ref'],
  [{ $ref: '#/$defs/missing' }, 'reference /$ref'],
  [{ $ref: '#/toString' }, 'reference /$ref'],
  [{ $ref: '#/$defs', $defs: {} }, 'reference /$ref'],
  [{ $ref: '#/const/a', const: { a: {} } }, 'reference /$ref'],
  [{ $ref: '#/$defs/%zz', $defs: {} }, 'reference /$ref'],
  [{ $ref: '#/a#/b' }, 'reference /$ref'],
  [{ $ref: '#' }, 'endless-reference /$ref'],
  [
    { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
    'endless-reference /$defs/a/anyOf/0/$ref',
    'endless-reference /$defs/b/not/$ref',
  ],
  // Dialects
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'other-dialect /$schema'],
  [{ $schema: `${DIALECT}#` }, 'other-dialect /$schema'],
  [{ $defs: { a: { $schema: DIALECT } } }, 'other-dialect /$defs/a/$schema'],
  [{ definitions: {} }, 'unknown-keyword /definitions'],
  [{ type: 'object', dependencies: {} }, 'unknown-keyword /dependencies'],
  [{ type: 'array', additionalItems: false }, 'unknown-keyword /additionalItems'],
  [{ type: 'array', items: [{}] }, 'not-a-schema /items'],
  [{ type: 'number', minimum: 1, exclusiveMinimum: true }, 'not-a-schema /exclusiveMinimum'],
  [{ type: 'object', properties: { a: { required: true } } }, 'not-a-schema /properties/a/required'],
  [{ type: 'strin' }, 'not-a-schema /type'],
  [{ type: 'object', properties: [] }, 'not-a-schema /properties'],
  ['text', 'not-a-schema'],
  [null, 'not-a-schema'],
  // OpenAPI
  [{ type: 'string', nullable: true }, 'unknown-keyword /nullable'],
  [{ example: 1 }, 'unknown-keyword /example'],
  [{ 'x-vendor': 1 }, 'unknown-keyword /x-vendor'],
  [{ type: 'string', contentEncoding: 'base64' }, 'unknown-keyword /contentEncoding'],
  [{ type: 'string', format: 'int64' }, 'unasserted-format /format'],
  // Unsound or idle
  [{ if: true }, 'half-condition /if'],
  [{ then: true }, 'half-condition /then'],
  [{ else: true }, 'half-condition /else'],
  [{ type: 'array', minContains: 1 }, 'idle-contains /minContains'],
  [{ type: 'array', maxContains: 1 }, 'idle-contains /maxContains'],
  [{ type: 'array', contains: true, minContains: 0 }, 'idle-contains /minContains'],
  [{ type: 'array', contains: true, minContains: 3, maxContains: 2 }, 'idle-contains /maxContains'],
  [{ type: 'array', contains: true, maxContains: 0 }, 'idle-contains /maxContains'],
  [{ type: 'number', multipleOf: 0.5 }, 'fractional-multiple /multipleOf'],
  [{ type: 'array', uniqueItems: true }, 'unbounded-unique /uniqueItems'],
  [{ enum: [] }, 'empty-enum /enum'],
  [{ const: 2 ** 53 }, 'inexact-number /const'],
  [{ enum: [1, { deep: [2 ** 60] }] }, 'inexact-number /enum/1/deep/0'],
  [{ type: 'integer', maximum: 1e300 }, 'inexact-number /maximum'],
  [{ const: { constructor: 1 } }, 'prototype-name /const/constructor'],
  [{ type: 'object', required: ['a', 'valueOf'] }, 'prototype-name /required/1'],
  [
    { type: 'object', dependentRequired: { toString: ['a'], a: ['__proto__'] } },
    'prototype-name /dependentRequired/a/0',
    'prototype-name /dependentRequired/toString',
  ],
  [
    { type: 'object', dependentSchemas: { isPrototypeOf: true } },
    'prototype-name /dependentSchemas/isPrototypeOf',
  ],
  [{ $defs: { hasOwnProperty: {} } }, 'prototype-name /$defs/hasOwnProperty'],
  [{ type: 'object', unevaluatedProperties: true }, 'unevaluated-properties /unevaluatedProperties'],
  [
    { type: 'object', unevaluatedProperties: { type: 'string' } },
    'unevaluated-properties /unevaluatedProperties',
  ],
  ...['anyOf', 'oneOf'].map((keyword): [unknown, string] => [
    { type: 'object', [keyword]: [{ type: 'object' }], unevaluatedProperties: false },
    'unevaluated-properties /unevaluatedProperties',
  ]),
  [
    {
      type: 'object',
      allOf: [{ $ref: '#/$defs/a' }],
      unevaluatedProperties: false,
      $defs: { a: { type: 'object', patternProperties: { a: true } } },
    },
    'unevaluated-properties /unevaluatedProperties',
  ],
  [
    { type: 'object', not: { type: 'object', required: ['a'] }, unevaluatedProperties: false },
    'unevaluated-properties /unevaluatedProperties',
  ],
  // Patterns
  [{ type: 'string', pattern: '(' }, 'pattern /pattern'],
  [{ type: 'string', pattern: '(?=a)' }, 'pattern /pattern'],
  [{ type: 'string', pattern: '(a)\\1' }, 'pattern /pattern'],
  [{ type: 'object', patternProperties: { '(?<!a)b': true } }, 'pattern /patternProperties/(?<!a)b'],
  // Sound, but says less than it seems to
  [{ required: ['id'] }, 'type-missing /required'],
  [{ maxLength: 5 }, 'type-missing /maxLength'],
  [{ type: 'integer', maxLength: 5 }, 'type-missing /maxLength'],
  [{ type: ['string', 'null'], properties: {} }, 'type-missing /properties'],
  [{ type: 'object', properties: { a: { minimum: 1 } } }, 'type-missing /properties/a/minimum'],
];

t.test('what the profile refuses, by rule and place', async (t) => {
  for (const [schema, ...problems] of REFUSED) t.strictSame(refusals(schema), problems, shown(schema));
});

t.test('what it admits', async (t) => {
  for (const schema of [
    true,
    false,
    {},
    {
      $schema: DIALECT,
      title: 'x',
      description: 'x',
      $comment: 'x',
      default: 1,
      examples: [{ toString: 1 }],
      deprecated: true,
    },
    { type: ['string', 'null'], maxLength: 5 },
    { type: 'number', minimum: 0, exclusiveMaximum: 1.5, multipleOf: 2 },
    { type: 'integer', minimum: 1 },
    { type: 'object', not: { required: ['error'] } },
    { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'string' } },
    { type: 'object', if: { required: ['a'] }, then: { required: ['b'] }, else: { maxProperties: 3 } },
    { type: 'array', contains: { const: 1 }, minContains: 0, maxContains: 2 },
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    { type: 'array', uniqueItems: true, maxItems: 3 },
    { type: 'array', uniqueItems: false },
    { type: 'object', properties: { next: { $ref: '#' } } },
    { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'string' } } },
    { type: 'object', properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } },
    { anyOf: [{ type: 'string' }, { type: 'object', oneOf: [{ properties: { a: true } }] }] },
    { const: null },
  ]) {
    t.strictSame(refusals(schema), [], shown(schema));
  }
});

t.test('every rule refuses something above', async (t) => {
  const seen = new Set(
    REFUSED.flatMap(([, ...problems]) => problems.map((problem) => problem.split(' ')[0])),
  );
  seen.add('too-many-properties').add('data-reference');
  for (const { name } of [...SOUND_RULES, ...EXPLICIT_RULES]) t.ok(seen.has(name), name);
});

t.test('every finding says what to write instead', async (t) => {
  for (const [schema] of REFUSED) {
    const library = new SchemaLibrary(new Map([['s.schema.json', schema]]));
    library.open('s.schema.json', { document: undefined, path: [] });
    for (const { message, remedy } of library.problems) {
      t.ok(message.length > 10 && remedy.length > 3, `${message}: ${remedy}`);
    }
  }
});

t.test('all problems are found at once, each once', async (t) => {
  t.strictSame(
    refusals({
      $id: 'x',
      nullable: true,
      type: 'array',
      items: { required: ['a'], format: 'x' },
      uniqueItems: true,
    }),
    [
      'type-missing /items/required',
      'unasserted-format /items/format',
      'unbounded-unique /uniqueItems',
      'unknown-keyword /$id',
      'unknown-keyword /nullable',
    ].sort(),
  );
});

t.test('files beside the contract', async (t) => {
  const files = {
    'a.schema.json': {
      type: 'object',
      properties: { b: { $ref: 'b.schema.json' }, own: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'string' } },
    },
    'b.schema.json': {
      type: 'object',
      properties: { a: { $ref: 'a.schema.json' }, own: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'integer' } },
    },
  };
  const { validator, bundle } = compiled({ $ref: 'a.schema.json' }, 'all', files);
  t.equal(validator.accepts({ own: 'x', b: { own: 1, a: { own: 'y', b: {} } } }), true);
  t.equal(validator.accepts({ b: { own: 'x' } }), false, 'a fragment alone means the file it stands in');
  t.equal(validator.accepts({ b: { a: { own: 1 } } }), false);
  t.notMatch(JSON.stringify(bundle.root), /schema\.json/, 'the bundle needs no file');

  t.strictSame(
    refusals({ $ref: 'a.schema.json#/$defs/x' }, 'all', {
      'a.schema.json': { $defs: { x: { nullable: true } } },
    }),
    ['unknown-keyword a.schema.json#/$defs/x/nullable'],
    'a problem names the file',
  );
  t.strictSame(
    refusals({ $ref: 'a.schema.json#/$defs/x' }, 'all', {
      'a.schema.json': { nullable: true, $defs: { x: {} } },
    }),
    ['unknown-keyword a.schema.json#/nullable'],
    'a file is used as a whole or not at all',
  );
  t.strictSame(refusals({ $ref: 'a.schema.json' }, 'all', { 'a.schema.json': { $ref: 's.schema.json' } }), [
    'endless-reference /$ref',
    'endless-reference a.schema.json#/$ref',
  ]);
});

t.test('a schema written in place: pointers into contract.yaml', async (t) => {
  const library = new SchemaLibrary(new Map([['b.schema.json', { type: 'integer' }]]));
  const place = { document: undefined, path: ['responses', '0', 'schema'] };
  const site = library.open(
    { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { $ref: 'b.schema.json' } } },
    place,
  );
  t.ok(site, '# is the schema itself');
  t.equal(library.open({ type: 'object', properties: { a: { nullable: true } } }, place), undefined);
  t.strictSame(briefly(library.problems), ['unknown-keyword /responses/0/schema/properties/a/nullable']);
  t.equal(library.problems[0]?.document, undefined);
  t.strictSame([...library.used().keys()], ['b.schema.json']);
});

t.test('a reference to a schema file from contract.yaml', async (t) => {
  const library = new SchemaLibrary(new Map([['a.schema.json', { $defs: { x: { type: 'string' } } }]]));
  const place = { document: undefined, path: ['result'] };
  t.ok(library.open('a.schema.json#/$defs/x', place));
  t.strictSame(library.problems, []);
  for (const ref of [
    'b.schema.json',
    'a.schema.json#/$defs/y',
    'http://x.example/a.schema.json',
    '#/$defs/x',
  ]) {
    t.equal(library.open(ref, place), undefined, ref);
  }
  t.strictSame(
    briefly(library.problems),
    Array.from({ length: 4 }, () => 'reference /result'),
  );
});

t.test('a schema nested without end is refused, and not read', async (t) => {
  let deep: unknown = {};
  for (let i = 0; i < 5_000; i++) deep = { not: deep };
  t.strictSame(refusals(deep), ['not-a-schema']);
});
