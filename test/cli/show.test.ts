import t from 'tap';
import { crashText } from '../../src/cli/crash.js';
import { showResponse } from '../../src/cli/show-http.js';
import { sideBySide } from '../../src/cli/side-by-side.js';

t.test('a response cannot write to the terminal', async (t) => {
  const bytes = Buffer.from(
    'HTTP/1.1 200 \u001b[2J\r\nx: \u0007\u009b\r\n\r\n{"a":"\u202e\u001b]0;x\u0007ü"}\n\t',
  );
  const lines = showResponse(bytes);
  for (const line of lines) t.notMatch(line, /[^ -~]/);
  t.strictSame(lines, [
    'HTTP/1.1 200 \\x1b[2J',
    'x: \\x07\\xc2\\x9b',
    '',
    '{"a":"\\xe2\\x80\\xae\\x1b]0;x\\x07\\xc3\\xbc"}\\n\\x09',
  ]);
});

t.test('a long body is cut with its size, a head alone is shown', async (t) => {
  const lines = showResponse(Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(5_000)}`));
  t.equal(lines.at(-1), `${'x'.repeat(360)}... 5,000 bytes in all`);
  t.strictSame(showResponse(Buffer.from('HTTP/1.1 200 OK')), ['HTTP/1.1 200 OK', '', '']);
});

const left = { title: 'left', lines: ['a'.repeat(60), 'b'] };
const right = { title: 'right', lines: ['c'] };

t.test('two columns on a wide terminal, never wider than it', async (t) => {
  const text = sideBySide(left, right, 103);
  for (const line of text.split('\n')) t.ok(line.length <= 103);
  t.equal(
    text,
    [
      `  ${'left'.padEnd(49)} | right`,
      `  ${'-'.repeat(49)} | ${'-'.repeat(49)}`,
      `  ${'a'.repeat(49)} | c`,
      `  ${'a'.repeat(11).padEnd(49)} |`,
      `  ${'b'.padEnd(49)} |`,
      '',
    ].join('\n'),
  );
});

t.test('one under the other on a narrow one, and in a pipe', async (t) => {
  for (const columns of [60, undefined]) {
    const text = sideBySide(left, right, columns);
    t.match(text, /^ {2}left\n {4}a+\n/);
    t.match(text, /\n {2}right\n {4}c\n$/);
    for (const line of text.split('\n')) t.ok(line.length <= (columns ?? 100));
  }
});

t.test("a crash shows where, and no text that could be somebody else's", async (t) => {
  const text = crashText(new SyntaxError('Unexpected token in {"secret":"canary"}'));
  t.match(text, /^assay: a bug of its own: SyntaxError\n {2}at .*show\.test\.[jt]s/);
  t.notMatch(text, 'canary');
  t.match(crashText(new TypeError('x is not a function')), /own: TypeError: x is not a function\n/);
});

t.test('an escape is not cut in two', async (t) => {
  const lines = showResponse(Buffer.concat([Buffer.from('H\r\n\r\nab'), Buffer.alloc(100, 1)]));
  t.match(lines.at(-1), /^ab(\\x01){89}\.\.\. 102 bytes in all$/);
});
