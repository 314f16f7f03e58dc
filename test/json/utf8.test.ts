import { isUtf8 } from 'node:buffer';
import t from 'tap';
import { Utf8Sequence } from './oracle/utf8.js';
import { keptOrCode } from './scan-support.js';

/** Where the table of RFC 3629 section 4 changes its mind, and the bytes beside. */
const EDGES = [0x00, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];

/** How many of the bytes form one whole sequence; 0: none. */
function lengthOf(bytes: readonly number[]): number {
  const sequence = new Utf8Sequence();
  const [first = 0, ...rest] = bytes;
  if (!sequence.begin(first)) return 0;
  for (const [index, byte] of rest.entries()) {
    const progress = sequence.next(byte);
    if (progress === 'broken') return 0;
    if (progress === 'whole') return index + 2;
  }
  return 0;
}

t.test('agrees with isUtf8 on every first byte, at every edge of the others', async (t) => {
  const differing: string[] = [];
  let whole = 0;
  for (let first = 0x80; first <= 0xff; first++) {
    for (const second of EDGES) {
      for (const third of EDGES) {
        for (const fourth of EDGES) {
          const bytes = [first, second, third, fourth];
          const length = lengthOf(bytes);
          const expected = [2, 3, 4].find((n) => isOneCharacter(bytes.slice(0, n))) ?? 0;
          if (length > 0) whole++;
          if (length !== expected) differing.push(Buffer.from(bytes).toString('hex'));
        }
      }
    }
  }
  t.same(differing, []);
  t.ok(whole > 10_000);
});

function isOneCharacter(bytes: readonly number[]): boolean {
  const buffer = Buffer.from(bytes);
  return isUtf8(buffer) && Array.from(buffer.toString()).length === 1;
}

t.test('the code point', async (t) => {
  for (const codePoint of [0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfeff, 0xffff, 0x10000, 0x10ffff]) {
    const sequence = new Utf8Sequence();
    const [first = 0, ...rest] = Buffer.from(String.fromCodePoint(codePoint));
    sequence.begin(first);
    for (const byte of rest) sequence.next(byte);
    t.equal(sequence.codePoint, codePoint);
    const text = `"${String.fromCodePoint(codePoint)}"`;
    t.equal(keptOrCode(text), text);
    t.equal(keptOrCode(`{${text}:0}`), `{${text}:0}`);
  }
});
