import t from 'tap';
import { firstForbidden, TEXT_CLASSES } from '../../src/json/index.js';

/** One code point of each end of what a class must hold, by hand; the class's own ranges are not asked. */
const SAMPLES: Readonly<Record<string, readonly number[]>> = {
  control: [0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f],
  'line-separator': [0x2028, 0x2029],
  'bidi-control': [0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069],
  invisible: [
    0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x180f, 0x200b, 0x200c, 0x200d, 0x2060,
    0x2064, 0x2065, 0x206a, 0x206f, 0x3164, 0xfeff, 0xffa0, 0xfff0, 0x1bca0, 0x1d173, 0xe0080, 0xe01f0,
    0xe0fff,
  ],
  annotation: [0xfff9, 0xfffa, 0xfffb, 0xfffc],
  'variation-selector': [0xfe00, 0xfe0e, 0xfe0f, 0xe0100, 0xe01ef],
  tag: [0xe0000, 0xe0001, 0xe0020, 0xe0041, 0xe007f],
  surrogate: [0xd800, 0xdbff, 0xdc00, 0xdfff],
  noncharacter: [
    0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x1ffff, 0x8ffff, 0xffffe, 0xfffff, 0x10fffe, 0x10ffff,
  ],
  'private-use': [0xe000, 0xf8ff, 0xf0000, 0xffffd, 0x100000, 0x10fffd],
};

t.same(
  Object.keys(SAMPLES),
  TEXT_CLASSES.map(({ name }) => name),
  'a sample for every class',
);

for (const [name, codePoints] of Object.entries(SAMPLES)) {
  t.test(`class ${name}`, async (t) => {
    for (const codePoint of codePoints) {
      const hex = codePoint.toString(16);
      const character = String.fromCodePoint(codePoint);
      t.equal(firstForbidden(`ab${character}c`, 'plain'), 2, hex);
      t.equal(
        firstForbidden(`\u{1f600}${character}`, 'plain'),
        2,
        `${hex} at the end; the index is in UTF-16 units`,
      );
      const isLayout = codePoint === 0x09 || codePoint === 0x0a;
      t.equal(firstForbidden(`ab${character}c`, 'display'), isLayout ? -1 : 2, `${hex} in display`);
    }
  });
}

t.test('what people write passes', async (t) => {
  for (const text of [
    '',
    'Fix: the "parser" <b>& more</b> ~!@#$%^*()_+`',
    'Größe, naïve, Łódź, Ελληνικά, кириллица, עברית, العربية, हिन्दी, ไทย, 漢字かな, 한국어',
    'e\u0301 combining, \u00a0 no-break space, \u3000 ideographic space, \ufffd replaced',
    '\u{1f600}\u{1f44d}\u{1f3fd}\u{1f1e9}\u{1f1ea} \u2764 \u00a9',
    '\u{20000}\u{1d11e}\u0600',
  ]) {
    t.equal(firstForbidden(text, 'plain'), -1, text);
    t.equal(firstForbidden(text, 'display'), -1, text);
  }
});

t.test('nothing that is ignored by default passes, and no class holds what is drawn', async (t) => {
  const passing: string[] = [];
  const drawn: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    const isForbidden = firstForbidden(character, 'plain') === 0;
    if (
      !isForbidden &&
      /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u.test(
        character,
      )
    ) {
      passing.push(codePoint.toString(16));
    }
    if (
      isForbidden &&
      /[\p{L}\p{N}\p{P}\p{S}\p{Zs}]/u.test(character) &&
      !/\p{Default_Ignorable_Code_Point}/u.test(character)
    ) {
      drawn.push(codePoint.toString(16));
    }
  }
  t.same(passing, []);
  t.same(drawn, ['fffc'], 'object replacement');
});

t.test('display: layout', async (t) => {
  t.equal(firstForbidden('a\n\tb\r\nc\n', 'display'), -1);
  t.equal(firstForbidden('a\rb', 'display'), 1, 'a carriage return alone');
  t.equal(firstForbidden('a\r', 'display'), 1);
  t.equal(firstForbidden('a\r\r\n', 'display'), 1);
  t.equal(firstForbidden('a\vb', 'display'), 1);
});

t.test('display: emoji', async (t) => {
  for (const text of [
    '\u2764\ufe0f',
    '\u00a9\ufe0f',
    '1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f469}\u{1f3fd}\u200d\u{1f680}',
    '\u{1f3f3}\ufe0f\u200d\u{1f308}',
    '\u{1f9d1}\u200d\u2695\ufe0f',
    '\u{1f44d}\u{1f3fd}',
    '\u{1f1eb}\u{1f1f7}',
    flag('gbeng'),
    flag('gbsct'),
    flag('gbwls'),
    `a${flag('gbsct')}b`,
  ]) {
    t.equal(firstForbidden(text, 'display'), -1, spell(text));
  }
});

t.test('display: emoji parts where no emoji needs them', async (t) => {
  const cases: readonly (readonly [string, number])[] = [
    ['\ufe0f', 0],
    ['a\ufe0f', 1],
    ['1\ufe0f', 1],
    ['1\ufe0fa', 1],
    ['\u2764\ufe0f\ufe0f', 2],
    ['\u2764\ufe0e', 1],
    ['\u{1f44d}\u{1f3fd}\ufe0f', 4],
    ['\u200d', 0],
    ['a\u200db', 1],
    ['\u{1f468}\u200d', 2],
    ['\u{1f468}\u200da', 2],
    ['a\u200d\u{1f468}', 1],
    ['\u{1f468}\u200d\u200d\u{1f469}', 2],
    ['\u{1f468}\u200d\ufe0f\u{1f469}', 2],
    ['1\ufe0f\u20e3\u200d\u{1f468}', 3],
    ['\u{1f3fd}\u200d\u{1f468}', 2],
    ['\u{1f468}\u200d\u{1f3fd}', 2],
    ['\u{1f1eb}\u{1f1f7}\u200d\u{1f308}', 4],
    [flag('usca'), 2],
    [flag('gbengx'), 2],
    [flag('gbeng').slice(0, -2), 2],
    [flag('gbeng').replace('\u{1f3f4}', '\u{1f600}'), 2],
    [flag('gbeng') + flag('gbeng').slice(2), 14],
    [`\u{1f3f4}\ufe0f${flag('gbeng').slice(2)}`, 3],
    ['\u{1f600}\u{e0041}', 2],
  ];
  for (const [text, index] of cases) {
    t.equal(firstForbidden(text, 'display'), index, spell(text));
    t.not(firstForbidden(text, 'plain'), -1, `${spell(text)} in plain`);
  }
});

/** A black flag with the tags of a region. */
function flag(region: string): string {
  const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
  return `\u{1f3f4}${tags.join('')}\u{e007f}`;
}

function spell(text: string): string {
  return Array.from(text, (character) => `U+${character.codePointAt(0)?.toString(16)}`).join(' ');
}
