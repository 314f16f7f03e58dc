/**
 * UTF-8 in which a surrogate without partner is written as if it were a code point (WTF-8), so that every JavaScript
 * string has exactly one form: the scanner's form of member names after unescaping.
 */

/** `bytes` are correct; a code point cut at the end is left out. Stops after `most` UTF-16 units or one more. */
export function decodeWtf8(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): string {
  let text = '';
  let at = 0;
  while (at < bytes.length && text.length < most) {
    const first = bytes[at] ?? 0;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (at + size > bytes.length) break;
    let codePoint = size === 1 ? first : first & (0x7f >> size);
    for (let i = 1; i < size; i++) codePoint = (codePoint << 6) | ((bytes[at + i] ?? 0) & 0x3f);
    text += String.fromCodePoint(codePoint);
    at += size;
  }
  return text;
}

export function encodeWtf8(text: string): Uint8Array {
  // What Buffer writes for a surrogate without partner is U+FFFD, as long as its own form.
  const bytes = Buffer.from(text);
  if (!/\p{Surrogate}/u.test(text)) return bytes;
  let at = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
      bytes[at] = 0xe0 | (codePoint >> 12);
      bytes[at + 1] = 0x80 | ((codePoint >> 6) & 0x3f);
      bytes[at + 2] = 0x80 | (codePoint & 0x3f);
    }
    at += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}
