import fc from 'fast-check';
import t from 'tap';
import { compilePattern } from '../../src/contract/pattern.js';
import { type PatternNode, parsePattern } from '../../src/contract/pattern-syntax.js';
import { shown } from './support.js';

const SEED = 20_260_102;

function engine(text: string): string {
  const pattern = compilePattern(text);
  return typeof pattern === 'string' ? 'refused' : pattern.engine;
}

t.test('which engine runs what', async (t) => {
  const native = [
    '^[a-z]+$',
    '^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$',
    '^[0-9]+(?:\\.[0-9]+)?$',
    '^https://api\\.example\\.com/[a-z]+/[0-9]{1,9}$',
    '^(?:open|closed)$',
    '^(?:[a-z]+-)*[0-9]$',
    '^CR-',
    '^$',
    '^[a-z]{1,5000}$',
  ];
  const re2 = [
    '[a-z]+',
    'a$',
    '^(a+)+$',
    '^(a*)*$',
    '^a*a*$',
    '^(a|a)*$',
    '^(a|ab)(c|bcd)$',
    '^(?:a?b?)*$',
    '^(?:a?)*$',
    '^(?:a?|b?)c$',
    '^a{0}$',
    '^\\p{L}+$',
    '^a\\b',
    '^a|b$',
    '^[0-9]{1,3}[0-9]$',
  ];
  const refused = [
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '\\p{Script=Greek}',
    '\\p{Lowercase}',
    '(',
    'a{2,1}',
    '[b-a]',
    '\\u{110000}',
    'a{1001}b|c',
    '\\-',
  ];
  for (const text of native) t.equal(engine(text), 'native', text);
  for (const text of re2) t.equal(engine(text), 're2', text);
  for (const text of refused) t.equal(engine(text), 'refused', text);
});

t.test('the bound of what an anchored pattern admits', async (t) => {
  const cases: [string, boolean, number | undefined, number][] = [
    ['^[a-z]{1,32}$', true, 32, 1],
    ['^(?:a|bcd)$', true, 3, 1],
    ['^(?:ab){2,3}c?$', true, 7, 1],
    ['^a$|^bb$', true, 2, 1],
    ['^[a-z]+$', true, undefined, 1],
    ['^[\\u00e0-\\u00ff]{2}$', true, 2, 2],
    ['^[\\u4e00-\\u9fff]{2}$', true, 2, 3],
    ['^.{2}$', true, 2, 4],
    ['^\\p{L}{2}$', true, 2, 4],
    ['^[ -~]{2}$', true, 2, 2],
    ['^[^"\\\\]$', true, 1, 4],
    ['[a-z]{1,32}', false, undefined, 4],
    ['^[a-z]{1,32}', false, undefined, 4],
    ['^a|b$', false, undefined, 4],
  ];
  for (const [text, anchored, maxLength, codePointBytes] of cases) {
    t.match(compilePattern(text), { anchored, maxLength, codePointBytes }, text);
  }
});

/** Places where the engines differ when the pattern is handed over as it stands. */
const TEXTS = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'a\n',
  '\na',
  '\r',
  '\n',
  '\u2028',
  '\u00a0',
  '\ufeff',
  ' ',
  '\t',
  '\v',
  '\u180e',
  '0',
  '\u0660',
  '_',
  '-',
  '\u017f',
  '\u212a',
  '\u{1f600}',
  '\u{1f600}\u{1f600}',
  'e\u0301',
  '\u00e9',
  'a-b',
  '[',
  '\\',
  '^',
  '$',
  '/',
];

t.test('both engines decide as ECMA-262 with the u flag does', async (t) => {
  const patterns = [
    '.',
    '^.$',
    '^a$',
    'a$',
    '^',
    '$',
    '^$',
    '\\s',
    '^\\S$',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\bb',
    '\\Ba',
    '[^a]',
    '^[^\\s]$',
    '[\\w-]',
    '[\\]\\-]',
    '[\\b]',
    '\\u0061',
    '\\u{1f600}',
    '\\ud83d\\ude00',
    '^[\\u{1f600}-\\u{1f64f}]$',
    '\\x41',
    '\\cJ',
    '\\0',
    '\\t|\\v',
    '[]',
    '[^]',
    '^[^]{2}$',
    '^(?:)$',
    '(?<n>a)b',
    '\\p{Lu}',
    '\\P{L}',
    '^[\\p{L}0]$',
    '^[^\\p{L}]$',
    '\\/',
    '\\^|\\$|\\\\|\\[',
    'a{0}',
    '^a{0}$',
    '(?:a|)$',
    '^a??$',
    '^a*?b',
    'k',
    's',
    '[k-l]',
    '^[+--]$',
    '^[a\\-z]$',
  ];
  for (const text of patterns) {
    const pattern = compilePattern(text);
    if (typeof pattern === 'string') {
      t.fail(`${shown(text)} ${pattern}`);
      continue;
    }
    const native = new RegExp(text, 'u');
    for (const value of TEXTS) {
      if (pattern.test(value) !== native.test(value))
        t.fail(`${shown(text)} on ${shown(value)}: not ${native.test(value)}`);
    }
  }
  t.pass(`${patterns.length * TEXTS.length} verdicts`);
});

const atom = fc.constantFrom(
  'a',
  'b',
  '[ab]',
  '[^a]',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '[a-c]',
  '0',
  '(?:ab|c)',
  'é',
  '\\u{1f600}',
);
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}?', '+?');
const piece = fc.tuple(atom, quantifier).map(([a, q]) => a + q);
const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const patterns = fc
  .tuple(
    fc.constantFrom('^', '^', ''),
    fc.oneof(
      sequence,
      fc.tuple(sequence, sequence).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(sequence, quantifier, piece).map(([a, q, b]) => `(?:${a})${q}${b}`),
    ),
    fc.constantFrom('$', '$', ''),
  )
  .map((parts) => parts.join(''));
const values = fc
  .array(fc.constantFrom('a', 'b', 'c', '0', ' ', '\n', 'é', '\u{1f600}', 'ab'), { maxLength: 8 })
  .map((parts) => parts.join(''));

t.test('generated patterns: the same verdict as ECMA-262, and a bound that holds', async (t) => {
  const engines = { native: 0, re2: 0, matches: 0, bounded: 0 };
  for (const [text, texts] of fc.sample(
    fc.tuple(patterns, fc.array(values, { minLength: 10, maxLength: 10 })),
    { seed: SEED, numRuns: 1_500 },
  )) {
    const pattern = compilePattern(text);
    if (typeof pattern === 'string') {
      t.fail(`${shown(text)} ${pattern}`);
      continue;
    }
    engines[pattern.engine]++;
    const native = new RegExp(text, 'u');
    for (const value of texts) {
      const matches = native.test(value);
      if (matches) engines.matches++;
      if (pattern.test(value) !== matches) t.fail(`${shown(text)} on ${shown(value)}: not ${matches}`);
      if (!matches || pattern.maxLength === undefined) continue;
      engines.bounded++;
      if ([...value].length > pattern.maxLength) t.fail(`${shown(text)} admits ${shown(value)}`);
      if (Buffer.byteLength(value) > pattern.codePointBytes * [...value].length)
        t.fail(`bytes of ${shown(value)} by ${shown(text)}`);
    }
  }
  t.ok(
    engines.native > 100 && engines.re2 > 300 && engines.matches > 1_000 && engines.bounded > 100,
    JSON.stringify(engines),
  );
});

/**
 * A backtracking matcher that counts the characters it looks at: what the native engine does at most. Written for
 * obviousness; it explores greedily and gives up beyond the limit.
 */
function steps(node: PatternNode, text: string, limit: number): number {
  const chars = [...text];
  let count = 0;
  const match = (n: PatternNode, at: number, then: (at: number) => boolean): boolean => {
    if (count > limit) return false;
    switch (n.kind) {
      case 'begin':
        return at === 0 && then(at);
      case 'end':
        return at === chars.length && then(at);
      case 'boundary':
        throw new Error('not part of what is proved');
      case 'set': {
        count++;
        const point = chars[at]?.codePointAt(0);
        return point !== undefined && n.points.some(([a, b]) => a <= point && point <= b) && then(at + 1);
      }
      case 'sequence': {
        const from = (i: number, position: number): boolean => {
          const item = n.items[i];
          return item === undefined ? then(position) : match(item, position, (next) => from(i + 1, next));
        };
        return from(0, at);
      }
      case 'choice':
        return n.options.some((option) => match(option, at, then));
      case 'repeat': {
        const round = (done: number, position: number): boolean =>
          (done < n.max && match(n.item, position, (next) => next > position && round(done + 1, next))) ||
          (done >= n.min && then(position));
        return round(0, at);
      }
    }
  };
  match(node, 0, () => true);
  return count;
}

t.test('what runs natively needs no more than a few looks at each character', async (t) => {
  const hard = (text: string) => {
    const node = parsePattern(text);
    return typeof node === 'string' ? 0 : steps(node, `${'a'.repeat(30)}!`, 100_000);
  };
  t.ok(hard('^(a+)+$') > 100_000, 'the count sees an exponential pattern');

  let natives = 0;
  const runs = fc.constantFrom('a', 'b', 'ab', 'abc', '0', 'c');
  for (const [text, run, tail] of fc.sample(fc.tuple(patterns, runs, values), {
    seed: SEED + 1,
    numRuns: 3_000,
  })) {
    const node = parsePattern(text);
    if (typeof node === 'string' || engine(text) !== 'native') continue;
    natives++;
    const value = run.repeat(120) + tail;
    const count = steps(node, value, 1_000_000);
    if (count > 40 * (value.length + 1))
      t.fail(`${shown(text)} on ${value.length} characters: ${count} looks`);
  }
  t.ok(natives > 300, `${natives} native patterns`);
});

t.test('a hostile text is decided all the same', async (t) => {
  const pattern = compilePattern('^(a+)+$');
  t.ok(typeof pattern === 'object' && pattern.test('a'.repeat(50_000)));
  t.notOk(typeof pattern === 'object' && pattern.test(`${'a'.repeat(50_000)}!`));
});

t.test('a pattern prints its own text', async (t) => {
  t.equal(String(compilePattern('^a$')), '/^a$/u');
  t.not(String(compilePattern('^a$')), String(compilePattern('^b$')));
  t.not(String(compilePattern('(a+)+')), String(compilePattern('(b+)+')));
});
