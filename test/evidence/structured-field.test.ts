import fc from 'fast-check';
import t from 'tap';
import {
  type Dictionary,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from '../../src/evidence/structured-field.js';

/** Every member written anew, as RFC 9651 section 4.1 does. */
function written(dictionary: Dictionary | undefined): string | undefined {
  if (dictionary === undefined) return undefined;
  const members = [...dictionary].map(([key, member]) => {
    if ('items' in member) return `${key}=${serializeInnerList(member)}`;
    const isTrue = member.item.kind === 'boolean' && member.item.value;
    const text = serializeItem(member);
    return isTrue ? key + text.slice('?1'.length) : `${key}=${text}`;
  });
  return members.join(', ');
}

t.test('dictionaries of RFC 9651 are read, and written in their one form', async (t) => {
  const cases: [text: string, form: string][] = [
    ['', ''],
    ['a=1', 'a=1'],
    ['en="Applepie", da=:w4ZibGV0w6ZydGU=:', 'en="Applepie", da=:w4ZibGV0w6ZydGU=:'],
    ['a=?0, b, c; foo=bar', 'a=?0, b, c;foo=bar'],
    ['rating=1.5, feelings=(joy sadness)', 'rating=1.5, feelings=(joy sadness)'],
    ['a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid', 'a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid'],
    ['a=(  1   2  );x ,\tb=?1', 'a=(1 2);x, b'],
    ['a=@1659578233', 'a=@1659578233'],
    ['a=1.10, b=-0.0, c=2.0', 'a=1.1, b=0.0, c=2.0'],
    ['a="\\"\\\\"', 'a="\\"\\\\"'],
    ['*k.-_1=*t:/!', '*k.-_1=*t:/!'],
    ['a=-999999999999999', 'a=-999999999999999'],
    ['a=()', 'a=()'],
    [
      'sig1=("@method" "@target-uri";req "x";key="a");created=1;keyid="k"',
      'sig1=("@method" "@target-uri";req "x";key="a");created=1;keyid="k"',
    ],
  ];
  for (const [text, form] of cases) t.equal(written(parseDictionary(text)), form, text);
});

t.test('what is none is refused', async (t) => {
  const cases = [
    'A=1',
    'a=1,',
    'a=1,,b=2',
    ',a=1',
    'a=1 b=2',
    'a==1',
    'a=',
    'a=1;',
    'a=1;B',
    'a="x',
    'a="\\x"',
    'a="é"',
    'a="\u0000"',
    'a=:YQ:',
    'a=:YR==:',
    'a=:YQ==',
    'a=:Y-Q=:',
    'a=:YQ= =:',
    'a=1.',
    'a=1.2345',
    'a=1234567890123456',
    'a=1234567890123.1',
    'a=--1',
    'a=?2',
    'a=(1',
    'a=(1)(2)',
    'a=(1"b")',
    'a=(1,2)',
    'a=(\t1)',
    'a=@1.5',
    'a=@',
    'a=%"x"',
    // One key, two values: which one is meant?
    'a=1, a=1',
    'a=1;b;b',
  ];
  for (const text of cases) t.equal(parseDictionary(text), undefined, text);
  const many = Array.from({ length: 257 }, (_, i) => `k${i}`).join(',');
  t.equal(parseDictionary(many), undefined, 'too many members');
});

t.test('whatever text comes, it is read once and for all', async (t) => {
  const piece = fc.constantFrom(
    'a',
    '=',
    ';',
    '(',
    ')',
    '"',
    ':',
    ' ',
    ',',
    '1',
    '.',
    '?',
    '@',
    '\\',
    'b',
    '\t',
    '-',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const form = written(parseDictionary(pieces.join('')));
      if (form === undefined) return;
      t.equal(written(parseDictionary(form)), form);
    }),
    { seed: 20260101, numRuns: 20_000 },
  );
});
