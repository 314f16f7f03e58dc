import t from 'tap';
import { foldCase } from '../../src/json/case-fold.js';

t.test('folds', async (t) => {
  t.equal(foldCase('ReviewId'), 'reviewid');
  t.equal(foldCase('ÉÀ'), foldCase('éà'));
  t.equal(foldCase('ΣΑΣ'), foldCase('σας'), 'final sigma');
  t.equal(foldCase('\u{10400}'), foldCase('\u{10428}'), 'beyond the basic plane');
  t.equal(foldCase('\ud800A'), '\ud800a', 'half a pair is left alone');
  t.not(foldCase('ß'), foldCase('ss'), 'simple, not full folding');
});

/** The regular expression engine has simple case folding of its own: /u and /i together (ECMA-262 Canonicalize). */
t.test('the classes are those of simple case folding, dotless i added', async (t) => {
  const cased: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const character = String.fromCodePoint(codePoint);
    if (/[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u.test(character)) cased.push(character);
    else if (foldCase(character) !== character) t.fail(`${codePoint.toString(16)} has no case`);
  }
  const classes = new Map<string, string>();
  for (const character of cased) {
    const folded = foldCase(character);
    classes.set(folded, (classes.get(folded) ?? '') + character);
  }
  const all = cased.join('');
  const differing: Record<string, string> = {};
  for (const character of cased) {
    const hex = character.codePointAt(0)?.toString(16) ?? '';
    const expected = [...all.matchAll(new RegExp(`\\u{${hex}}`, 'giu'))].join('');
    const ours = classes.get(foldCase(character)) ?? '';
    if (ours !== expected) differing[character] = `${expected} ${ours}`;
  }
  t.same(differing, { I: 'Ii Iiı', i: 'Ii Iiı', ı: 'ı Iiı' });
});
