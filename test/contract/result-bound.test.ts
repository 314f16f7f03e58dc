import fc from 'fast-check';
import t from 'tap';
import { resultBound } from '../../src/contract/result-bound.js';
import { firstForbidden } from '../../src/json/index.js';
import { briefly, compiled, shown } from './support.js';

const SEED = 20_260_103;

function bytes(schema: unknown): number | string[] {
  const bound = resultBound(compiled(schema, 'sound').bundle);
  return 'maxBytes' in bound ? bound.maxBytes : briefly(bound.problems);
}

function object(properties: object, required = Object.keys(properties)): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false };
}

const id = { type: 'string', pattern: '^[a-z]{1,4}$' };

t.test('the largest value, in bytes', async (t) => {
  const cases: [schema: unknown, largest: unknown][] = [
    [object({ a: { type: 'boolean' } }), { a: false }],
    [object({ a: { type: 'boolean' }, b: { type: 'null' } }), { a: false, b: null }],
    [object({ a: { type: 'string', maxLength: 3 } }), { a: '\u{1f600}'.repeat(3) }],
    [object({ a: { type: 'string', maxLength: 3, pattern: '^[ -~]+$' } }), { a: '"""' }],
    [object({ a: { type: 'string', maxLength: 9, pattern: '^[a-z]{0,3}$' } }), { a: 'abc' }],
    [object({ a: { enum: ['x', 'longest', 1, null] } }), { a: 'longest' }],
    [object({ a: { const: { deep: [1, 2] } } }), { a: { deep: [1, 2] } }],
    [object({ a: { type: 'string', enum: ['b'], maxLength: 9 } }), { a: 'b' }],
    [object({ a: { type: 'integer' } }), { a: -Number.MAX_SAFE_INTEGER }],
    [object({ a: { type: 'integer', minimum: 0, maximum: 999 } }), { a: 999 }],
    [object({ a: { type: 'integer', minimum: -1000, exclusiveMaximum: 5 } }), { a: -1000 }],
    [object({ a: { type: 'number', minimum: -1, maximum: 1 } }), { a: -0.0000012345678901234567 }],
    [object({ a: { type: ['integer', 'null'], minimum: 1, maximum: 9 } }), { a: null }],
    [object({ '\u00e9"': { type: 'null' } }), { '\u00e9"': null }],
    [object({ a: { type: 'array', maxItems: 3, items: { type: 'null' } } }), { a: [null, null, null] }],
    [object({ a: { type: 'array', maxItems: 0, items: { type: 'null' } } }), { a: [] }],
    [
      object({ a: { type: 'array', prefixItems: [{ type: 'null' }, { type: 'boolean' }], items: false } }),
      { a: [null, false] },
    ],
    [
      object({
        a: { type: 'array', prefixItems: [{ type: 'null' }], items: { type: 'boolean' }, maxItems: 3 },
      }),
      { a: [null, false, false] },
    ],
    [{ type: 'array', maxItems: 2, items: object({ a: { type: 'null' } }) }, [{ a: null }, { a: null }]],
    [object({ a: { anyOf: [{ type: 'null' }, { const: 'abcdef' }] } }), { a: 'abcdef' }],
    [object({ a: { type: ['string', 'null'], maxLength: 0 } }), { a: null }],
    [object({ a: { type: 'null' }, b: false }, ['a']), { a: null }],
    [
      object({
        a: { $ref: '#/$defs/id' },
        b: { allOf: [{ $ref: '#/$defs/id' }, { type: 'string', maxLength: 1 }] },
      }),
      { a: 'abcd', b: 'a' },
    ],
  ];
  for (const [schema, largest] of cases) {
    const whole = { ...(schema as object), $defs: { id } };
    t.equal(compiled(whole, 'sound').validator.accepts(largest), true, shown(largest));
    t.equal(bytes(whole), Buffer.byteLength(JSON.stringify(largest)), shown(schema));
  }
});

t.test('what has no bound, by rule and place', async (t) => {
  const cases: [schema: unknown, ...problems: string[]][] = [
    [true, 'any-type'],
    [object({ a: true }), 'any-type /properties/a'],
    [object({ a: { type: 'string' } }), 'unbounded-string /properties/a'],
    [object({ a: { type: 'string', format: 'date' } }), 'unbounded-string /properties/a'],
    [object({ a: { type: 'string', pattern: '^[a-z]+$' } }), 'unbounded-string /properties/a'],
    [object({ a: { type: 'string', pattern: '[a-z]{1,3}' } }), 'unbounded-string /properties/a'],
    [object({ a: { type: 'number', minimum: 0 } }), 'unbounded-number /properties/a'],
    [object({ a: { type: ['integer', 'number'] } }), 'unbounded-number /properties/a'],
    [object({ a: { type: 'array', items: { type: 'null' } } }), 'unbounded-array /properties/a'],
    [object({ a: { type: 'array', maxItems: 3 } }), 'any-item /properties/a'],
    [
      object({ a: { type: 'array', prefixItems: [{ type: 'null' }], maxItems: 3 } }),
      'any-item /properties/a',
    ],
    [object({ a: { type: 'object', properties: {}, required: ['x'] } }), 'open-object /properties/a'],
    [object({ a: { ...object({ x: { type: 'null' } }), required: [] } }), 'nothing-required /properties/a'],
    [object({ a: { type: 'null' } }, []), 'nothing-required'],
    [
      { ...object({ a: { type: 'null' } }), additionalProperties: true },
      'free-form-map /additionalProperties',
    ],
    [
      { ...object({ a: { type: 'null' } }), additionalProperties: { type: 'null' } },
      'free-form-map /additionalProperties',
    ],
    [
      { ...object({ a: { type: 'null' } }), patternProperties: { '^x': { type: 'null' } } },
      'free-form-map /patternProperties',
    ],
    [{ ...object({ a: { type: 'null' } }), propertyNames: { maxLength: 1 } }, 'free-form-map /propertyNames'],
    [
      object({ a: { type: 'string' }, b: { type: 'number' } }),
      'unbounded-number /properties/b',
      'unbounded-string /properties/a',
    ],
    [
      object({ a: { anyOf: [{ type: 'null' }, { type: 'string' }] } }),
      'unbounded-string /properties/a/anyOf/1',
    ],
    [object({ next: { $ref: '#' } }), 'recursive-result /properties/next'],
    [
      {
        ...object({ a: { $ref: '#/$defs/list' } }),
        $defs: {
          list: {
            type: 'array',
            maxItems: 2,
            items: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/list' }] },
          },
        },
      },
      'recursive-result /$defs/list/items/anyOf/1',
    ],
  ];
  for (const [schema, ...problems] of cases) t.strictSame(bytes(schema), problems, shown(schema));
});

t.test('several schemas for one value: any of them may bound it', async (t) => {
  t.equal(
    bytes({
      allOf: [
        { type: 'object', properties: { a: id } },
        { type: 'object', properties: { b: id } },
      ],
      type: 'object',
      unevaluatedProperties: false,
      required: ['a'],
    }),
    Buffer.byteLength('{"a":"abcd","b":"abcd"}'),
  );
  t.equal(
    bytes({ type: 'object', oneOf: [object({ k: { const: 'a' }, x: id }), object({ k: { const: 'bb' } })] }),
    Buffer.byteLength('{"k":"a","x":"abcd"}'),
    'the largest branch',
  );
  t.equal(
    bytes({
      ...object({ k: { type: 'string' } }),
      anyOf: [{ properties: { k: { const: 'x' } } }, { properties: { k: { maxLength: 1, type: 'string' } } }],
    }),
    Buffer.byteLength('{"k":"\u{1f600}"}'),
    'what stands around a choice holds in every branch of it',
  );
  const none = { type: 'null' };
  t.equal(
    bytes({ allOf: [object({ a: none, b: none }, ['b']), object({ b: none, c: none }, ['b'])] }),
    Buffer.byteLength('{"b":null}'),
    'a member has to be in every closed list',
  );
  const mixin = { type: 'object', properties: { id }, required: ['id'] };
  const outer = {
    type: 'object',
    allOf: [{ $ref: '#/$defs/mixin' }],
    properties: {
      inner: { type: 'object', allOf: [{ $ref: '#/$defs/mixin' }], unevaluatedProperties: false },
    },
    unevaluatedProperties: false,
    $defs: { mixin },
  };
  t.equal(
    bytes(outer),
    Buffer.byteLength('{"inner":{"id":"abcd"},"id":"abcd"}'),
    'one part used on two levels is no circle',
  );
});

t.test('a schema whose proof would take for ever is refused', async (t) => {
  const $defs: Record<string, unknown> = { l0: { type: 'null' } };
  for (let i = 1; i <= 8; i++) {
    const below = { $ref: `#/$defs/l${i - 1}` };
    $defs[`l${i}`] = { anyOf: ['a', 'b', 'c', 'd'].map((name) => object({ [name]: below })) };
  }
  t.type(bytes({ ...object({ a: { $ref: '#/$defs/l4' } }), $defs }), 'number');
  t.match(bytes({ ...object({ a: { $ref: '#/$defs/l8' } }), $defs }), [/^result-too-complex/]);
});

/** A schema together with values that it accepts. */
interface Case {
  readonly schema: object;
  readonly value: fc.Arbitrary<unknown>;
}

const worst = fc.constantFrom('\u{1f600}', '"', '\\', 'a', '\u4e2d', '\u00e9', ' ');
const texts = (maxLength: number) => fc.array(worst, { maxLength }).map((parts) => parts.join(''));

const cases: fc.Arbitrary<Case> = fc.letrec<{ case: Case; object: Case }>((tie) => ({
  case: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant<Case>({ schema: { type: 'boolean' }, value: fc.boolean() }),
    fc.constant<Case>({ schema: { type: 'integer' }, value: fc.maxSafeInteger() }),
    fc.tuple(fc.integer({ min: -2_000, max: 0 }), fc.integer({ min: 0, max: 20_000 })).map(
      ([minimum, maximum]): Case => ({
        schema: { type: 'integer', minimum, maximum },
        value: fc.integer({ min: minimum, max: maximum }),
      }),
    ),
    fc.constant<Case>({
      schema: { type: 'number', minimum: -1e6, maximum: 1e6 },
      value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    }),
    fc
      .integer({ min: 0, max: 6 })
      .map((maxLength): Case => ({ schema: { type: 'string', maxLength }, value: texts(maxLength) })),
    fc.constant<Case>({
      schema: { type: 'string', pattern: '^[a-z"]{0,5}$' },
      value: fc.array(fc.constantFrom('a', '"'), { maxLength: 5 }).map((parts) => parts.join('')),
    }),
    fc.constant<Case>({
      schema: { enum: ['x', 'yyyy', null, 12] },
      value: fc.constantFrom('x', 'yyyy', null, 12),
    }),
    tie('object'),
    fc.tuple(tie('case'), fc.integer({ min: 0, max: 4 })).map(
      ([item, maxItems]): Case => ({
        schema: { type: 'array', items: item.schema, maxItems },
        value: fc.array(item.value, { maxLength: maxItems }),
      }),
    ),
    fc.tuple(tie('case'), tie('case')).map(
      ([a, b]): Case => ({
        schema: { anyOf: [a.schema, b.schema] },
        value: fc.oneof(a.value, b.value),
      }),
    ),
    fc.tuple(tie('case'), tie('case')).map(
      ([first, rest]): Case => ({
        schema: { type: 'array', prefixItems: [first.schema], items: rest.schema, maxItems: 3 },
        value: fc.oneof(
          fc.constant([]),
          fc.tuple(first.value),
          fc.tuple(first.value, rest.value, rest.value),
        ),
      }),
    ),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'long_name', '\u00e9', 'q"'), tie('case')), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map((members): Case => {
      const [first = ''] = members.map(([name]) => name);
      return {
        schema: object(Object.fromEntries(members.map(([name, { schema }]) => [name, schema])), [first]),
        value: fc.record(Object.fromEntries(members.map(([name, { value }]) => [name, value])), {
          requiredKeys: [first],
          noNullPrototype: true,
        }),
      };
    }),
})).object;

t.test('no value that passes is larger than the bound', async (t) => {
  const counts = { values: 0, half: 0 };
  const samples = fc.sample(
    cases.chain(({ schema, value }) =>
      fc.tuple(fc.constant(schema), fc.array(value, { minLength: 12, maxLength: 12 })),
    ),
    {
      seed: SEED,
      numRuns: 150,
    },
  );
  for (const [schema, values] of samples) {
    const { bundle, validator } = compiled(schema, 'sound');
    const bound = resultBound(bundle);
    if ('problems' in bound) {
      t.fail(`${shown(schema)}: ${JSON.stringify(briefly(bound.problems))}`);
      continue;
    }
    for (const value of values) {
      const text = JSON.stringify(value);
      if (validator.accepts(value) !== true)
        t.fail(`the test is wrong about ${shown(value)} by ${shown(schema)}`);
      if (firstForbidden(text, 'plain') >= 0) t.fail(`${shown(value)} could not be selected`);
      counts.values++;
      const size = Buffer.byteLength(text);
      if (size * 2 > bound.maxBytes) counts.half++;
      if (size > bound.maxBytes)
        t.fail(`${shown(value)} is larger than ${bound.maxBytes} by ${shown(schema)}`);
    }
  }
  t.ok(counts.values >= 1_500, `${counts.values} values`);
  t.ok(counts.half >= 300, `${counts.half} of them more than half as large as the bound`);
});
