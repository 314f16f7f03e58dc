import fc from 'fast-check';

/** Few names, so that schemas and documents meet. */
const NAMES = ['a', 'b', 'c', 'dd'] as const;

const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom('', 'a', 'b', 'ab', 'abc', 'dd', '\u{1f600}', 'x'.repeat(9), '2026-01-01');
const number = fc.constantFrom(-3, -1, -0, 0, 1, 2, 2.5, 3, 4, 10);
const scalar: fc.Arbitrary<unknown> = fc.oneof(text, number, fc.boolean(), fc.constant(null));

/** Documents of the values and names that the schemas are about. */
export const documents: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const small = fc.integer({ min: 0, max: 3 });
const pattern = fc.constantFrom('^a', 'b$', '^[ab]{1,2}$', '(?:a|b)+', '^d', '.');

function some<T extends object>(keywords: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  // One to three keywords a schema: more of them, and nothing passes.
  return fc
    .subarray(Object.keys(keywords) as (keyof T & string)[], { minLength: 1, maxLength: 3 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]]))),
    ) as fc.Arbitrary<Partial<T>>;
}

const assertions = some<Record<string, unknown>>({
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(fc.oneof(scalar, fc.constantFrom([], {}, { a: 1 }, [1, 'a'])), {
    minLength: 1,
    maxLength: 4,
    comparator: (x, y) => JSON.stringify(x) === JSON.stringify(y),
  }),
  const: fc.oneof(scalar, fc.constantFrom<unknown>({ a: 1 }, ['a'])),
  minimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(1, 2, 3),
  minLength: small,
  maxLength: small,
  pattern,
  format: fc.constantFrom('date', 'ipv4', 'uri-reference'),
  minItems: small,
  maxItems: small,
  minProperties: small,
  maxProperties: small,
  required: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
});

interface Ties {
  readonly schema: unknown;
  readonly plain: object;
}

/**
 * Schemas of every construct that the sound profile admits, with references into `$defs` (also recursive ones). A
 * few are refused all the same (a reference that goes round on the same value), which the caller leaves out.
 */
export const schemas: fc.Arbitrary<object> = fc
  .letrec<Ties>((tie) => {
    const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    const properties = fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true });
    const reference = fc
      .constantFrom('#/$defs/one', '#/$defs/two', '#/$defs/plain')
      .map(($ref) => ({ $ref }));
    return {
      schema: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        assertions,
        fc.boolean(),
        reference,
        some<Record<string, unknown>>({
          properties,
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: tie('schema'),
          patternProperties: fc.dictionary(pattern, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
          propertyNames: fc.oneof(
            fc.constant({ maxLength: 1 }),
            fc.constant({ enum: ['a', 'b'] }),
            tie('schema'),
          ),
          dependentSchemas: fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
        }),
        // What real answers look like: a closed object, or an open one.
        fc.record({
          type: fc.constant('object'),
          properties,
          additionalProperties: fc.constantFrom(false, true),
        }),
        some<Record<string, unknown>>({
          prefixItems: list,
          items: tie('schema'),
          minItems: small,
        }),
        fc.record({
          contains: tie('schema'),
          minContains: fc.constantFrom(1, 2),
          maxContains: fc.constantFrom(2, 3),
        }),
        fc.record({ uniqueItems: fc.constant(true), maxItems: fc.constantFrom(3, 4) }),
        some<Record<string, unknown>>({ allOf: list, anyOf: list, oneOf: list, not: tie('schema') }),
        fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
        fc.record({
          unevaluatedProperties: fc.constant(false),
          properties,
          allOf: fc.array(tie('plain'), { minLength: 1, maxLength: 2 }),
        }),
      ),
      plain: fc.oneof(
        fc.record({ properties, required: fc.uniqueArray(name, { maxLength: 1 }) }),
        fc.constant({ $ref: '#/$defs/plain' }),
      ),
    };
  })
  .schema.chain((root) =>
    fc.record({
      root: fc.constant(root),
      one: tieless(),
      two: tieless(),
      plain: fc.dictionary(name, fc.constantFrom({ type: 'string' }, true, { $ref: '#/$defs/one' }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    }),
  )
  .map(({ root, one, two, plain }) => ({
    allOf: [root],
    $defs: { one, two, plain: { properties: plain } },
  }));

/** Definitions that lead to one another, one level deeper each time. */
function tieless(): fc.Arbitrary<object> {
  const next = fc.constantFrom(
    { $ref: '#/$defs/one' },
    { $ref: '#/$defs/two' },
    { $ref: '#' },
    { type: 'integer' },
  );
  return fc.oneof(
    assertions,
    fc.record({ properties: fc.dictionary(name, next, { maxKeys: 2, noNullPrototype: true }) }),
    fc.record({ items: next }),
    fc.record({ properties: fc.record({ a: next }), additionalProperties: fc.constant(false) }),
  );
}
