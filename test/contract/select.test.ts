import t from 'tap';
import type { CallContext, FieldsDefinition, SelectDefinition, Selection } from '../../src/contract/index.js';
import { runSelect } from '../../src/contract/select.js';
import { compileSelect } from '../../src/contract/select-plan.js';
import { Fault, type Problem } from '../../src/fault/index.js';
import { BASE, briefly, callContext, shown } from './support.js';

const PLACE = { document: undefined, path: ['responses', '0', 'select'] };
const REQUEST = {
  ...BASE.request,
  required_query: ['q', 'page'],
  headers: { 'x-mode': { type: 'string', enum: ['a'] } },
  required_headers: ['x-mode'],
  body: { media_type: 'application/json' as const, schema: true, required: true },
};

function select(
  definition: SelectDefinition,
  answer: unknown,
  context: CallContext = callContext(),
): Selection | Fault {
  const problems: Problem[] = [];
  const { plan } = compileSelect(definition, PLACE, { request: REQUEST, hasBody: true }, problems);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return runSelect(plan, answer, context);
}

/** `code instance schema rule` of a fault, else what was selected. */
function outcome(definition: SelectDefinition, answer: unknown, context?: CallContext): unknown {
  const made = select(definition, answer, context);
  if (!(made instanceof Fault)) return made.untrustedText === undefined ? made.data : made;
  const { instance, schema, rule } = made.detail;
  return [made.code, instance ?? '-', schema, rule].join(' ');
}

const parse = (text: string): unknown => JSON.parse(text);

t.test('sources', async (t) => {
  const context = callContext(
    { query: { q: 'x', page: 3 }, headers: { 'x-mode': 'a' }, body: { title: 'T', n: [5] } },
    [
      ['etag', '"abc"'],
      ['x-two', '1'],
      ['x-two', '2'],
      ['x-bad', 'caf\u00e9'],
    ],
  );
  const answer = {
    user: { login: 'octocat' },
    list: [{ id: 1 }, { id: 2 }],
    'a/b': { '~': 1 },
    '': 'empty',
    n: 0,
    b: false,
    z: null,
  };
  const cases: [from: string, value: unknown][] = [
    ['/user/login', 'octocat'],
    ['/list/1/id', 2],
    ['/a~1b/~0', 1],
    ['/', 'empty'],
    ['/n', 0],
    ['/b', false],
    ['/z', null],
    ['request.params.id', 7],
    ['request.params.owner', 'octo'],
    ['request.query.page', 3],
    ['request.headers.x-mode', 'a'],
    ['request.body/title', 'T'],
    ['request.body/n/0', 5],
    ['request.id', 'req.12345678'],
    ['header:etag', '"abc"'],
  ];
  for (const [from, value] of cases) t.strictSame(outcome({ f: from }, answer, context), { f: value }, from);
  t.strictSame(outcome({ f: '' }, 'text'), { f: 'text' }, 'the whole answer');
  const at = '/responses/0/select/f';
  const refused: [from: string, outcome: string][] = [
    ['/missing', `SEL_MISSING /missing ${at} f`],
    ['/user/name', `SEL_MISSING /user/name ${at} f`],
    ['/list/2/id', `SEL_MISSING /list/2/id ${at} f`],
    ['/z/login', `SEL_MISSING /z/login ${at} f`],
    ['/n/login', `SEL_TYPE /n/login ${at} f`],
    ['/list/x', `SEL_TYPE /list/x ${at} f`],
    ['/list/01', `SEL_TYPE /list/01 ${at} f`],
    ['/list/length', `SEL_TYPE /list/length ${at} f`],
    ['/user', `SEL_TYPE /user ${at} f`],
    ['/list', `SEL_TYPE /list ${at} f`],
    ['', `SEL_TYPE  ${at} f`],
    ['/user/login/length', `SEL_TYPE /user/login/length ${at} f`],
    ['/toString', `SEL_MISSING /toString ${at} f`],
    ['/user/constructor', `SEL_MISSING /user/constructor ${at} f`],
    ['/user/__proto__', `SEL_MISSING /user/__proto__ ${at} f`],
    ['request.body/missing', `SEL_MISSING - ${at} f`],
    ['header:missing', `SEL_MISSING - ${at} f`],
    ['header:x-two', `SEL_TYPE - ${at} f`],
    ['header:x-bad', `SEL_TYPE - ${at} f`],
  ];
  for (const [from, refusal] of refused) t.equal(outcome({ f: from }, answer, context), refusal, from);
});

t.test('optional: absent in the answer, absent in the result', async (t) => {
  const fields = { a: { from: '/a', optional: true }, b: { from: '/x/y', optional: true } };
  t.strictSame(outcome(fields, {}), {});
  t.strictSame(outcome(fields, { a: 1, x: null }), { a: 1 });
  t.strictSame(outcome(fields, { a: null }), { a: null }, 'null is a value');
  t.equal(
    outcome(fields, { x: 'text' }),
    'SEL_TYPE /x/y /responses/0/select/b b',
    'another shape is not absence',
  );
  t.equal(outcome(fields, { a: {} }), 'SEL_TYPE /a /responses/0/select/a a');
  t.strictSame(outcome({ a: { from: 'header:x', optional: true } }, {}), {});
});

t.test('null where only text can stand is absent for an optional field, else refused', async (t) => {
  for (const rule of [{ template: '#{}' }, { convert: 'string' }, { convert: 'epoch_s' }] as const) {
    t.strictSame(outcome({ a: { from: '/a', optional: true, ...rule } }, { a: null }), {});
    t.match(outcome({ a: { from: '/a', ...rule } }, { a: null }), /^SEL_TYPE \/a /);
  }
  t.strictSame(
    outcome({ a: { from: '/a', text: 'display', max_length: 9, optional: true } }, { a: null }),
    {},
  );
  t.strictSame(outcome({ a: { each: '/a', max: 1, item: '', optional: true } }, { a: null }), {});
  t.match(outcome({ a: { each: '/a', max: 1, item: '' } }, { a: null }), /^SEL_TYPE \/a /);
});

t.test('map', async (t) => {
  const field = { from: '/s', map: { APPROVED: 'approved', 1: 1, true: true, null: 'none', gone: null } };
  const cases: [unknown, unknown][] = [
    ['APPROVED', 'approved'],
    [1, 1],
    ['1', 1],
    [true, true],
    [null, 'none'],
    ['gone', null],
  ];
  for (const [from, to] of cases) t.strictSame(outcome({ f: field }, { s: from }), { f: to });
  for (const value of ['approved', 'toString', '__proto__', '', 2, false, 'APPROVED ']) {
    t.equal(outcome({ f: field }, { s: value }), 'SEL_MAP /s /responses/0/select/f/map f', String(value));
  }
  t.match(outcome({ f: field }, { s: ['APPROVED'] }), /^SEL_TYPE/, 'an array whose text is in the map');
  t.strictSame(
    outcome({ f: { from: '/s', map: { '\u202e': 'ok' } } }, { s: '\u202e' }),
    { f: 'ok' },
    'what comes out is ours',
  );
});

t.test('template', async (t) => {
  const field = (template: string) => ({ f: { from: '/v', template } });
  t.strictSame(outcome(field('CR-{}'), { v: 12 }), { f: 'CR-12' });
  t.strictSame(outcome(field('{}!'), { v: 'x' }), { f: 'x!' });
  t.strictSame(outcome(field('{}'), { v: true }), { f: 'true' });
  t.strictSame(outcome(field('a{}b'), { v: '{}$&' }), { f: 'a{}$&b' }, 'the value is not read as a template');
  t.match(outcome(field('CR-{}'), { v: 'x\u200b' }), /^SEL_TEXT \/v/, 'upstream text keeps its rules');
  t.match(outcome(field('CR-{}'), { v: {} }), /^SEL_TYPE/);
});

t.test('convert', async (t) => {
  const cases: [convert: 'integer' | 'string' | 'epoch_s' | 'epoch_ms', value: unknown, made: unknown][] = [
    ['integer', 5, 5],
    ['integer', '5', 5],
    ['integer', '-17', -17],
    ['integer', '9007199254740991', 9007199254740991],
    ['integer', '9007199254740992', undefined],
    ['integer', '-0', undefined],
    ['integer', '05', undefined],
    ['integer', '+5', undefined],
    ['integer', '5.0', undefined],
    ['integer', '1e3', undefined],
    ['integer', ' 5', undefined],
    ['integer', '', undefined],
    ['integer', 5.5, undefined],
    ['integer', true, undefined],
    ['string', 'x', 'x'],
    ['string', 5, '5'],
    ['string', 1.5, '1.5'],
    ['string', false, 'false'],
    ['epoch_s', 0, '1970-01-01T00:00:00Z'],
    ['epoch_s', 1_767_225_600, '2026-01-01T00:00:00Z'],
    ['epoch_s', '1767225600', '2026-01-01T00:00:00Z'],
    ['epoch_s', -62_167_219_200, '0000-01-01T00:00:00Z'],
    ['epoch_s', -62_167_219_201, undefined],
    ['epoch_s', 253_402_300_799, '9999-12-31T23:59:59Z'],
    ['epoch_s', 253_402_300_800, undefined],
    ['epoch_s', 1.5, undefined],
    ['epoch_s', 'now', undefined],
    ['epoch_ms', 1_767_225_600_000, '2026-01-01T00:00:00Z'],
    ['epoch_ms', 1_767_225_600_001, '2026-01-01T00:00:00.001Z'],
    ['epoch_ms', -1, '1969-12-31T23:59:59.999Z'],
    ['epoch_ms', 253_402_300_799_999, '9999-12-31T23:59:59.999Z'],
    ['epoch_ms', 253_402_300_800_000, undefined],
  ];
  for (const [convert, value, made] of cases) {
    t.strictSame(
      outcome({ f: { from: '/v', convert } }, { v: value }),
      made === undefined ? 'SEL_CONVERT /v /responses/0/select/f/convert f' : { f: made },
      `${convert} ${shown(value)}`,
    );
  }
  t.match(outcome({ f: { from: '/v', convert: 'string' } }, { v: 'a\u202eb' }), /^SEL_TEXT/);
});

t.test('text that hides from a person', async (t) => {
  for (const text of [
    'a\u0000',
    'a\nb',
    'a\tb',
    '\u202egnp',
    '\u200b',
    '\u{e0041}',
    '\ue000',
    '\ufdd0',
    '\ud800',
    '\u0085',
  ]) {
    t.equal(outcome({ f: '/v' }, { v: text }), 'SEL_TEXT /v /responses/0/select/f f', shown(text));
    t.match(
      outcome({ f: 'request.body/v' }, {}, callContext({ body: { v: text } })),
      /^SEL_TEXT - /,
      'also where the agent sent it',
    );
  }
  t.strictSame(outcome({ f: '/v' }, { v: 'Grüße, 世界 \u{1f600} "\\"' }), {
    f: 'Grüße, 世界 \u{1f600} "\\"',
  });
});

t.test('text: display goes to untrusted_text, and only there', async (t) => {
  const fields: FieldsDefinition = { id: '/id', title: { from: '/title', text: 'display', max_length: 5 } };
  t.strictSame(select(fields, { id: 1, title: 'a\nb' }), {
    data: { id: 1 },
    untrustedText: { title: 'a\nb' },
  });
  t.strictSame(select(fields, { id: 1, title: '\u{1f600}'.repeat(5) }), {
    data: { id: 1 },
    untrustedText: { title: '\u{1f600}'.repeat(5) },
  });
  t.equal(
    outcome(fields, { id: 1, title: 'abcdef' }),
    'SEL_TEXT /title /responses/0/select/title/max_length title',
  );
  t.match(outcome(fields, { id: 1, title: '\u{1f600}'.repeat(6) }), /^SEL_TEXT/);
  t.match(outcome(fields, { id: 1, title: 'a\u202eb' }), /^SEL_TEXT/);
  t.match(outcome(fields, { id: 1, title: 5 }), /^SEL_TYPE/);
  t.match(outcome(fields, { id: 1, title: null }), /^SEL_TYPE/);
  t.match(outcome(fields, { id: 1 }), /^SEL_MISSING/);
  const optional: FieldsDefinition = {
    id: '/id',
    title: { from: '/title', text: 'display', max_length: 5, optional: true },
  };
  t.strictSame(select(optional, { id: 1 }), { data: { id: 1 } }, 'no text, no member');
});

t.test('arrays', async (t) => {
  const fields: FieldsDefinition = {
    people: {
      each: '/list',
      max: 3,
      select: { login: '/user/login', page: 'request.query.page', age: { from: '/age', optional: true } },
    },
  };
  const context = callContext({ query: { q: 'x', page: 2 } });
  const answer = { list: [{ user: { login: 'a' } }, { user: { login: 'b' }, age: 3 }] };
  t.strictSame(outcome(fields, answer, context), {
    people: [
      { login: 'a', page: 2 },
      { login: 'b', page: 2, age: 3 },
    ],
  });
  t.strictSame(outcome(fields, { list: [] }, context), { people: [] });
  const four = { list: Array.from({ length: 4 }, () => ({ user: { login: 'a' } })) };
  t.equal(outcome(fields, four, context), 'SEL_TOO_MANY /list /responses/0/select/people/max people');
  t.equal(outcome(fields, {}, context), 'SEL_MISSING /list /responses/0/select/people/each people');
  t.equal(outcome(fields, { list: {} }, context), 'SEL_TYPE /list /responses/0/select/people/each people');
  t.equal(outcome(fields, { list: 'abc' }, context), 'SEL_TYPE /list /responses/0/select/people/each people');
  t.equal(
    outcome(fields, { list: [{ user: { login: 'a' } }, { user: {} }] }, context),
    'SEL_MISSING /list/1/user/login /responses/0/select/people/select/login login',
  );
  t.strictSame(outcome({ a: { each: '/x', max: 1, item: '', optional: true } }, {}), {});
});

t.test('arrays of scalars, of arrays, and as the whole result', async (t) => {
  t.strictSame(outcome({ l: { each: '/l', max: 9, item: '' } }, { l: ['a', 1, null] }), {
    l: ['a', 1, null],
  });
  t.strictSame(
    outcome({ l: { each: '/l', max: 9, item: { from: '/n', map: { x: 'y' } } } }, { l: [{ n: 'x' }] }),
    { l: ['y'] },
  );
  t.equal(
    outcome({ l: { each: '/l', max: 9, item: '' } }, { l: [{}] }),
    'SEL_TYPE /l/0 /responses/0/select/l/item l',
  );
  t.equal(
    outcome({ l: { each: '/l', max: 9, item: '/n' } }, { l: [{ n: 1 }, {}] }),
    'SEL_MISSING /l/1/n /responses/0/select/l/item l',
  );
  const nested: FieldsDefinition = {
    rows: { each: '/rows', max: 2, select: { cells: { each: '/cells', max: 2, item: '' } } },
  };
  t.strictSame(outcome(nested, { rows: [{ cells: [1, 2] }] }), { rows: [{ cells: [1, 2] }] });
  t.equal(
    outcome(nested, { rows: [{ cells: [] }, { cells: [1, {}] }] }),
    'SEL_TYPE /rows/1/cells/1 /responses/0/select/rows/select/cells/item cells',
  );
  const whole: SelectDefinition = { each: '', max: 2, select: { id: '/id' } };
  t.strictSame(outcome(whole, [{ id: 1 }, { id: 2 }]), [{ id: 1 }, { id: 2 }]);
  t.equal(outcome(whole, [{ id: 1 }, {}]), 'SEL_MISSING /1/id /responses/0/select/select/id id');
  t.equal(outcome(whole, [1, 2, 3]), 'SEL_TOO_MANY  /responses/0/select/max data');
});

t.test('take gives the first items and says how many there were', async (t) => {
  const fields: FieldsDefinition = { items: { each: '/l', take: 2, total: 'total', item: '' } };
  t.strictSame(outcome(fields, { l: [1, 2, 3] }), { items: [1, 2], total: 3 });
  t.strictSame(outcome(fields, { l: [1] }), { items: [1], total: 1 });
  t.strictSame(
    outcome(fields, { l: [1, 2, {}] }),
    { items: [1, 2], total: 3 },
    'what is not given is not looked at',
  );
  t.strictSame(outcome({ items: { each: '/l', take: 2, total: 'total', item: '', optional: true } }, {}), {});
});

t.test('objects', async (t) => {
  const fields: FieldsDefinition = {
    user: { object: { login: '/user/login', deep: { object: { n: '/n' } } } },
  };
  t.strictSame(outcome(fields, { user: { login: 'a' }, n: 1 }), { user: { login: 'a', deep: { n: 1 } } });
  t.equal(
    outcome(fields, { user: { login: 'a' } }),
    'SEL_MISSING /n /responses/0/select/user/object/deep/object/n n',
  );
});

t.test('a result is fresh plain data in the order of the contract', async (t) => {
  const made = select(
    { b: '/b', a: '/a', list: { each: '/list', max: 2, item: '' } },
    parse('{"a":1,"b":2,"list":[1],"__proto__":{"c":3}}'),
  );
  if (made instanceof Fault) throw new Error(made.code);
  t.equal(JSON.stringify(made.data), '{"b":2,"a":1,"list":[1]}');
  t.equal(Object.getPrototypeOf(made.data), Object.prototype);
  const answer = { list: [1] };
  const list = select({ list: { each: '/list', max: 2, item: '' } }, answer);
  if (!(list instanceof Fault))
    t.not((list.data as { list: unknown }).list, answer.list, 'nothing is handed on by reference');
});

/** Select -> `rule pointer` of each problem. */
const BAD: readonly [select: unknown, ...problems: string[]][] = [
  [{ f: 'name' }, 'source /f'],
  [{ f: '/a~2' }, 'source /f'],
  [{ f: { from: 'request.cookies.x' } }, 'source /f/from'],
  [{ f: 'request.params.missing' }, 'undeclared /f'],
  [{ f: 'request.query.missing' }, 'undeclared /f'],
  [{ f: 'request.params.toString' }, 'undeclared /f'],
  [{ f: 'request.headers.x-mode' }, 'undeclared /f'],
  [{ f: 'request.body/a' }, 'undeclared /f'],
  [{ f: 'request.query.page' }, 'maybe-absent /f'],
  [{ f: { from: 'request.query.page', optional: true } }],
  [{ f: 'request.query.tags' }, 'array-source /f', 'maybe-absent /f'],
  [{ f: { from: '/a', template: 'no braces' } }, 'template /f/template'],
  [{ f: { from: '/a', template: '{}{}' } }, 'template /f/template'],
  [{ f: { from: '/a', template: '\u202e{}' } }, 'hidden-text /f/template'],
  [{ f: { from: '/a', map: { x: 'a\nb' } } }, 'hidden-text /f/map/x'],
  [{ f: { from: '/a', map: { x: 2 ** 60 } } }, 'inexact-number /f/map/x'],
  [{ f: { from: '/a', map: { x: 'y' }, convert: 'integer' } }, 'one-rule /f'],
  [{ f: { from: '/a', template: '{}', convert: 'string' } }, 'one-rule /f'],
  [{ f: { from: '/a', text: 'display', max_length: 5, map: { x: 'y' } } }, 'one-rule /f'],
  [{ f: { from: '/a', text: 'display' } }, 'max-length /f/text'],
  [{ f: { from: '/a', max_length: 5 } }, 'max-length /f/max_length'],
  [{ o: { object: { f: { from: '/a', text: 'display', max_length: 5 } } } }, 'text /o/object/f/text'],
  [
    { l: { each: '/l', max: 1, select: { f: { from: '/a', text: 'display', max_length: 5 } } } },
    'text /l/select/f/text',
  ],
  [{ l: { each: '/l', max: 1, item: { from: '', text: 'display', max_length: 5 } } }, 'text /l/item/text'],
  [{ l: { each: '/l', max: 1, item: { from: '', optional: true } } }, 'optional /l/item/optional'],
  [{ l: { each: 'l', max: 1, item: '' } }, 'source /l/each'],
  [{ l: { each: '/l', item: '' } }, 'max-or-take /l'],
  [{ l: { each: '/l', max: 1, take: 1, total: 'n', item: '' } }, 'max-or-take /l'],
  [{ l: { each: '/l', take: 1, item: '' } }, 'total /l/take'],
  [{ l: { each: '/l', max: 1, total: 'n', item: '' } }, 'total /l/total'],
  [{ l: { each: '/l', take: 1, total: 'n', item: '' }, n: '/n' }, 'total /l/total'],
  [
    { l: { each: '/l', take: 1, total: 'n', item: '' }, m: { each: '/m', take: 1, total: 'n', item: '' } },
    'total /l/total',
    'total /m/total',
  ],
  [{ l: { each: '/l', take: 1, total: 'constructor', item: '' } }, 'prototype-name /l/total'],
  [{ l: { each: '/l', max: 1 } }, 'select-or-item /l'],
  [{ l: { each: '/l', max: 1, select: { a: '/a' }, item: '' } }, 'select-or-item /l'],
  [{ each: '', take: 1, total: 'n', item: '' }, 'take /take'],
  [{ each: '', max: 1, item: '', optional: true }, 'optional /optional'],
  [{ toString: '/a' }, 'prototype-name /toString'],
  [parse('{"__proto__":"/a"}'), 'prototype-name /__proto__'],
  [{ o: { object: { valueOf: '/a' } } }, 'prototype-name /o/object/valueOf'],
];

t.test('what is wrong with a select is said at load', async (t) => {
  const request = {
    ...BASE.request,
    query: { ...BASE.request.query, tags: { type: 'array', items: { type: 'string' } } },
  };
  for (const [definition, ...expected] of BAD) {
    const problems: Problem[] = [];
    compileSelect(
      definition as SelectDefinition,
      { document: undefined, path: [] },
      { request, hasBody: true },
      problems,
    );
    t.strictSame(briefly(problems), expected, shown(definition));
  }
  const problems: Problem[] = [];
  const scope = { request, hasBody: false };
  compileSelect(
    { a: '/a', b: 'request.params.id', l: { each: '/l', max: 1, item: '' } },
    PLACE,
    scope,
    problems,
  );
  t.ok(
    briefly(problems).every((p) => p.startsWith('no-body ')) && problems.length >= 2,
    'no schema, no answer to read',
  );
});

t.test('an undeclared source names the part that was meant', async (t) => {
  const remedy = (from: string) => {
    const problems: Problem[] = [];
    compileSelect({ a: from }, PLACE, { request: REQUEST, hasBody: true }, problems);
    return problems[0]?.remedy;
  };
  t.equal(remedy('request.params.onwer'), 'did you mean request.params.owner?');
  t.equal(remedy('request.headers.x-mod'), 'did you mean request.headers.x-mode?');
  t.equal(remedy('request.params.page'), 'did you mean request.query.page?');
  t.equal(remedy('request.params.elsewhere'), 'declare it under request, or correct the name');
});
