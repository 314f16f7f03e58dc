import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { positionIn, TextScanner } from '../../src/json/index.js';

/** The text, or `CODE offset line:column` of the fault. */
function read(chunks: readonly (string | Uint8Array)[], maxBytes = 64): string {
  const one = new TextScanner(maxBytes);
  for (const chunk of chunks) one.write(Buffer.from(chunk));
  const outcome = one.end();
  if (!(outcome instanceof Fault)) return outcome.value;
  const { code, detail } = outcome;
  return `${code} ${detail.offset} ${detail.line}:${detail.column}`;
}

const CASES: readonly (readonly [
  title: string,
  body: string | Buffer,
  expected: string,
  maxBytes?: number,
])[] = [
  ['nothing', '', ''],
  ['text', 'v1.2\n', 'v1.2\n'],
  ['every length of a character', 'aé€\u{1f600}', 'aé€\u{1f600}'],
  ['U+FFFD itself', '\ufffd', '\ufffd'],
  ['controls are the pattern’s business', 'a\u0000\r\n', 'a\u0000\r\n'],
  ['a byte order mark', '\ufeffv1', 'PRS_BOM 0 1:1'],
  ['a byte order mark inside is text', 'v\ufeff', 'v\ufeff'],
  ['a byte that no sequence has', Buffer.from('ab\n\xffc', 'latin1'), 'PRS_UTF8 3 2:1'],
  ['a continuation alone', Buffer.from('a\x80', 'latin1'), 'PRS_UTF8 1 1:2'],
  ['an overlong form', Buffer.from('a\xc0\xaf', 'latin1'), 'PRS_UTF8 1 1:2'],
  ['a surrogate', Buffer.from('a\xed\xa0\x80', 'latin1'), 'PRS_UTF8 1 1:2'],
  ['beyond U+10FFFF', Buffer.from('a\xf4\x90\x80\x80', 'latin1'), 'PRS_UTF8 1 1:2'],
  ['a sequence that starts as U+FFFD does', Buffer.from('a\xef\xbfb', 'latin1'), 'PRS_UTF8 1 1:2'],
  ['a sequence cut by the end', Buffer.from('a€\xef\xbf', 'latin1'), 'PRS_UTF8 1 1:2'],
  ['a cut character', Buffer.concat([Buffer.from('é'), Buffer.of(0xe2, 0x82)]), 'PRS_UTF8 2 1:3'],
  ['just as long as allowed', 'abcd', 'abcd', 4],
  ['one byte too long', 'ab\nde', 'PRS_STRING_LENGTH 4 2:2', 4],
  ['too long and broken', Buffer.from('\xffbcde', 'latin1'), 'PRS_STRING_LENGTH 4 1:5', 4],
];

for (const [title, body, expected, maxBytes] of CASES) {
  t.test(title, async (t) => {
    t.equal(read([body], maxBytes), expected, 'whole');
    const bytes = Buffer.from(body);
    t.equal(
      read(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        maxBytes,
      ),
      expected,
      'byte by byte',
    );
  });
}

t.test('a chunk is only valid while it is written', async (t) => {
  const one = new TextScanner(64);
  const chunk = Buffer.from('abc');
  one.write(chunk);
  chunk.fill(0);
  t.same(one.end(), { value: 'abc' });
});

t.test('the first fault is terminal', async (t) => {
  const one = new TextScanner(2);
  const fault = one.write(Buffer.from('abc'));
  t.equal(fault?.code, 'PRS_STRING_LENGTH');
  t.equal(one.write(Buffer.from('d')), fault);
  t.equal(one.end(), fault);
});

t.test('positions', async (t) => {
  const body = Buffer.from('ab\n\ncd');
  const at = (offset: number) => {
    const { line, column } = positionIn(body, offset);
    return `${line}:${column}`;
  };
  t.same([0, 1, 2, 3, 4, 5, 6].map(at), ['1:1', '1:2', '1:3', '2:1', '3:1', '3:2', '3:3']);
});
