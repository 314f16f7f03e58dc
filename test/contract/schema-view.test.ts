import t from 'tap';
import { ContractViews, type SchemaView } from '../../src/contract/index.js';
import { BASE } from './support.js';

function viewOf(schema: object, files: Readonly<Record<string, unknown>> = {}): SchemaView {
  const definition = {
    ...BASE,
    responses: [{ status: 200, schema: schema as never, select: { name: '/name' } }],
  };
  const view = new ContractViews({ definition, schemas: new Map(Object.entries(files)) }).answer(0);
  if (view === undefined) throw new Error('the schema is not sound');
  return view;
}

const types = (schema: object) => {
  const found = viewOf(schema).types;
  return found === undefined ? undefined : [...found].sort();
};

t.test('types, by type, enum and const, through allOf and choices', async (t) => {
  t.strictSame(types({ type: 'integer' }), ['integer']);
  t.strictSame(types({ type: ['number', 'null'] }), ['null', 'number']);
  t.strictSame(types({ type: ['integer', 'number'] }), ['number']);
  t.strictSame(types({ enum: ['a', null] }), ['null', 'string']);
  t.strictSame(types({ enum: [1, 2.5] }), ['number']);
  t.strictSame(types({ const: 3 }), ['integer']);
  t.strictSame(types({ allOf: [{ type: ['string', 'integer'] }, { type: ['string', 'null'] }] }), ['string']);
  t.strictSame(types({ anyOf: [{ type: 'string' }, { type: 'null' }] }), ['null', 'string']);
  t.strictSame(
    types({
      type: ['string', 'null'],
      oneOf: [{ const: 'a' }, { type: ['string', 'integer'], minLength: 2 }],
    }),
    ['string'],
  );
  t.strictSame(types({ type: 'number', anyOf: [{ type: 'integer', minimum: 4 }, { const: 2 }] }), [
    'integer',
  ]);
  t.strictSame(types({ anyOf: [{ type: 'string' }, {}] }), undefined);
  t.strictSame(types({}), undefined);
});

t.test('bounds', async (t) => {
  t.equal(viewOf({ type: 'string', maxLength: 9 }).maxLength, 9);
  t.equal(viewOf({ type: 'string', maxLength: 9, pattern: '^[a-z]{1,4}$' }).maxLength, 4);
  t.equal(viewOf({ enum: ['a', 'abc'] }).maxLength, 3);
  t.equal(viewOf({ const: '\u{1f600}' }).maxLength, 1);
  t.equal(viewOf({ anyOf: [{ type: 'null' }, { type: 'string', maxLength: 5 }] }).maxLength, 5);
  t.equal(viewOf({ anyOf: [{ const: 'abcdefgh' }, { type: 'string', maxLength: 5 }] }).maxLength, 8);
  t.equal(viewOf({ anyOf: [{ type: 'string' }, { type: 'string', maxLength: 5 }] }).maxLength, undefined);
  t.equal(viewOf({ type: 'string' }).maxLength, undefined);
  t.equal(viewOf({ type: 'array', maxItems: 3 }).maxItems, 3);
  t.equal(viewOf({ type: 'array', anyOf: [{ maxItems: 3 }, { maxItems: 8 }] }).maxItems, 8);
  t.equal(viewOf({ type: 'array', anyOf: [{ maxItems: 3 }, { minItems: 5 }] }).maxItems, undefined);
});

t.test('date-time', async (t) => {
  t.equal(viewOf({ type: 'string', format: 'date-time' }).isDateTime, true);
  t.equal(viewOf({ type: 'string', format: 'date' }).isDateTime, false);
  t.equal(viewOf({ anyOf: [{ type: 'null' }, { type: 'string', format: 'date-time' }] }).isDateTime, true);
  t.equal(viewOf({ anyOf: [{ type: 'string' }, { type: 'string', format: 'date-time' }] }).isDateTime, false);
});

t.test('what lies at a path, and whether it is surely there', async (t) => {
  const view = viewOf({
    type: 'object',
    required: ['a', 'list', 'n'],
    properties: {
      a: { type: 'object', required: ['b'], properties: { b: { type: 'integer' }, c: { type: 'integer' } } },
      list: { type: 'array', minItems: 2, items: { type: 'string' } },
      n: { type: ['object', 'null'], required: ['x'], properties: { x: { type: 'integer' } } },
      o: { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } },
      shut: { type: 'object', additionalProperties: false, properties: { known: { type: 'string' } } },
    },
  });
  const at = (...path: string[]) => {
    const seen = view.at(path);
    return 'never' in seen ? [seen.never, seen.names] : [[...(seen.view.types ?? [])].join(), seen.certain];
  };
  t.strictSame(at(), ['object', true]);
  t.strictSame(at('a', 'b'), ['integer', true]);
  t.strictSame(at('a', 'c'), ['integer', false]);
  t.strictSame(at('n', 'x'), ['integer', false], 'null on the way');
  t.strictSame(at('o', 'x'), ['integer', false], 'not required on the way');
  t.strictSame(at('list', '0'), ['string', true]);
  t.strictSame(at('list', '2'), ['string', false]);
  t.strictSame(at('elsewhere'), ['', false]);
  t.strictSame(at('shut', 'unknown'), ['unknown', ['known']]);
});

t.test('files, references, and schemas that are not sound', async (t) => {
  const files = {
    'a.schema.json': { $ref: 'b.schema.json#/$defs/x' },
    'b.schema.json': { $defs: { x: { type: 'string', maxLength: 7 } }, type: 'object' },
  };
  t.equal(viewOf('a.schema.json' as never, files).maxLength, 7);
  t.equal(
    viewOf({ type: 'object', properties: { x: { $ref: 'b.schema.json#/$defs/x' } } }, files).at(['x'])
      .constructor,
    Object,
  );
  const definition = {
    ...BASE,
    responses: [{ status: 200, schema: { nullable: true }, select: { name: '/name' } }],
  };
  const views = new ContractViews({ definition, schemas: new Map() });
  t.equal(views.answer(0), undefined);
  t.equal(views.answer(1), undefined);
  t.equal(views.body(), undefined);
  t.strictSame([...(views.parameter('params', 'id')?.types ?? [])], ['integer']);
  t.equal(views.parameter('query', 'toString'), undefined);
});
