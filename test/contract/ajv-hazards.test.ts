import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { compiled, refusals } from './support.js';

/** What Ajv does without our rules and settings. */
function plain(schema: object, value: unknown, options: Options = {}): unknown {
  try {
    return new Ajv2020({ strict: false, logger: false, ...options }).compile(schema)(value);
  } catch (error) {
    return error instanceof Error ? error.constructor.name : 'thrown';
  }
}

const parse = (text: string): never => JSON.parse(text) as never;

t.test('unevaluatedProperties: false lets extra members pass where something is conditional', async (t) => {
  const cases: [schema: object, value: unknown, culprit: string][] = [
    [
      { anyOf: [{ anyOf: [{ properties: { x: true } }], required: ['z'] }, { properties: { y: true } }] },
      { x: 1, y: 1 },
      'anyOf inside a failing anyOf',
    ],
    [
      {
        oneOf: [
          { if: { required: ['x'] }, then: { properties: { x: true } }, required: ['z'] },
          { properties: { y: true } },
        ],
      },
      { x: 1, y: 1 },
      'if inside a failing oneOf',
    ],
    [
      { anyOf: [{ properties: { y: true } }, { properties: { z: true } }] },
      parse('{"y":1,"constructor":1,"toString":1}'),
      'names of Object.prototype against a set made at run time',
    ],
  ];
  for (const [schema, value, name] of cases) {
    const closed = { type: 'object', ...schema, unevaluatedProperties: false };
    t.equal(plain(closed, value, { ownProperties: true }), true, `Ajv accepts: ${name}`);
    t.match(refusals(closed), ['unevaluated-properties /unevaluatedProperties'], `refused at load: ${name}`);
  }
});

t.test('unevaluatedProperties: false over allOf and $ref of plain objects is sound', async (t) => {
  const { validator } = compiled({
    type: 'object',
    properties: { a: { type: 'string' } },
    allOf: [{ $ref: '#/$defs/base' }, { type: 'object', properties: { c: { type: 'string' } } }],
    unevaluatedProperties: false,
    $defs: { base: { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] } },
  });
  t.equal(validator.accepts({ a: '', b: 1, c: '' }), true);
  t.equal(validator.accepts({ b: 1 }), true);
  t.equal(validator.accepts({ b: 1, d: 1 }), false);
  t.equal(validator.accepts({ b: 'x' }), false, 'the base is still looked at');
  for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']) {
    t.equal(validator.accepts(parse(`{"b":1,"${name}":1}`)), false, name);
  }
  t.strictSame(validator.explain({ b: 1, d: 1 }), [
    { instance: '/d', schema: 's.schema.json#/unevaluatedProperties', rule: 'additionalProperties' },
  ]);
});

t.test(
  'additionalProperties: false refuses the names of Object.prototype, with few and with many properties',
  async (t) => {
    for (const count of [1, 8, 9, 50]) {
      const properties = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }]),
      );
      const { validator } = compiled({ type: 'object', properties, additionalProperties: false });
      for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']) {
        t.equal(validator.accepts(parse(`{"${name}":"x"}`)), false, `${count} properties, ${name}`);
      }
    }
  },
);

t.test('names of Object.prototype in a schema', async (t) => {
  t.equal(plain({ required: ['toString'] }, {}), true, 'Ajv takes what is inherited for what was sent');
  t.strictSame(refusals({ type: 'object', required: ['toString'] }), ['prototype-name /required/0']);
  t.equal(
    plain(parse('{"properties":{"__proto__":{"type":"number"}}}'), parse('{"__proto__":"x"}'), {
      ownProperties: true,
    }),
    true,
    'Ajv never validates a property __proto__',
  );
  t.strictSame(refusals(parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}')), [
    'prototype-name /properties/__proto__',
  ]);
});

t.test('the setting ownProperties: what is inherited does not count as sent', async (t) => {
  const { validator } = compiled({ type: 'object', required: ['id'] });
  t.equal(validator.accepts(Object.create({ id: 1 })), false);
});

t.test(
  'constructs on which the verdict is wrong, late or chosen by the data are refused at load',
  async (t) => {
    t.equal(plain({ $ref: '#/__proto__' }, 'anything'), true, 'Ajv accepts all');
    t.strictSame(refusals({ $ref: '#/__proto__' }), ['reference /$ref']);

    t.equal(plain({ type: 'string', nullable: true }, null), true);
    t.strictSame(refusals({ type: 'string', nullable: true }), ['unknown-keyword /nullable']);

    const late: unknown = plain({ $async: true, type: 'string' }, 1);
    t.type(late, Promise, 'Ajv answers with a promise, which is truthy');
    await t.rejects(late as Promise<unknown>);
    t.strictSame(refusals({ $async: true, type: 'string' }), ['unknown-keyword /$async']);

    t.equal(
      plain({ properties: { a: { maximum: { $data: '1/b' } } } }, { a: 5, b: 9 }, { $data: true }),
      true,
    );
    t.strictSame(refusals({ type: 'number', maximum: { $data: '1/b' } }), ['not-a-schema /maximum']);
    t.strictSame(refusals({ const: { $data: '1/b' } }), ['data-reference /const/$data']);
    t.strictSame(refusals({ enum: [1, { $data: '1/b' }] }), ['data-reference /enum/1/$data']);
    t.strictSame(refusals({ type: 'number', $data: '1/b' }), ['unknown-keyword /$data']);

    t.equal(
      plain({ contains: { type: 'string' }, unevaluatedItems: false }, ['a', 1]),
      true,
      'Ajv accepts 1',
    );
    t.strictSame(refusals({ type: 'array', unevaluatedItems: false }), ['unknown-keyword /unevaluatedItems']);

    const recursive = { $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x', type: 'string' } } };
    t.equal(plain(recursive, 1), 'RangeError');
    t.strictSame(refusals(recursive), [
      'unknown-keyword /$defs/x/$dynamicAnchor',
      'unknown-keyword /$dynamicRef',
    ]);

    const nested = { $defs: { b: { $id: 'b', $ref: 'a' } }, $id: 'http://x.example/a', $ref: '#/$defs/b' };
    t.equal(plain(nested, 1), 'RangeError');
    t.match(refusals(nested), [
      'reference /$defs/b/$ref',
      'unknown-keyword /$defs/b/$id',
      'unknown-keyword /$id',
    ]);

    t.strictSame(refusals({ type: 'object', discriminator: { propertyName: 'k' } }), [
      'unknown-keyword /discriminator',
    ]);
    t.strictSame(refusals({ if: { type: 'string' } }), ['half-condition /if']);
  },
);

t.test('a throw inside is undecided, and undecided is refused', async (t) => {
  const { validator } = compiled({ enum: [{ a: 1 }, 'x'] });
  for (const name of ['toString', 'valueOf']) {
    const value = parse(`{"${name}":1}`);
    t.equal(plain({ enum: [{ a: 1 }, 'x'] }, value), 'TypeError', `Ajv throws on a member ${name}`);
    const verdict = validator.accepts(value);
    t.ok(verdict instanceof Fault && verdict.code === 'CON_THREW' && verdict.agent === 'INVALID_RESPONSE');
    t.strictSame(validator.first(value), { instance: '', schema: 's.schema.json#', rule: 'undecided' });
    t.strictSame(validator.explain(value), [{ instance: '', schema: 's.schema.json#', rule: 'undecided' }]);
  }
  t.equal(validator.accepts('x'), true, 'and the validator goes on working');

  const tree = compiled({
    $ref: '#/$defs/tree',
    $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  });
  const deep = parse('['.repeat(100_000) + ']'.repeat(100_000));
  const verdict = tree.validator.accepts(deep);
  t.ok(verdict instanceof Fault && verdict.code === 'CON_THREW', 'nested too deep to decide');
  t.equal(tree.validator.accepts([[], [[]]]), true);
});

t.test('uniqueItems', async (t) => {
  const schema = { type: 'array', items: { type: 'string' }, uniqueItems: true };
  t.equal(plain(schema, ['__proto__', '__proto__']), true, 'Ajv takes them for different');
  const { validator } = compiled({ ...schema, maxItems: 5 });
  t.equal(validator.accepts(['__proto__', '__proto__']), false);
  t.equal(validator.accepts(['__proto__', 'constructor', 'a', 'b']), true);
  t.equal(validator.accepts(['a', 'a']), false);

  const any = compiled({ type: 'array', uniqueItems: true, maxItems: 5 }).validator;
  t.equal(
    any.accepts([
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]),
    false,
    'order of members does not matter',
  );
  t.equal(any.accepts([1, '1', true, 'true', null]), true);
  t.equal(any.accepts([0, -0]), false);
  t.equal(any.accepts([parse('{"toString":1}'), parse('{"toString":2}')]), true, 'no throw');
  t.equal(any.accepts([[], {}]), true);
  t.strictSame(refusals(schema), ['unbounded-unique /uniqueItems']);
});

t.test('multipleOf a fraction', async (t) => {
  t.equal(plain({ multipleOf: 0.01 }, 19.99), false, 'Ajv refuses 19.99');
  t.strictSame(refusals({ type: 'number', multipleOf: 0.01 }), ['fractional-multiple /multipleOf']);
  t.strictSame(refusals({ type: 'number', multipleOf: 5 }), []);
});

t.test('more properties than the generated code can take', async (t) => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string', minLength: 1 }]));
  t.equal(plain({ properties: properties(5_000) }, {}), 'RangeError', 'Ajv overflows the stack');
  t.strictSame(refusals({ type: 'object', properties: properties(1_001) }), [
    'too-many-properties /properties',
  ]);
  t.equal(compiled({ type: 'object', properties: properties(1_000) }).validator.accepts({ p999: '' }), false);
});

t.test('the value is judged as it came', async (t) => {
  const { validator } = compiled({
    type: 'object',
    properties: { n: { type: 'integer', default: 5 }, s: { type: 'string' }, l: { type: 'array' } },
    additionalProperties: false,
  });
  for (const value of [
    { n: '1' },
    { n: true },
    { n: null },
    { n: 1.5 },
    { s: 1 },
    { s: null },
    { l: 'x' },
    { x: 1 },
  ]) {
    const before = JSON.stringify(value);
    t.equal(validator.accepts(value), false, before);
    t.equal(JSON.stringify(value), before, 'unchanged');
  }
  const empty = {};
  t.equal(validator.accepts(empty), true);
  t.strictSame(empty, {}, 'no default was filled in');
});

t.test('the trap: patterns are shared by what they print', async (t) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', pattern: '^a$' }, b: { type: 'string', pattern: '^b$' } },
  };
  const regExp = Object.assign(
    (text: string) => ({ test: (value: string) => new RegExp(text, 'u').test(value) }),
    { code: 'x' },
  );
  t.equal(
    plain(schema, { b: 'a' }, { code: { regExp } }),
    true,
    'without an own toString all become the first',
  );
  t.equal(compiled(schema).validator.accepts({ b: 'a' }), false);
  t.equal(compiled(schema).validator.accepts({ a: 'a', b: 'b' }), true);
});

t.test('nothing of one contract version stays in another', async (t) => {
  const one = compiled({ type: 'object', properties: { a: { const: 1 } } }).validator;
  const two = compiled({ type: 'object', properties: { a: { const: 2 } } }).validator;
  t.equal(one.accepts({ a: 1 }), true);
  t.equal(two.accepts({ a: 1 }), false);
  t.equal(one.accepts({ a: 2 }), false);
});

t.test('findings: where in the answer, where in what the author wrote, at most eight', async (t) => {
  const { validator } = compiled(
    {
      type: 'object',
      properties: {
        user: { $ref: 'user.schema.json#/$defs/user' },
        list: { type: 'array', items: { type: 'integer' } },
        no: false,
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        when: { type: 'string', pattern: '^[0-9]+$' },
      },
      patternProperties: { '^x': false },
      required: ['id'],
    },
    'all',
    {
      'user.schema.json': { $defs: { user: { type: 'object', properties: { 'a/b': { type: 'string' } } } } },
    },
  );
  const cases: [value: unknown, instance: string, schema: string, rule: string][] = [
    [{}, '/id', 's.schema.json#/required', 'required'],
    [[], '', 's.schema.json#/type', 'type'],
    [{ user: { 'a/b': 1 } }, '/user/a~1b', 'user.schema.json#/$defs/user/properties/a~1b/type', 'type'],
    [{ list: [1, 'x'] }, '/list/1', 's.schema.json#/properties/list/items/type', 'type'],
    [{ no: 1 }, '/no', 's.schema.json#/properties/no', 'false'],
    [{ kind: 'c' }, '/kind', 's.schema.json#/properties/kind/anyOf', 'anyOf'],
    [{ 'x~y': 1 }, '/x~0y', 's.schema.json#/patternProperties/^x', 'false'],
  ];
  for (const [value, instance, schema, rule] of cases) {
    const whole = Array.isArray(value)
      ? value
      : { ...(value as object), ...(rule === 'required' ? {} : { id: 1 }) };
    t.strictSame(validator.first(whole), { instance, schema, rule }, JSON.stringify(value));
    t.strictSame(validator.explain(whole)[0], { instance, schema, rule });
  }
  const many = { list: Array.from({ length: 50 }, () => 'x'), id: 1 };
  t.equal(validator.explain(many).length, 8);
  const huge = { list: Array.from({ length: 20_000 }, () => 'x'), id: 1 };
  t.equal(validator.explain(huge).length, 1, 'only the first where all would cost too much');
  const closed = compiled({
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: false,
  });
  t.strictSame(closed.validator.first({ a: '', 'b/c': 1 }), {
    instance: '/b~1c',
    schema: 's.schema.json#/additionalProperties',
    rule: 'additionalProperties',
  });
  const name = `x${'n'.repeat(500)}`;
  t.equal(
    validator.explain({ [name]: 1, id: 1 })[0]?.instance,
    `/x${'n'.repeat(63)}\u2026`,
    'upstream names are cut',
  );
});

t.test('a schema whose branches each refer back to the whole does not load', (t) => {
  const tree = (kinds: readonly unknown[]) => ({
    $ref: '#/$defs/t',
    $defs: { t: { type: 'object', anyOf: kinds } },
  });
  const branch = (kind: string) => ({ properties: { kind: { const: kind }, child: { $ref: '#/$defs/t' } } });
  const doubled = ['repeated-work /$defs/t/anyOf'];
  t.strictSame(refusals(tree([branch('a'), branch('b')])), doubled);
  t.strictSame(
    refusals(tree([branch('a'), { type: 'object', additionalProperties: { $ref: '#/$defs/t' } }])),
    doubled,
  );
  const items = (keyword: string) => ({ type: 'array', [keyword]: { $ref: '#/$defs/t' } });
  const lists = { $ref: '#/$defs/t', $defs: { t: { allOf: [items('items'), items('contains')] } } };
  t.strictSame(refusals(lists), ['repeated-work /$defs/t/allOf']);

  t.test('also without recursion, and on one value', (t) => {
    const levels = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `d${i}`,
        { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) },
      ]),
    );
    t.strictSame(refusals({ $ref: '#/$defs/d0', $defs: { ...levels, d12: { type: 'object' } } }), [
      'repeated-work /$defs/d4/allOf',
    ]);
    t.end();
  });

  t.test('what stands beside the branches, or in one of them, is counted once', (t) => {
    const beside = {
      $ref: '#/$defs/t',
      $defs: {
        t: {
          type: 'object',
          properties: { kind: { type: 'string' }, left: { $ref: '#/$defs/t' }, right: { $ref: '#/$defs/t' } },
          additionalProperties: { $ref: '#/$defs/t' },
          anyOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
        },
      },
    };
    const { validator } = compiled(beside);
    let value: unknown = { kind: 'a' };
    for (let i = 0; i < 60; i++) value = { kind: 'b', left: value };
    t.equal(validator.accepts(value), true);
    const apart = tree([
      { properties: { only: { $ref: '#/$defs/t' } } },
      { properties: { other: { $ref: '#/$defs/t' }, list: { type: 'array', items: { $ref: '#/$defs/t' } } } },
    ]);
    t.strictSame(refusals(apart), []);
    const tuple = {
      $ref: '#/$defs/t',
      $defs: {
        t: { type: 'array', prefixItems: [{ $ref: '#/$defs/t' }, { $ref: '#/$defs/t' }], items: false },
      },
    };
    t.strictSame(refusals(tuple), []);
    t.end();
  });
  t.end();
});

t.test('what the validator does not need to know cannot make it throw', (t) => {
  // With evaluated members tracked, the generated code of this one names `props0` and declares it nowhere.
  const { validator } = compiled(
    {
      oneOf: [
        {
          not: {},
          dependentRequired: { a: ['a'] },
          oneOf: [{ dependentSchemas: { b: { properties: { c: { minimum: 1 } } } } }, { minimum: 1 }],
        },
        {},
      ],
    },
    'sound',
  );
  for (const value of [{}, [], 1, 'a', null]) t.equal(validator.accepts(value), true);
  t.end();
});
