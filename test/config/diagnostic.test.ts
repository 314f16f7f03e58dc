import t from 'tap';
import { sortDiagnostics, toDiagnostic } from '../../src/config/diagnostic.js';
import { hiddenPlaces } from '../../src/config/secret-text.js';
import { parseYaml } from '../../src/config/yaml-file.js';

const problem = (pointer: string, atKey = false) => ({
  pointer,
  atKey,
  rule: 'r',
  message: 'm',
  remedy: 'x',
});

function frame(text: string, pointer: string, atKey = false): string[] {
  const yaml = parseYaml(text);
  return toDiagnostic('f', yaml, problem(pointer, atKey), hiddenPlaces(yaml)).frame.split('\n');
}

t.test('a line and carets under the value', async (t) => {
  t.same(frame('a: 1\nb: { c: two }\n', '/b/c'), ['   2 | b: { c: two }', '     |         ^^^']);
  t.same(frame('a: 1\nb: { c: two }\n', '/b/c', true), ['   2 | b: { c: two }', '     |      ^']);
});

t.test('line and column, from 1', async (t) => {
  const { file, line, column } = toDiagnostic('some/file.yaml', parseYaml('a:\n  - b\n'), problem('/a/0'));
  t.same({ file, line, column }, { file: 'some/file.yaml', line: 2, column: 5 });
});

t.test('tabs are kept in both lines', async (t) => {
  t.same(frame('{\ta:\t1 }', '/a'), ['   1 | {\ta:\t1 }', '     |  \t  \t^']);
});

t.test('of a long line the part around the caret', async (t) => {
  const [line = '', caret = ''] = frame(
    `{ ${'a: 1, '.repeat(0)}x: "${'y'.repeat(120)}", b: 2, c: "${'z'.repeat(120)}" }`,
    '/b',
  );
  t.ok(line.length < 112 && line.includes('…y') && line.endsWith('z…'));
  t.equal(caret.indexOf('^'), line.indexOf('b: 2') + 3);
});

t.test('carets end with the line', async (t) => {
  t.same(frame('a: "one\n  two"\n', '/a'), ['   1 | a: "one', '     |    ^^^^']);
  const [line = '', caret = ''] = frame(`a: ${'x'.repeat(300)}`, '/a');
  t.equal(caret.length, line.length - 1);
});

t.test('a terminal is not steered', async (t) => {
  t.match(frame('a: "\u202e\u2066x\ufeff"', '/a')[0], 'a: "\ufffd\ufffdx\ufffd"');
});

t.test('what may be a secret is hidden, whatever the frame is about', async (t) => {
  t.same(frame('headers: { authorization: "Bearer S3CRET", b: 2 }', '/headers/b'), [
    '   1 | headers: { authorization: [hidden], b: 2 }',
    '     |                                        ^',
  ]);
  t.same(frame('x-api-key: [S3CRET, 2]', '/x-api-key/1'), [
    '   1 | x-api-key: [[hidden], [hidden]]',
    '     |                       ^^^^^^^^',
  ]);
  t.same(frame('a: { x: ghp_S3CRET, b: 2 }', '/a/b'), [
    '   1 | a: { x: [hidden], b: 2 }',
    '     |                      ^',
  ]);
  t.same(frame('a: { url: "https://u:S3CRET@h/", b: 2 }', '/a/b'), [
    '   1 | a: { url: [hidden], b: 2 }',
    '     |                        ^',
  ]);
});

t.test('a secret in a text that does not parse', async (t) => {
  const texts = [
    'a: [\nauthorization: S3CRET\n',
    'a: [\n"x-api-key": S3CRET\n',
    'a: [\nx: Bearer S3CRET\n',
    'a: [\nx: glpat-S3CRET\n',
    'a: [\nurl: http://u:S3CRET@h\n',
    'a: [\nx: { secret: s3S3CRET }\n',
  ];
  for (const text of texts) {
    const yaml = parseYaml(text);
    t.not(yaml.problems.length, 0);
    const places = [...yaml.problems, { ...problem(''), place: yaml.lines.place(6) }];
    for (const each of places)
      t.notMatch(toDiagnostic('f', yaml, each, hiddenPlaces(yaml)).frame, 'S3CRET', text);
  }
});

t.test('words of contracts are shown', async (t) => {
  for (const text of [
    '{ format: date-time, b: 2 }',
    '{ purpose: Basic facts, b: 2 }',
    '{ select: { secret: /x }, b: 2 }',
  ]) {
    t.same(frame(text, '/b')[0], `   1 | ${text}`);
  }
});

t.test('names of secrets are shown', async (t) => {
  t.same(frame('a: { secret: GITHUB_TOKEN, format: "Bearer {}" }', '/a/format'), [
    '   1 | a: { secret: GITHUB_TOKEN, format: "Bearer {}" }',
    '     |                                    ^^^^^^^^^^^',
  ]);
});

t.test('sorted by place, and said once', async (t) => {
  const yaml = parseYaml('a: 1\nb: 2\n');
  const of = (file: string, pointer: string) => toDiagnostic(file, yaml, problem(pointer));
  const sorted = sortDiagnostics([of('x', '/b'), of('y', '/a'), of('x', '/a'), of('x', '/b')]);
  t.same(
    sorted.map((d) => `${d.file}:${d.line}`),
    ['x:1', 'x:2', 'y:1'],
  );
});
