import t from 'tap';
import type { JsonSchema, ReadsDefinition } from '../../src/contract/index.js';
import { contextOf, problemsOf, ruleOf } from './rules.js';

const RULE = '/responses/0/checks/0/rule';

/** Pointer, rule, and the part of the text that is shown. */
function found(
  rule: string,
  reads: ReadsDefinition,
  each?: string,
  schema?: JsonSchema,
): (string | undefined)[][] {
  return problemsOf(rule, reads, each, schema).map(({ pointer, rule: name, within }) => [
    pointer,
    name,
    ...(within === undefined ? [] : [rule.slice(within.start, within.end)]),
  ]);
}

t.test('what is wrong with a rule is shown where it stands in the rule', async (t) => {
  const reads = { id: '/id', name: '/name', at: '/at', ratio: '/ratio', tags: '/tags', done: '/done' };
  const cases: [rule: string, part: string][] = [
    // No expression
    ['id ==', ''],
    ['id = 7', '='],
    ['id & 7', '&'],
    ['(id == 7', ''],
    ['id == 7)', ')'],
    ['name == "octo', '"octo'],
    ['if id == 7', 'if'],
    // Names
    ['idd == 7', 'idd'],
    ['done && nmae == "x"', 'nmae'],
    ['request.parms.number == 7', 'parms'],
    ['request.params.nubmer == 7', 'nubmer'],
    ['google.protobuf.Timestamp == at', 'google'],
    ['int == int', 'int'],
    ['cel.bind(x, 1, x == id)', 'cel'],
    // Types
    ['id == "7"', 'id == "7"'],
    ['id == 7.0', 'id == 7.0'],
    ['ratio == 1', 'ratio == 1'],
    ['name < now', 'name < now'],
    ['done && at > 5', 'at > 5'],
    ['name + id == "x"', 'name + id'],
    ['!id', '!id'],
    ['id && done', 'id && done'],
    ['done ? id : name', 'done ? id : name'],
    ['tags.all(t, t)', 't'],
    ['tags.all(t, t > 1)', 't > 1'],
    ['[1, "a"] == tags', '"a"'],
    ['tags["a"] == "x"', 'tags["a"]'],
    ['name.foo == "x"', 'foo'],
    ['name[0] == "x"', 'name[0]'],
    ['sum(tags) == 1', 'sum(tags)'],
    ['now - at - duration("1s") == duration("1s")', 'now - at - duration("1s")'],
    ['request.query["a" + "b"] == 1', 'request.query["a" + "b"]'],
    // Not true or false
    ['id', 'id'],
    ['name', 'name'],
    ['tags.filter(t, t == "a")', 'tags.filter(t, t == "a")'],
    // Functions
    ['name.matches("^a")', 'name.matches("^a")'],
    ['timestamp(name) < now', 'timestamp(name)'],
    ['has(request.params.number)', 'has(request.params.number)'],
    ['dyn(id) == 7', 'dyn(id)'],
    ['type(id) == type(7)', 'type(id)'],
    ['name.split(",").size() == 1', 'name.split(",")'],
    ['at.getHours("Europe/Berlin") == 1', 'at.getHours("Europe/Berlin")'],
    ['at.getDayOfYear() == 1', 'at.getDayOfYear()'],
    ['startsWith(name, "a")', 'startsWith(name, "a")'],
    ['name.re2("^a")', 'name.re2("^a")'],
    ['sise(name) == 1', 'sise(name)'],
    ['uint(id) == 7', 'uint(id)'],
    ['bytes(name) == name', 'bytes(name)'],
    ['own_int(id) == 7', 'own_int(id)'],
    ['re2(name, name)', 'name'],
    ['re2(name, "^(a")', '"^(a"'],
    ['re2(name, "(?=a)")', '"(?=a)"'],
    // Values
    ['name == null', 'null'],
    ['id == 7u', '7u'],
    ['name == b"a"', 'b"a"'],
    ['{"a": 1}["a"] == id', '{"a": 1}'],
    ['tags.all(id, id == "a")', 'id'],
    ['tags.all("a", true)', '"a"'],
    ['tags[?0].orValue("") == "a"', 'tags[?0]'],
  ];
  for (const [rule, part] of cases) {
    const [first] = found(rule, reads);
    t.strictSame(first?.slice(0, 2), [RULE, 'check-rule'], rule);
    t.equal(first?.[2], part, rule);
  }
});

t.test('an optional value is not taken for the value', async (t) => {
  for (const [rule, part] of [
    ['attempt > 1', 'attempt > 1'],
    ['attempt == 1', 'attempt == 1'],
    ['string(attempt) == "1"', 'string(attempt)'],
    ['attempt.orValue("x") == 1', '"x"'],
    ['attempt.value().hasValue()', 'attempt.value().hasValue()'],
  ] as const)
    t.strictSame(found(rule, { attempt: '/attempt' }), [[RULE, 'check-rule', part]], rule);
});

t.test('what cannot be read', async (t) => {
  const at = '/responses/0/checks/0/reads/x';
  const cases: [read: ReadsDefinition[string], pointer: string][] = [
    ['id', at],
    ['/a~2', at],
    ['request.params.nubmer', at],
    ['request.query.nothing', at],
    ['/nothing', at],
    ['/anything', at],
    ['/many', at],
    ['/nested', at],
    ['', at],
    ['/unbounded', at],
    ['/mixed', at],
    ['/pair', at],
    ['/lines', at],
    ['/closed/sise', at],
    ['request.body', at],
    ['request.body/nothing', at],
    [{ count: '/id' }, `${at}/count`],
    [{ count: 'lines' }, `${at}/count`],
    [{ each: '/id', item: '' }, `${at}/each`],
    [{ each: '/unbounded', item: '' }, `${at}/each`],
    [{ each: '/lines', item: '/nothing' }, `${at}/item`],
    [{ each: '/lines', item: '/off' }, `${at}/item`],
    [{ each: '/lines', item: '' }, `${at}/item`],
    [{ each: '/lines', item: 'price' }, `${at}/item`],
    [{ each: 'lines', item: '/price' }, `${at}/each`],
  ];
  for (const [read, pointer] of cases)
    t.strictSame(found('x == x', { x: read }), [[pointer, 'check-read']], JSON.stringify(read));
  for (const name of [
    'now',
    'request',
    'in',
    'true',
    'null',
    'string',
    'int',
    'for',
    'google',
    'cel',
    'optional',
  ])
    t.strictSame(
      found('true', { [name]: '/id' }),
      [[`/responses/0/checks/0/reads/${name}`, 'check-read']],
      name,
    );
});

t.test('a rule that looks at nothing of the answer, and a read that no rule uses', async (t) => {
  const reads = '/responses/0/checks/0/reads';
  t.strictSame(found('x == 1', { x: 'request.params.number' }), [[reads, 'check-rule']]);
  t.strictSame(found('now > rfc3339("2026-01-01T00:00:00Z")', { x: '/id' }), [[`${reads}/x`, 'unused-read']]);
  t.strictSame(found('x == 1', { x: '/id', y: '/id', z: '/id' }), [
    [`${reads}/y`, 'unused-read'],
    [`${reads}/z`, 'unused-read'],
  ]);
  t.strictSame(found('x.value() == "a"', { x: 'header:etag' }), []);
});

t.test('each goes over a bounded array of items that are alike', async (t) => {
  const each = '/responses/0/checks/0/each';
  for (const pointer of ['/id', '/unbounded', '/pair', '/nothing', 'lines'])
    t.strictSame(found('x == 1', { x: '' }, pointer), [[each, 'check-rule']], pointer);
  t.strictSame(found('x == 1', { x: '/lines' }, '/lines'), [['/responses/0/checks/0/reads/x', 'check-read']]);
});

const LISTS = (a: number, b: number, length?: number): JsonSchema => ({
  type: 'object',
  required: ['a', 'b'],
  properties: {
    a: {
      type: 'array',
      maxItems: a,
      items: { type: 'string', ...(length === undefined ? {} : { maxLength: length }) },
    },
    b: { type: 'array', maxItems: b, items: { type: 'integer' } },
  },
});

t.test('a rule takes bounded time, or does not load', async (t) => {
  const cost = (rule: string, schema: JsonSchema) => found(rule, { a: '/a', b: '/b' }, undefined, schema);
  const nested = 'b.all(x, b.exists(y, y == x)) && size(a) > 0';
  t.strictSame(cost(nested, LISTS(10, 100)), []);
  t.strictSame(cost(nested, LISTS(10, 1_000)), [[RULE, 'rule-cost']]);
  t.strictSame(cost('b.all(x, b.all(y, b.all(z, x == y && y == z))) && size(a) > 0', LISTS(10, 120)), [
    [RULE, 'rule-cost'],
  ]);
  // A list made by a rule is as long as what it was made of.
  t.strictSame(
    cost('b.map(x, x + 1).all(x, b.filter(y, y > 0).exists(z, z == x)) && size(a) > 0', LISTS(1, 1_000)),
    [[RULE, 'rule-cost']],
  );
  t.strictSame(cost('(b + b + b + b).all(x, x in b) && size(a) > 0', LISTS(1, 500)), [[RULE, 'rule-cost']]);
  t.strictSame(cost('(b + b).all(x, x in b) && size(a) > 0', LISTS(1, 100)), []);
  // Text is bounded where it is read from end to end.
  for (const [rule, part] of [
    ['a.all(t, re2(t, "^x+$")) && size(b) > 0', 't'],
    ['a.all(t, t.contains("x")) && size(b) > 0', 't'],
    ['a.all(t, size(t) > 1) && size(b) > 0', 't'],
    ['a.all(t, t.lowerAscii() == "x") && size(b) > 0', 't'],
    ['a.all(t, t + "x" == "x") && size(b) > 0', 't'],
    ['re2(a[0], "^x+$") && size(b) > 0', 'a[0]'],
  ] as const) {
    t.strictSame(cost(rule, LISTS(10, 10)), [[RULE, 'check-rule', part]], rule);
    t.strictSame(cost(rule, LISTS(10, 10, 40)), [], rule);
    if (rule.includes('all')) t.strictSame(cost(rule, LISTS(5_000, 10, 4_000)), [[RULE, 'rule-cost']], rule);
  }
  t.strictSame(
    cost('a.all(t, t == a[0] || t.startsWith("x") || rfc3339(t) < now) && size(b) > 0', LISTS(10, 10)),
    [],
  );
  t.strictSame(cost('a.all(t, t == a[0]) && size(b) > 0', LISTS(1_000, 10)), [[RULE, 'rule-cost']]);
  const large = 'a.all(t, re2(t, "^(?:[a-z]+-?){1,900}$")) && size(b) > 0';
  t.strictSame(cost(large, LISTS(100, 10, 1_000)), [[RULE, 'rule-cost']]);
  // What can fail costs what an error does, which data can make happen at every item.
  for (const rule of ['10 / x > 1', 'x * x > 0', 'b[x] > 0', 'x + 9223372036854775807 > 0']) {
    t.strictSame(cost(`b.all(x, ${rule}) && size(a) > 0`, LISTS(1, 1_000)), [], rule);
    t.strictSame(cost(`b.all(x, ${rule}) && size(a) > 0`, LISTS(1, 3_000)), [[RULE, 'rule-cost']], rule);
  }
  t.strictSame(cost('b.all(x, x + 1 > 0 && x - 1 < 9) && size(a) > 0', LISTS(1, 3_000)), []);
  // A large integer that is named comes up far from where it was made.
  for (const large of ['int(a[0])', 'sum(b)', 'b[0] * b[0]', '9223372036854775807', '-9223372036854775807']) {
    const rule = `[${large}].all(n, b.exists(x, n + x < 0)) && size(a) > 0`;
    t.strictSame(cost(rule, LISTS(1, 1_000, 20)), [], rule);
    t.strictSame(cost(rule, LISTS(1, 3_000, 20)), [[RULE, 'rule-cost']], rule);
  }
  // The engine can stand at every place of a pattern at once: repetitions within others multiply.
  for (const places of [
    '[ab]*a[ab]{50}[cd]',
    '^(?:(?:[ab]{0,10}){0,10}){0,10}[cd]',
    '^(?:[ab]{0,30}x?){0,16}$',
  ]) {
    const rule = `re2(a[0], "${places}") && size(b) > 0`;
    t.strictSame(cost(rule, LISTS(1, 1, 50)), [], rule);
    t.strictSame(cost(rule, LISTS(1, 1, 20_000)), [[RULE, 'rule-cost']], rule);
  }
  const many: JsonSchema = { type: 'array', maxItems: 20_000, items: { type: 'integer' } };
  t.strictSame(found('x > 0', { x: '' }, '', many), [[RULE, 'rule-cost']]);
});

t.test('what fails at every item is undecided, and leaves stack traces as they were', async (t) => {
  const check = ruleOf(
    'b.all(x, 10 / x > 1) && size(a) == 0',
    { a: '/a', b: '/b' },
    undefined,
    LISTS(1, 1_500),
  );
  const limit = Error.stackTraceLimit;
  t.equal(check.run({ a: [], b: Array(1_500).fill(0) }, contextOf())?.code, 'CHK_RULE_UNDECIDED');
  t.equal(Error.stackTraceLimit, limit);
  t.match(new Error('x').stack, 'rule-load');
});

t.test('a rule of reasonable size loads', async (t) => {
  t.strictSame(found(Array(40).fill('id > 0').join(' && '), { id: '/id' }), []);
  t.strictSame(
    found(`${'('.repeat(40)}id > 0${')'.repeat(40)}`, { id: '/id' }).map(([, rule]) => rule),
    ['check-rule'],
  );
  t.ok(ruleOf('true && id > 0 // a comment', { id: '/id' }));
});
