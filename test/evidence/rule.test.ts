import t from 'tap';
import type { ReadsDefinition } from '../../src/contract/index.js';
import { contextOf, ruleOf, VALUE } from './rules.js';

/** true: holds; false: CHK_RULE; undefined: CHK_RULE_UNDECIDED. */
function verdict(
  rule: string,
  reads: ReadsDefinition,
  value: unknown = VALUE,
  context = contextOf(),
  each?: string,
): boolean | undefined {
  const fault = ruleOf(rule, reads, each).run(value, context);
  if (fault === undefined) return true;
  if (fault.code === 'CHK_RULE') return false;
  t.equal(fault.code, 'CHK_RULE_UNDECIDED');
  return undefined;
}

function cases(
  title: string,
  reads: ReadsDefinition,
  list: readonly (readonly [rule: string, expected: boolean | undefined, change?: object])[],
): void {
  t.test(title, async (t) => {
    for (const [rule, expected, change] of list)
      t.equal(
        verdict(rule, reads, { ...VALUE, ...change }),
        expected,
        `${rule} ${JSON.stringify(change ?? {})}`,
      );
  });
}

cases('integers', { id: '/id' }, [
  ['id == 7', true],
  ['id == 8', false],
  ['id > 6 && id < 8', true],
  ['id / 2 == 3', true],
  ['id % 2 == 1', true],
  ['-id == -7', true],
  ['id == 9007199254740991', true, { id: 9007199254740991 }],
  ['id + 1 == 9007199254740992', true, { id: 9007199254740991 }],
  ['id * 9000000000000000000 > 0', undefined],
  ['id / 0 == 1', undefined],
  ['id % 0 == 1', undefined],
  ['id in [1, 7, 9]', true],
  ['id in [1, 9]', false],
  ['double(id) == 7.0', true],
  ['string(id) == "7"', true],
  // What the schema rules out is refused all the same.
  ['id == 7', undefined, { id: 7.5 }],
  ['id == 7', undefined, { id: '7' }],
  ['id == 7', undefined, { id: null }],
  ['id == 7', undefined, { id: 2 ** 60 }],
]);

cases('numbers', { ratio: '/ratio' }, [
  ['ratio == 0.5', true],
  ['ratio < 1', true],
  ['ratio == 3.0', true, { ratio: 3 }],
  ['ratio * 2.0 == 1.0', true],
  ['int(ratio) == 2', true, { ratio: 2.9 }],
  ['int(ratio) > 0', undefined, { ratio: 1e300 }],
  ['ratio == 0.5', undefined, { ratio: '0.5' }],
  ['ratio == 0.5', undefined, { ratio: true }],
]);

cases('text', { name: '/name' }, [
  ['name == "octocat"', true],
  ['name != "octocat"', false],
  ['name.startsWith("octo") && name.endsWith("cat") && name.contains("toc")', true],
  ['size(name) == 7 && name.size() == 7', true],
  ['size(name) == 1', true, { name: '\u{1f600}' }],
  ['re2(name, "^[a-z]+$")', true],
  ['re2(name, "^[a-z]+$")', false, { name: 'Octo cat' }],
  ['re2(name, "^(a+)+$")', false, { name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' }],
  ['re2(name, "b") || re2(name, "c")', true, { name: 'c' }],
  ['name.lowerAscii() == "octocat"', true, { name: 'OCTOCAT' }],
  ['name.upperAscii() == "OCTOCAT"', true],
  // The Kelvin sign folds to k in Unicode, not in ASCII.
  ['name.lowerAscii() == "k"', false, { name: '\u212a' }],
  ['int(name) == 42', true, { name: '42' }],
  ['double(name) == 1.5', true, { name: '1.5' }],
  ...[
    '',
    ' 42',
    '42 ',
    '+42',
    '042',
    '0x2a',
    '0b1',
    '1e3',
    '1_000',
    '9223372036854775808',
    'x'.repeat(70),
  ].map((name) => ['int(name) == 42', undefined, { name }] as const),
  ...['', ' 1', '0x10', 'Infinity', 'NaN', '1e400', '.5', '1.', '01.5'].map(
    (name) => ['double(name) < 9.0', undefined, { name }] as const,
  ),
  ['name == "octocat"', undefined, { name: 7 }],
]);

cases('booleans', { done: '/done', id: '/id' }, [
  ['done && id == 7', true],
  ['!done || id == 7', true],
  ['done ? id == 7 : id == 8', true],
  ['done ? id == 7 : id == 8', false, { done: false }],
  ['done && id == 7', undefined, { done: 'true' }],
  ['done && id == 7', undefined, { done: 1 }],
]);

cases('times', { at: '/at' }, [
  ['at <= now', true],
  ['at < now - duration("2m")', false],
  ['at == rfc3339("2026-12-01T11:59:00Z")', true],
  ['rfc3339(at) == rfc3339("2026-12-01T12:59:00+01:00")', true],
  ['now - at == duration("1m")', true],
  ['now - at <= duration("1h")', true],
  ['now - at >= duration("-1h30m")', true, { at: '2026-12-01T13:00:00Z' }],
  ['at + duration("60s") == now', true],
  ['at.getFullYear() == 2026 && at.getMonth() == 11 && at.getDate() == 1 && at.getHours() == 11', true],
  ['at.getDayOfWeek() == 2', true],
  ['(now - at).getSeconds() == 60', true],
  ['at <= now', undefined, { at: '2026-02-30T00:00:00Z' }],
  ['at <= now', undefined, { at: '2026-12-01 11:59:00Z' }],
  ['at <= now', undefined, { at: '2026-12-01T11:59:00' }],
  ['at <= now', undefined, { at: 1796126340 }],
]);

cases('text that tells time', { name: '/name' }, [
  ['rfc3339(name) < now', true, { name: '2026-12-01T11:59:00Z' }],
  ['rfc3339(name) < now', undefined, { name: '2026-02-30T11:59:00Z' }],
  ['rfc3339(name) < now', undefined, { name: 'yesterday' }],
  ['duration(name) == duration("90s")', true, { name: '1m30s' }],
  ['duration(name) < duration("1s")', true, { name: '250ms' }],
  ['duration(name) == duration("90m")', true, { name: '1.5h' }],
  ['duration(name) < duration("0s")', true, { name: '-1s' }],
  ...['', 's', '1', '.5s', '1d', '1 s', '+1s', '1h-1m', '1e3s', `${'9'.repeat(30)}h`].map(
    (name) => ['duration(name) > duration("0s")', undefined, { name }] as const,
  ),
]);

cases(
  'a value that can be absent or null is optional',
  { attempt: '/attempt', ended: '/ended', note: '/note' },
  [
    ['attempt.orValue(1) == 1 && !ended.hasValue() && note.orValue("") == ""', true],
    ['attempt.orValue(1) == 3 && !ended.hasValue() && !note.hasValue()', true, { attempt: 3 }],
    ['attempt.orValue(1) < 3 && ended.orValue(now) == now && note.orValue("x") == "x"', true],
    [
      'ended.orValue(now) < now && attempt.orValue(1) == 1 && !note.hasValue()',
      true,
      { ended: '2026-12-01T11:00:00Z' },
    ],
    [
      'ended.orValue(now) == now && attempt.orValue(1) == 1 && note.value() == "hi"',
      true,
      { ended: null, note: 'hi' },
    ],
    // A value that is not there, and was not asked for.
    ['attempt.value() == 1 || ended.hasValue() || note.hasValue()', undefined],
    // CEL: whatever the one side is, the other one decides.
    ['attempt.value() == 1 && ended.hasValue() && note.hasValue()', false],
    ['attempt.orValue(1) == 1 && !ended.hasValue() && !note.hasValue()', undefined, { attempt: '1' }],
    [
      'attempt.orValue(1) == 1 && !ended.hasValue() && !note.hasValue()',
      undefined,
      { ended: '2026-02-30T00:00:00Z' },
    ],
  ],
);

cases('null by anyOf', { who: '/who' }, [
  ['who.orValue("nobody") == "nobody"', true],
  ['who.orValue("nobody") == "me"', true, { who: 'me' }],
]);

cases('what is below something that can be absent', { maybe: '/nested/maybe', deep: '/nested/deep' }, [
  ['deep == 3 && maybe.orValue(4) > deep', true],
  ['deep == 3 && maybe.orValue(4) > deep', false, { nested: { deep: 3, maybe: 1 } }],
  ['deep == 3 && maybe.orValue(4) > deep', undefined, { nested: null }],
]);

cases('lists', { tags: '/tags', scores: '/scores' }, [
  ['tags.all(t, size(t) == 1) && sum(scores) == 3.5', true],
  ['"a" in tags && scores.exists(s, s > 2.0)', true],
  ['tags.exists_one(t, t == "a") && scores.filter(s, s > 1.0).size() == 1', true],
  ['tags.map(t, t + "!") == ["a!", "b!"] && scores[0] == 1.0', true],
  ['tags[0] == "a" && scores.map(s, s > 1.0, s * 2.0)[0] == 5.0', true],
  ['tags[2] == "a" && scores[0] == 1.0', undefined],
  ['size(tags) == 0 || tags[0] == "a" && scores[0] == 1.0', true],
  ['tags.all(t, t == "x") && scores.all(s, s > 9.0)', true, { tags: [], scores: [] }],
  ['sum(scores) == 0.0 && tags == []', true, { tags: [], scores: [] }],
  ['tags.all(t, t == "a") && scores[0] == 1.0', undefined, { tags: ['a', 7] }],
  ['tags.all(t, t == "a") && scores[0] == 1.0', undefined, { tags: ['a', null] }],
  ['tags.all(t, t == "a") && scores[0] == 1.0', undefined, { tags: 'a' }],
]);

cases(
  'one value of each item, and their number',
  { prices: { each: '/lines', item: '/price' }, n: { count: '/lines' } },
  [
    ['sum(prices) == 12 && n == 2', true],
    ['prices.all(p, p > 4) && n > 0', true],
    ['prices.all(p, prices.exists_one(q, p == q)) && n == 2', true],
    ['sum(prices) == 12 && n == 2', undefined, { lines: [{ start: 1, end: 2, sku: 'x' }] }],
    ['sum(prices) == 12 && n == 2', undefined, { lines: {} }],
    ['sum(prices) > 0 && n == 2', undefined, { lines: [{ price: 2 ** 53 }, { price: 1 }] }],
  ],
);

t.test('each: the rule holds of every item', async (t) => {
  const reads = { start: '/start', end: '/end', off: '/off' };
  const rule = 'start < end && off.orValue(0) < end - start && end < request.params.number';
  const run = (lines: unknown) => ruleOf(rule, reads, '/lines').run({ ...VALUE, lines }, contextOf());
  t.equal(run(VALUE.lines), undefined);
  t.equal(run([]), undefined);
  t.match(
    run([
      { start: 1, end: 2 },
      { start: 3, end: 3 },
    ]),
    {
      code: 'CHK_RULE',
      detail: { rule: 'r', instance: '/lines/1', schema: '/responses/0/checks/0' },
    },
  );
  t.match(run([{ start: 1, end: 9 }]), { code: 'CHK_RULE', detail: { instance: '/lines/0' } });
  t.match(run([{ start: 1, end: '2' }]), { code: 'CHK_RULE_UNDECIDED', detail: { instance: '/lines/0' } });
  t.match(run([null]), { code: 'CHK_RULE_UNDECIDED', detail: { instance: '/lines/0' } });
  t.match(run({}), { code: 'CHK_RULE_UNDECIDED', detail: { instance: '/lines' } });
  t.match(ruleOf('start > 1', { start: '/start' }, '/lines').run(VALUE, contextOf()), {
    detail: { instance: '/lines/0/start' },
  });
});

t.test('the request', async (t) => {
  const context = contextOf(
    { query: { per_page: 10, page: 2, label: ['a', 'b'], 'sort-by': 'a' }, headers: { 'x-tenant': '12' } },
    [['etag', '"7"']],
  );
  const ok = (rule: string, reads: ReadsDefinition = {}) =>
    t.equal(verdict(rule, { id: '/id', ...reads }, VALUE, context), true, rule);
  ok('id == request.params.number');
  ok('id < request.query.per_page');
  ok('request.query.page.orValue(1) == 2 && id > 0');
  ok('request.query.label.orValue([]).all(l, l in ["a", "b"]) && id > 0');
  ok('request.query["sort-by"].value() == "a" && id > 0');
  ok('request.params.owner == "octocat" && id > 0');
  ok('request.id == "req.12345678" && id > 0');
  // Headers are text, whatever their schema checks.
  ok('int(request.headers["x-tenant"].value()) == 12 && id > 0');
  ok('id < amount', { amount: 'request.body/amount' });
  ok('memo.orValue("") == "" && id > 0', { memo: 'request.body/memo' });
  ok('id == number', { number: 'request.params.number' });
  ok('tag.value() == "\\"7\\"" && id > 0', { tag: 'header:etag' });
  ok('!tag.hasValue() && id > 0', { tag: 'header:x-other' });
  ok('ours == request.id && id > 0', { ours: 'request.id' });
  const without = contextOf();
  t.equal(verdict('request.query.page.orValue(1) == 1 && id > 0', { id: '/id' }, VALUE, without), true);
  t.equal(verdict('request.query.page.value() == 1 && id > 0', { id: '/id' }, VALUE, without), undefined);
});

t.test('what a rule reads is kept, and no more', async (t) => {
  const paths = (rule: string, reads: ReadsDefinition, each?: string) =>
    ruleOf(rule, reads, each).reads.map((path) => path.map(String).join(' '));
  t.strictSame(paths('id == 7 && deep == 1', { id: '/id', deep: '/nested/deep' }), ['id', 'nested deep']);
  t.strictSame(paths('"a" in tags', { tags: '/tags' }), ['tags Symbol(item)']);
  t.strictSame(paths('sum(p) == 1', { p: { each: '/lines', item: '/price' } }), ['lines Symbol(item) price']);
  t.strictSame(paths('n == 1', { n: { count: '/lines' } }), ['lines Symbol(item)']);
  t.strictSame(paths('start == 1', { start: '/start' }, '/lines'), [
    'lines Symbol(item)',
    'lines Symbol(item) start',
  ]);
});

t.test('a fault names the rule, and the place where it looks at one only', async (t) => {
  t.match(ruleOf('id == 8', { id: '/id' }).run(VALUE, contextOf()), {
    code: 'CHK_RULE',
    detail: { rule: 'r', schema: '/responses/0/checks/0', instance: '/id' },
  });
  const two = ruleOf('id == 8 && ratio > 1.0', { id: '/id', ratio: '/ratio' }).run(VALUE, contextOf());
  t.equal(two?.detail.instance, undefined);
});

t.test('one compiled rule judges many answers alike', async (t) => {
  const check = ruleOf('tags.all(t, tags.exists_one(u, t == u))', { tags: '/tags' });
  const [good, bad] = [
    { ...VALUE, tags: ['a', 'b', 'c'] },
    { ...VALUE, tags: ['a', 'b', 'a'] },
  ];
  for (let i = 0; i < 50; i++) {
    t.equal(check.run(good, contextOf()), undefined);
    t.equal(check.run(bad, contextOf())?.code, 'CHK_RULE');
    t.equal(check.run({ ...VALUE, tags: [1] }, contextOf())?.code, 'CHK_RULE_UNDECIDED');
  }
});
