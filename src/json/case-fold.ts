/**
 * Folds the case of every code point on its own (simple case folding, Unicode chapter 3.13 and CaseFolding.txt): texts
 * that differ only in case become equal. Made of the upper and the lower case of each code point, where those are single
 * code points. The classes are those of simple folding, with dotless i (U+0131) put beside `i` and `I`, as readers do that
 * compare in upper case.
 */
export function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += WITHOUT_SINGLE_CASE.get(character) ?? lower(upper(character));
  return folded;
}

// CaseFolding.txt, status S: equal to another code point, but in no case mapping to a single one.
const WITHOUT_SINGLE_CASE: ReadonlyMap<string, string> = new Map([
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
]);

function upper(character: string): string {
  const mapped = character.toUpperCase();
  return isOneCodePoint(mapped) ? mapped : character;
}

function lower(character: string): string {
  const mapped = character.toLowerCase();
  return isOneCodePoint(mapped) ? mapped : character;
}

function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}
