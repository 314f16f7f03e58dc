import t from 'tap';
import { responseHeaders, trimOws } from '../../src/upstream/response-headers.js';

t.test('lines in order, names in lower case, values as they are but for the white space around them', (t) => {
  const raw = ['X-A', '\t one \t', 'x-a', 'two', '__proto__', '', 'X-B', '\xa0\xe9 x'].map((text) =>
    Buffer.from(text, 'latin1'),
  );
  t.strictSame(responseHeaders(raw).lines, [
    ['x-a', 'one'],
    ['x-a', 'two'],
    ['__proto__', ''],
    ['x-b', '\xa0\xe9 x'],
  ]);
  t.end();
});

t.test('white space (RFC 9110 section 5.6.3) is space and tab', (t) => {
  for (const [value, trimmed] of [
    ['', ''],
    [' \t ', ''],
    [' a b\t', 'a b'],
    ['\u00a0a\u00a0', '\u00a0a\u00a0'],
    ['\va\f', '\va\f'],
  ] as const) {
    t.equal(trimOws(value), trimmed, JSON.stringify(value));
  }
  t.end();
});

t.test('a long run of blanks inside a value costs no more than its length', (t) => {
  // With a pattern that ends in `[\t ]+$` this does not end within the time that a test has.
  const value = `a${' '.repeat(8_000_000)}b`;
  t.equal(trimOws(value), value);
  t.end();
});
