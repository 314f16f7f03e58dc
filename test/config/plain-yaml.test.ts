import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { plainJson } from '../../src/config/plain-json.js';
import { NOT_PLAIN } from '../../src/config/plain-text.js';
import { plainYaml } from '../../src/config/plain-yaml.js';
import { parseWhole, parseYaml } from '../../src/config/yaml-file.js';

// The plain readers decide nothing that the whole parser would decide otherwise: where one gives a value, the whole parser
// gives the same one and finds no problem.

interface Written {
  readonly text: string;
  readonly json: boolean;
}

const texts: (Written & { readonly file: string })[] = [
  'schemas',
  'config',
  'test/config/bad',
  'test/config/bad-fixtures',
].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.yaml$|\.schema\.json$/.test(file))
    .map((name) => join(folder, name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8'), json: file.endsWith('.json') })),
);

/** Whether the plain reader reads it; throws where the whole parser disagrees. */
function isPlain({ text, json }: Written): boolean {
  const plain = json ? plainJson(text) : plainYaml(text);
  if (plain === NOT_PLAIN) return false;
  const { value, problems } = parseWhole(text, { json });
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${problem.rule}: ${JSON.stringify(text)}`);
  // The order of members, which the first one does not look at, and what tells 0 from -0, which the second one does not.
  if (!isDeepStrictEqual(value, plain) || JSON.stringify(value) !== JSON.stringify(plain)) {
    throw new Error(`${JSON.stringify(plain)} and not ${JSON.stringify(value)}: ${JSON.stringify(text)}`);
  }
  return true;
}

t.test('most of the shipped files are plain', async (t) => {
  const shipped = texts.filter(({ file }) => file.startsWith('schemas/'));
  t.ok(shipped.length > 100);
  const others = shipped.filter((text) => !isPlain(text)).map(({ file }) => file);
  t.ok(others.length < shipped.length / 10, others.join(', '));
});

t.test('what plain texts say', async (t) => {
  const text = `\
# a comment
a: 1
b: [x, "y\\n\\u00e9", true, null, -7, 1.50, 2e3] # another
c:
  d: |
    text # no comment
      further in

  "e f": >-
    one
    two
g:
- h: 'it''s'
  i: {}
-   - j
    - k: https://example.com/#l
-
m:
  { n: 1.0.0, o: "{}",
    p: 2026-01-01T00:00:00Z }
q:
`;
  const plain = {
    a: 1,
    b: ['x', 'y\né', true, null, -7, 1.5, 2000],
    c: { d: 'text # no comment\n  further in\n', 'e f': 'one two' },
    g: [{ h: "it's", i: {} }, ['j', { k: 'https://example.com/#l' }], null],
    m: { n: '1.0.0', o: '{}', p: '2026-01-01T00:00:00Z' },
    q: null,
  };
  t.strictSame(plainYaml(text.replace('in\n\n', 'in\n')), plain);
  t.equal(plainYaml(text), NOT_PLAIN, 'an empty line in a block scalar is a fine point');
  t.strictSame(parseYaml(text).value, plain, 'and read all the same');
  t.strictSame(plainJson('{"a": [1, 1.50, -2e3, {}], "b": "\\n"}'), { a: [1, 1.5, -2000, {}], b: '\n' });
});

t.test('what is left to the whole parser', async (t) => {
  const left = [
    ...['a:\tb', 'a: b\r\n', 'a: \u00a0b', 'a: b\u2028c', 'a: "\u0000"', '\ufeffa: b'],
    ...['---\na: b', 'a: b\n...\n', '%YAML 1.2\n---\na: b', 'a: b\n--- c'],
    ...['a: !x b', 'a: &x b', 'a: *x', '<<: { a: 1 }', '{ <<: 1 }', '? a', '- ? a'],
    ...['a: 1\na: 2', 'a: { b: 1, "b": 2 }', '__proto__: 1', '"__proto__": 1', 'a: { __proto__: 1 }'],
    ...[
      'a: 1.',
      'a: .5',
      'a: 1e400',
      'a: +1',
      'a: 007',
      'a: 0.1000000000000000055511',
      'a: 0x1f',
      'a: 0o7',
      'a: .inf',
      'a: -.inf',
    ],
    ...['a: 9007199254740993', 'a: .nan', 'a: ~', 'null: a', '1: a', 'a b: c', 'a : b'],
    ...[
      'a: b: c',
      'a: b:',
      'a: - b',
      'a: @b',
      'a: `b`',
      'a: %b',
      'a: b\n  c',
      'a:\n   b: 1\n  c: 2',
      ' a: b',
      'a:\n  b:\n      c: 1\n    d: 2',
      '- a\n  b: c',
      '- - a\n  b: c',
      'a:\n- b\n  c: d',
      '- a: b\n   c: d',
    ],
    ...[
      'a: "b\n  c"',
      'a: "\\q"',
      'a: "\\ud83d\\ude00"',
      'a: "\\U00110000"',
      'a: "b" c',
      'a: "b"# c',
      "a: 'b",
    ],
    ...[
      'a: [b',
      'a: [b,\nc]',
      'a:\n  b: [c,\n  d]',
      'a: [b\n\n  c]',
      'a: [b # c\n  ]',
      'a: { b }',
      'a: { b: }',
      'a: { b:1 }',
      'a: [,]',
    ],
    ...[
      'a: [b: c]',
      'a: {b: c} d',
      'a: |+\n  b\n',
      'a: |2\n   b\n',
      'a: >\n  b\n\n  c\n',
      'a: >\n  b\n   c\n',
    ],
    ...['a: |\n  b', 'a: |\nb', 'a: b\n- c', '- a\nb: c', '', '# a', 'a', '"a"', '1'],
    `a: ${'['.repeat(60)}${']'.repeat(60)}`,
  ];
  for (const text of left) t.equal(plainYaml(text), NOT_PLAIN, encodeURI(text));
  const json = ['', '1', '"a"', '{"a":1,"a":2}', '{"a":9007199254740993}', '{"__proto__":1}', '{"<<":1}'];
  for (const text of [...json, '{"\\u005f_proto__":1}', '{"a" :1}', '{\t"a":1}', '{"a":1}x', '{"a":1e400}']) {
    t.equal(plainJson(text), NOT_PLAIN, text);
  }
});

/** Whatever means something in YAML, and some that only seems to. */
const PIECES = [
  ...[
    '\n',
    '\n\n',
    '\n  \n',
    ' ',
    '  ',
    '\t',
    ':',
    ': ',
    ' :',
    '-',
    '- ',
    '\n- ',
    '#',
    ' #',
    ',',
    ', ',
    '?',
    '? ',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|',
    '>',
    '|-',
    '>-',
    '&a ',
    '*a',
    '!x ',
    '%',
    '@',
    '`',
    '~',
    '<<',
    '=',
    '$',
  ],
  ...['null', 'true', 'Null', 'yes', '__proto__', '\\', '\\n', '\\x41', '\\u0041', '\\ud83d', '\\U0001F600'],
  ...['0', '1', '-1', '-0', '+1', '007', '0x1', '0o7', '1.5', '1e3', '1.0.0', '.inf', '.', '_', '/'],
  ...['---', '...', '\n---\n', 'a', 'a: ', 'a: b', '"a": ', "'a'", 'é', '\u00a0', '\u2028', '😀'],
];

const edits = fc.array(
  fc.tuple(fc.nat(5_000), fc.nat(3), fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 2 }))),
  { maxLength: 4 },
);

function edited({ text, json }: Written, changes: readonly (readonly [number, number, string])[]): Written {
  let result = text;
  for (const [at, removed, put] of changes) {
    const start = at % (result.length + 1);
    result = result.slice(0, start) + put + result.slice(start + removed);
  }
  return { text: result, json };
}

function holds(arbitrary: fc.Arbitrary<Written>, seed: number, numRuns: number): number {
  let plain = 0;
  fc.assert(
    fc.property(arbitrary, (text) => {
      if (isPlain(text)) plain++;
    }),
    { seed, numRuns },
  );
  return plain / numRuns;
}

t.test('real files, with a few places changed', async (t) => {
  const small = texts.filter(({ text }) => text.length < 1_500);
  const share = holds(
    fc.tuple(fc.constantFrom(...small), edits).map(([text, changes]) => edited(text, changes)),
    1,
    4_000,
  );
  t.ok(share > 0.2 && share < 0.9, 'some are plain and some are not');
});

const word = fc.constantFrom('a', 'b', 'c-d', '$e', 'f.g/h', '"i j"', '"k: l"', 'null', '1', '__proto__');
const scalar = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.constantFrom('x y', 'a#b', 'http://a/b?c#d', '"e: f"', "'g'"),
);
const { inline } = fc.letrec<{ inline: string; flow: string }>((tie) => ({
  inline: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('flow')),
  flow: fc.oneof(
    fc
      .tuple(fc.array(tie('inline'), { maxLength: 3 }), fc.constantFrom(', ', ',', ' , ', ',\n     '))
      .map(([items, comma]) => `[${items.join(comma)}]`),
    fc
      .tuple(
        fc.array(fc.tuple(word, fc.constantFrom(': ', ': ', ':'), tie('inline')), { maxLength: 3 }),
        fc.constantFrom(', ', ',\n     '),
      )
      .map(([pairs, comma]) => `{ ${pairs.map((pair) => pair.join('')).join(comma)} }`),
  ),
}));
const blockScalar = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-', '|+', '>2'),
    fc.array(fc.constantFrom('text', '- a', 'b: c', '# d', '  e', '', 'f '), { minLength: 1, maxLength: 3 }),
  )
  .map(([head, lines]) => [head, ...lines.map((line) => `  ${line}`)].join('\n'));
/** Lines that start at the left edge; `nested` moves them to the right. */
const { block } = fc.letrec<{ block: string; entry: string }>((tie) => ({
  block: fc.array(tie('entry'), { minLength: 1, maxLength: 3 }).map((entries) => entries.join('\n')),
  entry: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(word, inline, fc.constantFrom('', '', ' # c', ' ')).map(([key, v, end]) => `${key}: ${v}${end}`),
    inline.map((value) => `- ${value}`),
    fc.tuple(word, blockScalar).map(([key, value]) => `${key}: ${value}`),
    fc
      .tuple(word, fc.constantFrom(0, 2, 2, 3), tie('block'))
      .map(([key, by, inner]) => `${key}:\n${nested(inner, by)}`),
    fc.tuple(fc.constantFrom(2, 2, 4), tie('block')).map(([by, inner]) => `-${nested(inner, by).slice(1)}`),
    fc.constantFrom('', '# comment', 'a:', '-'),
  ),
}));

function nested(lines: string, by: number): string {
  return lines.replace(/^(?=.)/gm, ' '.repeat(by));
}

t.test('made-up texts', async (t) => {
  const made = fc.tuple(block, fc.constantFrom('\n', ''), edits).map(([text, end, changes]) => {
    const whole = { text: text + end, json: false };
    return changes.length < 3 ? whole : edited(whole, changes.slice(2));
  });
  const share = holds(made, 2, 8_000);
  t.ok(share > 0.05 && share < 0.9, 'some are plain and some are not');
});

t.test('made-up JSON', async (t) => {
  const made = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.constantFrom(undefined, 1, 2, '\t'), edits)
    .map(([text, indent, changes]) => {
      const whole = { text: JSON.stringify(JSON.parse(text), null, indent), json: true };
      return changes.length < 3 ? whole : edited(whole, changes.slice(2));
    });
  const share = holds(made, 3, 3_000);
  t.ok(share > 0.05 && share < 0.9, 'some are plain and some are not');
});

t.test('places are found as if the whole parser had read it', async (t) => {
  const text = 'a:\n  - b: 1 # c\n    d: "e"\n';
  t.not(plainYaml(text), NOT_PLAIN);
  const [plain, whole] = [parseYaml(text), parseWhole(text)];
  for (const pointer of ['', '/a', '/a/0', '/a/0/d', '/a/0/x', '/z']) {
    for (const atKey of [false, true])
      t.strictSame(plain.locate(pointer, atKey), whole.locate(pointer, atKey), pointer);
  }
  t.equal(plain.lines.line(2), '  - b: 1 # c');
  const scalars = (file: typeof plain) => {
    const found: unknown[] = [];
    file.scalars((...each) => found.push(each));
    return found;
  };
  t.equal(scalars(plain).length, 2);
  t.strictSame(scalars(plain), scalars(whole));
});
