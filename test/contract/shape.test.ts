import t from 'tap';
import { nameOf, nearest, validateShape } from '../../src/contract/index.js';

const shown = (schema: object, value: unknown) =>
  validateShape(schema, value).map(
    ({ pointer, atKey, rule, message }) => `${pointer}${atKey ? '#' : ''} ${rule}: ${message}`,
  );

t.test('nothing wrong', async (t) => {
  t.same(validateShape({ type: 'object' }, {}), []);
});

t.test('one sentence for each kind of rule', async (t) => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['must'],
    propertyNames: { title: 'Key', type: 'string', pattern: '^[a-z]+$' },
    dependentRequired: { list: ['text'] },
    properties: {
      must: {},
      text: { title: 'HTTP word', type: 'string', pattern: '^x', maxLength: 2, minLength: 1 },
      count: { type: 'integer', minimum: 1, maximum: 3, examples: [2] },
      list: { type: 'array', minItems: 2, maxItems: 3, uniqueItems: true, items: { enum: ['one', 'two'] } },
      map: { type: 'object', minProperties: 1, additionalProperties: { type: ['string', 'null'] } },
      fixed: { const: 5 },
      shut: { not: {} },
      hole: { title: 'Number', not: { const: 3 } },
    },
  };
  t.same(
    shown(schema, {
      text: 'yyy',
      count: 0,
      list: ['one', 'tow', 'one', 'one'],
      map: { a: 1 },
      fixed: 4,
      shut: 1,
      hole: 3,
      BAD: 1,
    }).sort(),
    [
      '/BAD# bad-key: a key of the document is not a valid key',
      '/BAD# unknown-key: "BAD" is not a key of the document',
      '/count out-of-range: count must be at least 1',
      '/fixed not-in-list: fixed must be 5',
      '/hole bad-value: hole is not a valid number',
      '/list too-many: list must have at most 3 items',
      '/list repeated-item: list has the same item twice',
      '/list/1 not-in-list: list[1] must be "one" or "two"',
      '/map/a wrong-type: map.a is a number, must be text or empty',
      '/shut# not-here: shut cannot be set here',
      '/text bad-form: text is not a valid HTTP word',
      '/text too-many: text must have at most 2 characters',
      '# missing-key: the document lacks the key "must"',
    ].sort(),
  );
  t.same(shown(schema, { must: 1, count: 9, list: ['one'], text: '', map: {} }).sort(), [
    '/count out-of-range: count must be at most 3',
    '/list too-few: list must have at least 2 items',
    '/map too-few: map must have at least 1 key',
    '/text bad-form: text is not a valid HTTP word',
    '/text too-few: text must have at least 1 character',
  ]);
  t.same(shown(schema, { must: 1, list: ['one', 'two'] }), [
    '# missing-key: the document has "list" and lacks the key "text", which belongs to it',
  ]);
  t.same(shown(schema, { must: 1, count: 1.5 }), [
    '/count wrong-type: count is a number, must be a whole number such as 2',
  ]);
  t.same(shown(schema, []), ['/ wrong-type: the document is a list, must be a map'.replace('/ ', ' ')]);
});

t.test('no message repeats a value', async (t) => {
  const schema = {
    type: 'object',
    properties: {
      a: { enum: ['x'] },
      b: { type: 'string', pattern: '^x' },
      c: {
        anyOf: [
          { type: 'string', const: 'x' },
          { type: 'object', required: ['y'] },
        ],
      },
      d: { type: 'integer' },
    },
  };
  const said = JSON.stringify(validateShape(schema, { a: 'S3CRET', b: 'S3CRET', c: 'S3CRET', d: 'S3CRET' }));
  t.notMatch(said, 'S3CRET');
  t.equal(validateShape(schema, { a: 'S3CRET', b: 'S3CRET', c: 'S3CRET', d: 'S3CRET' }).length, 4);
});

t.test('remedies', async (t) => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['total'],
    properties: {
      total: {
        title: 'Time',
        description: 'In all.',
        type: 'string',
        pattern: '^[0-9]+s$',
        examples: ['10s'],
      },
      level: { enum: ['debug', 'info'] },
      name: { type: 'string' },
    },
  };
  const remedy = (value: unknown) => validateShape(schema, value)[0]?.remedy;
  t.equal(remedy({}), 'Add for example total: "10s". In all.');
  t.equal(remedy({ total: 'x' }), 'Write for example total: "10s". In all.');
  t.equal(remedy({ total: '1s', leval: 'info' }), 'Did you mean "level"?');
  t.equal(
    remedy({ total: '1s', level: 'info', leval: 1 }),
    'Remove it; the keys here are total, level, name.',
  );
  t.equal(remedy({ total: '1s', level: 'inof' }), 'Did you mean "info"?');
  t.equal(remedy({ total: '1s', level: 'everything' }), 'Write "debug" or "info".');
  t.equal(remedy({ total: '1s', name: 5 }), 'Put it in quotes if it is meant as text.');
});

t.test('of a union only the branch that fits best', async (t) => {
  const schema = {
    $ref: '#/$defs/field',
    $defs: {
      field: {
        title: 'Field',
        description: 'A source, or one of the maps.',
        anyOf: [{ $ref: '#/$defs/source' }, { $ref: '#/$defs/from' }, { $ref: '#/$defs/nested' }],
      },
      source: { type: 'string', pattern: '^/', title: 'Source' },
      from: {
        type: 'object',
        additionalProperties: false,
        required: ['from'],
        properties: { from: { $ref: '#/$defs/source' }, max: { type: 'integer' } },
      },
      nested: {
        type: 'object',
        additionalProperties: false,
        required: ['object'],
        properties: { object: { type: 'object', additionalProperties: { $ref: '#/$defs/field' } } },
        allOf: [{ oneOf: [{ required: ['object'] }, { required: ['other'] }] }],
      },
    },
  };
  t.same(shown(schema, '/a'), []);
  t.same(shown(schema, 'a'), [' bad-form: the document is not a valid source']);
  t.same(shown(schema, { from: 'a', max: 1 }), ['/from bad-form: from is not a valid source']);
  t.same(shown(schema, { from: '/a', max: 'x' }), ['/max wrong-type: max is text, must be a whole number']);
  t.same(shown(schema, { object: { a: { object: { b: { from: 1 }, c: 'x' } }, d: '/ok' } }).sort(), [
    '/object/a/object/b/from wrong-type: object.a.object.b.from is a number, must be text',
    '/object/a/object/c bad-form: object.a.object.c is not a valid source',
  ]);
  t.same(shown(schema, 5), [' wrong-type: the document is a number, must be text, a map or a map']);
  t.same(shown(schema, { rule: 1 }), ['# no-such-kind: the document is not a valid field']);
  t.same(shown(schema, { form: '/a' }).sort(), [
    '# missing-key: the document lacks the key "from"',
    '/form# unknown-key: "form" is not a key of the document',
  ]);
});

t.test('exactly one of some keys', async (t) => {
  const schema = { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b', 'c'] }] };
  t.same(shown(schema, { a: 1, b: 1 }), []);
  t.same(shown(schema, { b: 1 }), [
    '# one-of-keys: the document must have exactly one of "a", "b" with "c"; it has none',
  ]);
  t.same(shown(schema, { a: 1, b: 1, c: 1 }), [
    '# one-of-keys: the document must have exactly one of "a", "b" with "c"; it has "a" and "b" with "c"',
  ]);
});

t.test('names of Object.prototype are members like any other', async (t) => {
  const schema = {
    type: 'object',
    required: ['toString'],
    properties: { toString: {} },
    additionalProperties: false,
  };
  t.same(shown(schema, {}), ['# missing-key: the document lacks the key "toString"']);
  t.same(shown(schema, { toString: 1, constructor: 1 }), [
    '/constructor# unknown-key: "constructor" is not a key of the document',
  ]);
});

t.test('names as a person writes them', async (t) => {
  t.equal(nameOf(''), 'the document');
  t.equal(nameOf('/routes/0/path'), 'routes[0].path');
  t.equal(nameOf('/a~1b/c d/x-y'), '["a/b"]["c d"].x-y');
  t.equal(nameOf(`/a/${'x\n'.repeat(99)}`).length < 200, true);
});

t.test('the word that was meant', async (t) => {
  const words = ['github', 'gitlab', 'slack', 'limits'];
  t.equal(nearest('gihub', words), 'github');
  t.equal(nearest('GitHub', words), 'github');
  t.equal(nearest('limit', words), 'limits');
  t.equal(nearest('lsack', words), 'slack');
  t.equal(nearest('jira', words), undefined);
  t.equal(nearest('x', ['y']), 'y');
  t.equal(nearest('', words), undefined);
});
