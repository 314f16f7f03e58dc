import fc from 'fast-check';
import t from 'tap';
import { compileTextPattern, type TextPattern } from '../../src/contract/text-pattern.js';

function pattern(text: string): TextPattern {
  const compiled = compileTextPattern(text);
  if (!('match' in compiled)) throw new Error(`${text} ${compiled.message}`);
  return compiled;
}

function trouble(text: string): string | undefined {
  const compiled = compileTextPattern(text);
  return 'match' in compiled ? undefined : compiled.rule;
}

t.test('the whole text matches, or nothing does', async (t) => {
  const version = pattern('^v(?<version>[0-9.]{1,20})\\n?$');
  t.same(version.match('v1.2.3'), { version: '1.2.3' });
  t.same(version.match('v1.2.3\n'), { version: '1.2.3' });
  for (const text of [
    '',
    'v',
    'v1.2.3\n\n',
    ' v1',
    'v1 ',
    'Welcome\nv1',
    'v1\nbye',
    'v1\r\n',
    `v${'1'.repeat(21)}`,
  ]) {
    t.equal(version.match(text), undefined, JSON.stringify(text));
  }
});

t.test('groups', async (t) => {
  const one = pattern('^(?<a>x+)(?:-(?<b>y*))?(?<c>z|)$');
  t.same(one.groups, [
    { name: 'a', always: true, maxLength: undefined },
    { name: 'b', always: false, maxLength: undefined },
    { name: 'c', always: true, maxLength: 1 },
  ]);
  t.strictSame(one.match('xx'), { a: 'xx', c: '' });
  t.strictSame(one.match('x-'), { a: 'x', b: '', c: '' });
  t.strictSame(one.match('x-yyz'), { a: 'x', b: 'yy', c: 'z' });
  t.same(pattern('^(?:(?<a>x)|(?<b>y{2}))$').groups, [
    { name: 'a', always: false, maxLength: 1 },
    { name: 'b', always: false, maxLength: 2 },
  ]);
  t.same(pattern('^(?<k>[a-z]+)=(?<v>.{0,9})$').match('key=\u{1f600}é'), { k: 'key', v: '\u{1f600}é' });
});

t.test('greedy and lazy repetitions share the text as in JavaScript', async (t) => {
  t.same(pattern('^(?<a>.*)(?<b>b*)$').match('abb'), { a: 'abb', b: '' });
  t.same(pattern('^(?<a>.*?)(?<b>b*)$').match('abb'), { a: 'a', b: 'bb' });
  t.same(pattern('^(?<a>.+?)(?<b>b{0,1}?)$').match('abb'), { a: 'ab', b: 'b' });
  t.same(pattern('^(?<a>a|ab)(?<b>b?c?)$').match('abc'), { a: 'a', b: 'bc' });
});

t.test('what it decides is what the native engine decides', async (t) => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'ab', '\n', '-', '1', 'é', '\u{1f600}'), { maxLength: 8 });
  const patterns = [
    '^(?<x>[ab]{1,3})(?:-(?<y>[0-9]+?)(?<z>1?))?\\n?$',
    '^(?<x>(?:ab?)*?)(?<y>b*)$',
    '^(?<x>.*)-(?<y>[^-]*)$',
    '^(?:(?<x>a+)|(?<y>.+))$',
  ];
  fc.assert(
    fc.property(texts, fc.constantFrom(...patterns), (pieces, source) => {
      const text = pieces.join('');
      const groups = new RegExp(source, 'u').exec(text)?.groups;
      const expected =
        groups && Object.fromEntries(Object.entries(groups).filter(([, value]) => value !== undefined));
      t.strictSame(pattern(source).match(text), expected, JSON.stringify([source, text]));
    }),
    { seed: 20260103, numRuns: 500 },
  );
});

t.test('how far a text fits', async (t) => {
  const version = pattern('^v(?<version>[0-9]{1,3})(?:-rc(?<rc>[1-9]))?\\n?$');
  const cases: readonly (readonly [string, number])[] = [
    ['', 0],
    ['Welcome', 0],
    ['v', 1],
    ['vx', 1],
    ['v12x', 3],
    ['v1234', 4],
    ['v1-', 3],
    ['v1-rc0', 5],
    ['v1-rc1\n', 7],
    ['v1\nbye', 3],
    ['v1\n\n', 3],
  ];
  for (const [text, length] of cases) t.equal(version.fits(text), length, JSON.stringify(text));
  t.equal(pattern('^(?:(?<a>abc)|(?<b>abd+e))$').fits('abdd!'), 4, 'of two ways the longer one');
  t.equal(pattern('^(?<a>(?:xy){2,})$').fits('xyxyxz'), 5, 'inside a repetition');
  t.equal(pattern('^(?<a>\\u{1f600}+)$').fits('\u{1f600}!'), 2, 'counted in UTF-16 units');
});

t.test('patterns that are not taken', async (t) => {
  const cases: Record<string, string> = {
    '[': 'pattern',
    '^(?<a>x)(?=y)$': 'pattern',
    '^(?<a>x)\\k<a>$': 'pattern',
    '(?<a>x)': 'unanchored-pattern',
    '^(?<a>x)': 'unanchored-pattern',
    '^(?<a>x)$|(?<b>y)': 'unanchored-pattern',
    '^(?<toString>x)$': 'pattern-groups',
    '^(?<constructor>x)$': 'pattern-groups',
    '^(?<ä>x)$': 'pattern-groups',
    '^(?:(?<a>x),)*$': 'pattern-groups',
    '^(?:(?<a>x),){2}$': 'pattern-groups',
    '^(?<a>x{2000})$': 'pattern',
  };
  for (const [text, rule] of Object.entries(cases)) t.equal(trouble(text), rule, text);
  t.same(pattern('^(?:OK|(yes))\\n?$').match('yes\n'), {}, 'it can just say yes');
  t.equal(trouble('^(?:(?<a>x),)?$'), undefined, 'a part that may be missing is no repetition');
});

t.test('a pattern that backtracking could not end is linear here', async (t) => {
  const evil = pattern('^(?<a>(?:a+)+)$');
  t.equal(evil.match(`${'a'.repeat(50_000)}!`), undefined);
  t.equal(evil.fits(`${'a'.repeat(50_000)}!`), 50_000);
});

t.test('a pattern that stands at many places at once is bounded with the text, or not taken', async (t) => {
  for (const text of [
    '^(?<x>(?:(?:a{0,30}){0,33}b?)*)[cd]$',
    '^(?<x>(?:[ab]*a[ab]{300}|z)*)[cd]$',
    '^(?<x>(?:a{0,1000}a?)*)$',
  ])
    t.equal(trouble(text), 'pattern', text);
  for (const text of [
    '^(?<x>(?:[a-z]{1,200}\\n)*)$',
    '^[\\s\\S]*version (?<v>[0-9.]{1,20})[\\s\\S]*$',
    '^(?<x>[ab]{0,500}a[ab]{0,500})$',
  ])
    t.equal(trouble(text), undefined, text);
  const lines = pattern('^(?<x>(?:[a-z]{0,300}\\n)*)$');
  t.equal(lines.fits('a\nb\n!'), 4);
  t.equal(
    lines.fits(`${'a\n'.repeat(20_000)}!`),
    undefined,
    'where the place would take long it is not looked for',
  );
  t.equal(pattern('^(?<x>[a-z]{0,300})\\n$').fits('a'.repeat(60_000)), 300, 'a short match ends the search');
});
