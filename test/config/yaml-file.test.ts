import t from 'tap';
import { parseYaml } from '../../src/config/yaml-file.js';

const rules = (text: string, options?: { json?: boolean }) =>
  parseYaml(text, options).problems.map(({ rule, place }) => `${place.line}:${place.column} ${rule}`);

t.test('plain values', async (t) => {
  const { value, problems } = parseYaml(
    'a: 1\nb: [x, "y", 2.50, true, null, ~]\nc:\n  d: |\n    text\n200: -1e2\ntrue: no\n',
  );
  t.same(problems, []);
  t.same(value, {
    a: 1,
    b: ['x', 'y', 2.5, true, null, null],
    c: { d: 'text\n' },
    '200': -100,
    true: 'no',
  });
});

t.test('YAML 1.2: yes, on, octal digits and dates are text', async (t) => {
  t.same(parseYaml('[yes, on, 2026-01-01, 1_000, 1:30]').value, ['yes', 'on', '2026-01-01', '1_000', '1:30']);
});

t.test('names of Object.prototype are keys like any other, __proto__ is none', async (t) => {
  const { value } = parseYaml('constructor: 1\ntoString: 2\nhasOwnProperty: 3\n');
  t.same(Object.keys(value as object), ['constructor', 'toString', 'hasOwnProperty']);
  const proto = parseYaml('{ a: { __proto__: { admin: true } } }');
  t.same(
    proto.problems.map((p) => [p.rule, p.pointer]),
    [['proto-key', '/a/__proto__']],
  );
  t.notOk((proto.value as { a: { admin?: boolean } }).a.admin);
});

t.test('a value can be repeated', async (t) => {
  const { value, problems } = parseYaml('a: &x { b: [1] }\nc: *x\nd: [*x, *x]\n');
  t.same(problems, []);
  t.same(value, { a: { b: [1] }, c: { b: [1] }, d: [{ b: [1] }, { b: [1] }] });
});

t.test('what an alias repeats is wrong once', async (t) => {
  t.same(rules('a: &x [.inf]\nb: [*x, *x]\n'), ['1:8 number-form']);
});

t.test('numbers that JSON does not know, or a double does not hold', async (t) => {
  t.same(rules('[012, 0x1F, 0o17, +1, 1., .5, .inf, -.inf, .nan]'), [
    '1:2 number-form',
    '1:7 number-form',
    '1:13 number-form',
    '1:19 number-form',
    '1:23 number-form',
    '1:27 number-form',
    '1:31 number-form',
    '1:37 number-form',
    '1:44 number-form',
  ]);
  t.same(rules('[9007199254740991, 9007199254740993, 1e400, 0.1, 0.1000000000000000055511]'), [
    '1:20 number-precision',
    '1:38 number-precision',
    '1:50 number-precision',
  ]);
});

t.test('JSON files hold JSON', async (t) => {
  t.same(rules('{"a": [1, "\\u00e9\\/\\ud83d\\ude00"]}', { json: true }), []);
  t.same(rules('{\n\t"a": [\n\t\t1\n\t]\n}\n', { json: true }), [], 'indented with tabs');
  t.same(rules('a: 1', { json: true }), ['1:1 not-json']);
  t.same(rules('{"a": 1, "a": 2}', { json: true }), ['1:10 repeated-key']);
});

t.test('every problem of the text at once', async (t) => {
  t.same(rules('a: [1, 2\nb: "x\nc: 1\n').length > 1, true);
  t.same(rules('%YAML 1.1\n---\na: !x 1\na: *b\n<<: 1\n...\n---\nb: 1\n'), [
    '1:1 yaml-directive',
    '7:1 yaml-documents',
    '3:7 yaml-tag',
    '4:1 repeated-key',
    '5:1 merge-key',
  ]);
});

t.test('nothing in it', async (t) => {
  for (const text of ['', '\n\n', '# only a comment\n', '---\n']) {
    const { value, problems } = parseYaml(text);
    t.equal(value, undefined);
    t.same(
      problems.map((p) => p.rule),
      ['empty-file'],
      JSON.stringify(text),
    );
  }
});

t.test('what could exhaust stack, memory or time is a problem like any other', async (t) => {
  t.same(rules('['.repeat(20_000)), ['1:101 too-deep']);
  t.same(rules('['.repeat(3_000) + ']'.repeat(3_000)), ['1:101 too-deep']);
  t.match(rules('- '.repeat(5_000)), ['1:201 too-deep']);
  t.match(rules('{a: '.repeat(5_000)), [/too-deep/]);
  t.match(rules(Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')), [/too-deep/]);
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
    bomb.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(', ')}]`);
  }
  t.same(rules(bomb.join('\n')).length, 1);
  t.match(rules(bomb.join('\n')), [/alias-bomb/]);
  t.same(rules('a: &a [*a]\nb: &b { c: &c { d: *b } }\n'), ['1:8 endless-alias', '2:20 endless-alias']);
});

t.test('exactly 100 levels are read', async (t) => {
  t.same(rules('['.repeat(100) + ']'.repeat(100)), []);
  t.same(rules('['.repeat(101) + ']'.repeat(101)), ['1:101 too-deep']);
});

t.test('places', async (t) => {
  const file = parseYaml(
    '# c\nserver:\n  listen: "x" # y\n  log:\n    level: info\nroutes:\n  - tool: a\n    path: /b\n  - {tool: c}\nempty:\n',
  );
  const at = (pointer: string, atKey?: boolean) => {
    const { line, column, length } = file.locate(pointer, atKey);
    return `${line}:${column}+${length}`;
  };
  t.equal(at('/server/listen'), '3:11+3');
  t.equal(at('/server/listen', true), '3:3+6');
  t.equal(at('/server/log'), '4:3+3', 'a block map is shown by its key');
  t.equal(at('/routes/0/path'), '8:11+2');
  t.equal(at('/routes/1'), '9:5+9');
  t.equal(at('/routes/1/tool', true), '9:6+4');
  t.equal(at('/empty'), '10:1+5', 'a key without value is shown by the key');
  t.equal(at('/server/nothing/at/all'), '2:1+6', 'what is not there is shown by what is around it');
  t.equal(at('/routes/7'), '6:1+6');
  t.equal(at(''), '2:1+1');
});

t.test('places behind an alias, in CRLF text and after a wide character', async (t) => {
  const { line, column } = parseYaml('a: &x\r\n  b: 1\r\nc: *x\r\n').locate('/c/b');
  t.same([line, column], [2, 6]);
  t.same(parseYaml('a: { "é😀": 1, b: 2 }').locate('/a/b').column, 19);
  t.same(parseYaml('{ "a/b": { "c~d": 1 } }').locate('/a~1b/c~0d').column, 19);
});
