import t from 'tap';
import type { JsonSchema, RequestDefinition } from '../../src/contract/index.js';
import { closed, contractOf, troubles } from './support.js';

/** A request in place of the usual one, which the usual select does not look at. */
function rules(request: RequestDefinition, files: Readonly<Record<string, unknown>> = {}) {
  return contractOf({ request }, files).request;
}

function refused(request: RequestDefinition, files: Readonly<Record<string, unknown>> = {}): string[] {
  return troubles({ request }, files);
}

const TEXT: JsonSchema = { type: 'string', pattern: '^[a-z]{1,5}$' };

t.test('params, query and headers', async (t) => {
  const made = rules(
    {
      params: { owner: TEXT, id: { type: 'integer', minimum: 1 }, ref: { $ref: 'p.schema.json#/$defs/ref' } },
      query: {
        page: { type: 'number' },
        all: { type: 'boolean' },
        tag: { type: 'array', items: TEXT, maxItems: 2 },
        sort: { enum: ['a', 'b'] },
      },
      required_query: ['page'],
      headers: { 'x-mode': { const: 'fast' } },
      required_headers: ['x-mode'],
    },
    { 'p.schema.json': { $defs: { ref: { allOf: [{ type: 'string' }, { enum: ['main'] }] } } } },
  );
  const show = (map: typeof made.params) =>
    [...map].map(([name, { type, array, required }]) => [name, type, array, required]);
  t.strictSame(show(made.params), [
    ['owner', 'string', false, true],
    ['id', 'integer', false, true],
    ['ref', 'string', false, true],
  ]);
  t.strictSame(show(made.query), [
    ['page', 'number', false, true],
    ['all', 'boolean', false, false],
    ['tag', 'string', true, false],
    ['sort', 'string', false, false],
  ]);
  t.strictSame(show(made.headers), [['x-mode', 'string', false, true]]);
  t.equal(made.body, undefined);
  t.equal(made.params.get('owner')?.validate('octo'), undefined);
  t.strictSame(made.params.get('owner')?.validate('Octo'), {
    instance: '',
    schema: '/request/params/owner/pattern',
    rule: 'pattern',
  });
  t.strictSame(made.params.get('id')?.validate(0), {
    instance: '',
    schema: '/request/params/id/minimum',
    rule: 'minimum',
  });
  t.match(made.params.get('ref')?.validate('other'), { schema: 'p.schema.json#/$defs/ref/allOf/1/enum' });
  t.equal(made.query.get('tag')?.validate(['a', 'b']), undefined);
  t.match(made.query.get('tag')?.validate(['a', 'B']), { instance: '/1' });
  t.match(made.query.get('tag')?.validate(['a', 'b', 'c']), { rule: 'maxItems' });
});

t.test('text says which characters it can hold', async (t) => {
  const named: JsonSchema[] = [
    TEXT,
    { type: 'string', enum: ['a'] },
    { const: 'a' },
    { type: 'string', format: 'uuid' },
    { type: 'string', anyOf: [TEXT, { const: 'x' }] },
    { type: 'string', allOf: [TEXT] },
  ];
  for (const schema of named) t.strictSame(refused({ params: { p: schema } }), [], JSON.stringify(schema));
  const unanchored = 'unanchored-pattern';
  for (const pattern of ['[a-z]', '^[a-z]', '[a-z]$', '^a|b$']) {
    const schema = { type: 'string', pattern };
    t.strictSame(refused({ params: { p: schema } }), [`${unanchored} /request/params/p/pattern`], pattern);
    t.strictSame(refused({ query: { p: { type: 'array', maxItems: 2, items: schema } } }), [
      `${unanchored} /request/query/p/items/pattern`,
    ]);
    t.strictSame(refused({ headers: { p: { type: 'string', allOf: [schema] } } }), [
      `${unanchored} /request/headers/p/allOf/0/pattern`,
    ]);
  }
  const unnamed: JsonSchema[] = [
    { type: 'string' },
    { type: 'string', maxLength: 5 },
    { type: 'string', anyOf: [TEXT, { type: 'string', maxLength: 3 }] },
  ];
  for (const schema of unnamed) {
    t.strictSame(
      refused({ params: { p: schema } }),
      ['any-character /request/params/p'],
      JSON.stringify(schema),
    );
    t.strictSame(refused({ query: { p: schema } }), ['any-character /request/query/p']);
    t.strictSame(refused({ headers: { p: schema } }), ['any-character /request/headers/p']);
    t.strictSame(refused({ query: { p: { type: 'array', maxItems: 2, items: schema } } }), [
      'any-character /request/query/p',
    ]);
  }
});

t.test('what is wrong with a parameter', async (t) => {
  const cases: [request: RequestDefinition, ...problems: string[]][] = [
    [{ params: { p: {} } }, 'parameter-type /request/params/p'],
    [{ params: { p: true } }, 'parameter-type /request/params/p'],
    [{ params: { p: { type: ['string', 'null'], pattern: '^a$' } } }, 'parameter-type /request/params/p'],
    [{ params: { p: { type: 'object' } } }, 'parameter-type /request/params/p'],
    [{ params: { p: { type: 'null' } } }, 'parameter-type /request/params/p'],
    [{ params: { p: { enum: ['a', 1] } } }, 'parameter-type /request/params/p'],
    [{ params: { p: { type: 'array', items: TEXT, maxItems: 2 } } }, 'parameter-type /request/params/p'],
    [{ query: { p: { type: 'array', items: TEXT } } }, 'unbounded-array /request/query/p'],
    [{ query: { p: { type: 'array', maxItems: 2 } } }, 'parameter-type /request/query/p'],
    [
      { query: { p: { type: 'array', items: { type: 'array' }, maxItems: 2 } } },
      'parameter-type /request/query/p',
    ],
    [{ query: { p: TEXT }, required_query: ['p', 'q'] }, 'undeclared /request/required_query/1'],
    [{ headers: { p: TEXT }, required_headers: ['q'] }, 'undeclared /request/required_headers/0'],
    [{ headers: { 'X-Mode': TEXT } }, 'header-name /request/headers/X-Mode'],
    [{ params: { constructor: TEXT } }, 'prototype-name /request/params/constructor'],
    [{ params: { p: { ...TEXT, nullable: true } } }, 'unknown-keyword /request/params/p/nullable'],
    [{ params: { p: { type: 'string', pattern: '(?=a)' } } }, 'pattern /request/params/p/pattern'],
  ];
  for (const [request, ...problems] of cases)
    t.strictSame(refused(request), problems, JSON.stringify(request));
});

t.test(
  'credentials, conditions, hop-by-hop headers and other methods of the agent never leave',
  async (t) => {
    for (const name of [
      'authorization',
      'cookie',
      'proxy-authorization',
      'if-none-match',
      'if-modified-since',
      'range',
      'connection',
      'transfer-encoding',
      'te',
      'upgrade',
      'host',
      'content-length',
      'content-type',
      'accept-encoding',
      'expect',
      'x-http-method-override',
      'x-original-url',
    ]) {
      t.strictSame(refused({ headers: { [name]: TEXT } }), [`forbidden-header /request/headers/${name}`]);
    }
    t.strictSame(refused({ headers: { 'x-github-api-version': TEXT, 'idempotency-key': TEXT } }), []);
  },
);

t.test('the body', async (t) => {
  const schema = closed({ title: { type: 'string' }, labels: { type: 'array', items: { type: 'string' } } }, [
    'title',
  ]);
  const made = rules({ body: { media_type: 'application/json', schema, required: true } });
  t.equal(made.body?.required, true);
  t.equal(made.body?.validate({ title: 'x' }), undefined);
  t.strictSame(made.body?.validate({ title: 'x', admin: true }), {
    instance: '/admin',
    schema: '/request/body/schema/additionalProperties',
    rule: 'additionalProperties',
  });
  t.equal(rules({ body: { media_type: 'application/json', schema } }).body?.required, false);
});

t.test('a body is closed: what nobody declared does not leave', async (t) => {
  const body = (schema: JsonSchema) => refused({ body: { media_type: 'application/json', schema } });
  const at = '/request/body/schema';
  const text = { type: 'string' };
  const node = closed({ id: text, child: { $ref: '#' } }, ['id']);
  const closedOnes: JsonSchema[] = [
    text,
    closed({ a: text }),
    node,
    { type: 'object', additionalProperties: text },
    { type: 'object', oneOf: [closed({ a: text }), closed({ b: text })] },
    { type: 'object', allOf: [{ type: 'object', properties: { a: text } }], unevaluatedProperties: false },
    { type: 'array', items: closed({ a: text }) },
    { enum: [{ a: 1 }] },
    { anyOf: [text, closed({ a: text })] },
  ];
  for (const schema of closedOnes) t.strictSame(body(schema), [], JSON.stringify(schema));
  const open: [JsonSchema, string][] = [
    [{ type: 'object' }, `open-object ${at}`],
    [{ type: 'object', additionalProperties: true }, `open-object ${at}`],
    [closed({ a: { type: 'object', properties: { b: text } } }), `open-object ${at}/properties/a`],
    [closed({ a: true }), `any-type ${at}/properties/a`],
    [{ type: 'array' }, `any-item ${at}`],
    [{ type: 'array', prefixItems: [text] }, `any-item ${at}`],
    [{ type: 'object', additionalProperties: { type: 'object' } }, `open-object ${at}/additionalProperties`],
    [{ anyOf: [closed({ a: text }), { type: 'object' }] }, `open-object ${at}/anyOf/1`],
    [
      closed({ a: text, next: { anyOf: [{ $ref: '#' }, { type: 'object' }] } }),
      `open-object ${at}/properties/next/anyOf/1`,
    ],
  ];
  for (const [schema, problem] of open) t.strictSame(body(schema), [problem], JSON.stringify(schema));
});

t.test('what members of a pattern hold is described as well', async (t) => {
  const body = (schema: JsonSchema): RequestDefinition => ({
    body: {
      media_type: 'application/json',
      schema: { type: 'object', additionalProperties: false, patternProperties: { '^x': schema } },
    },
  });
  t.strictSame(refused(body({ type: 'string' })), []);
  const at = '/request/body/schema/patternProperties/^x';
  t.strictSame(refused(body({})), [`any-type ${at}`]);
  t.strictSame(refused(body({ type: 'object' })), [`open-object ${at}`]);
});

t.test('an urlencoded body: what its texts are to be read as', async (t) => {
  const properties = {
    n: { allOf: [{ type: 'number' }, { minimum: 1, type: 'number' }] },
    mode: { enum: ['a', 'b'] },
    list: { type: 'array', items: { $ref: '#/properties/map' } },
    map: { type: 'object', additionalProperties: { type: 'boolean' } },
    never: false,
    tree: { $ref: '#' },
  };
  const schema: JsonSchema = { type: 'object', additionalProperties: false, properties };
  const made = rules(
    { body: { media_type: 'application/x-www-form-urlencoded', schema: 'f.schema.json', arrays: 'indices' } },
    { 'f.schema.json': schema },
  );
  const form = made.body?.form;
  t.equal(form?.arrays, 'indices');
  const map = { kind: 'object', members: new Map(), others: { kind: 'text', type: 'boolean' } };
  const member = (name: string) => form?.shape.members.get(name);
  t.strictSame([...(form?.shape.members.keys() ?? [])], ['n', 'mode', 'list', 'map', 'tree']);
  t.strictSame(member('n'), { kind: 'text', type: 'number' });
  t.strictSame(member('mode'), { kind: 'text', type: 'string' });
  t.strictSame(member('map'), map);
  t.strictSame(member('list'), { kind: 'list', item: map });
  const tree = member('tree');
  t.equal(tree?.kind === 'object' && tree.members.get('tree'), tree, 'a schema that contains itself');
  t.equal(form?.shape.others, undefined);
  t.equal(rules({ body: { media_type: 'application/json', schema } }).body?.form, undefined);
});
