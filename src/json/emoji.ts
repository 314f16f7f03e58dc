/**
 * The invisible parts of emoji (UTS #51): how many UTF-16 units at `index` are such a part and stand where an emoji needs
 * it; 0 when there is none. What comes before `index` must have been accepted already.
 *
 * - U+FE0F after an emoji character (ED-9a, emoji presentation sequence), or in a keycap such as `1 FE0F 20E3` (ED-14c);
 * - U+200D between two emoji characters, the first with its U+FE0F or skin tone if it has one (ED-16, emoji zwj sequence);
 * - the tags of the flags of England, Scotland and Wales (ED-14a, emoji tag sequence). Only those three, the ones
 *   recommended for interchange (RGI): any other well-formed tag sequence could spell out hidden text.
 *
 * Regional-indicator flags (ED-14) consist of visible characters and need no exception.
 */
export function emojiPartAt(text: string, index: number): number {
  const codePoint = text.codePointAt(index);
  const before = codePointBefore(text, index);
  if (before === undefined) return 0;
  const next = text.codePointAt(index + 1);
  if (codePoint === EMOJI_PRESENTATION) {
    const isKeycap = isKeycapBase(before) && next === KEYCAP;
    return isKeycap || isEmojiCharacter(before) ? 1 : 0;
  }
  if (codePoint === JOINER) return endsInEmoji(text, index) && isEmojiCharacter(next) ? 1 : 0;
  if (before !== BLACK_FLAG) return 0;
  return SUBDIVISION_TAGS.find((tags) => text.startsWith(tags, index))?.length ?? 0;
}

const JOINER = 0x200d;
const EMOJI_PRESENTATION = 0xfe0f;
const KEYCAP = 0x20e3;
const BLACK_FLAG = 0x1f3f4;

/** gbeng, gbsct and gbwls in tag characters, each with CANCEL TAG. */
const SUBDIVISION_TAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  String.fromCodePoint(...Array.from(region, (letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f),
);

const PICTOGRAPHIC = /^\p{Extended_Pictographic}$/u;

/** Whether the text before `end` ends in an emoji character, with U+FE0F or a skin tone or without. */
function endsInEmoji(text: string, end: number): boolean {
  const last = codePointBefore(text, end);
  if (last === undefined || isEmojiCharacter(last)) return last !== undefined;
  if (last !== EMOJI_PRESENTATION && !isSkinTone(last)) return false;
  return isEmojiCharacter(codePointBefore(text, end - (last > 0xffff ? 2 : 1)));
}

function isEmojiCharacter(codePoint: number | undefined): boolean {
  return codePoint !== undefined && PICTOGRAPHIC.test(String.fromCodePoint(codePoint));
}

function isSkinTone(codePoint: number): boolean {
  return codePoint >= 0x1f3fb && codePoint <= 0x1f3ff;
}

function isKeycapBase(codePoint: number): boolean {
  return (codePoint >= 0x30 && codePoint <= 0x39) || codePoint === 0x23 || codePoint === 0x2a;
}

function codePointBefore(text: string, end: number): number | undefined {
  const pair = end >= 2 ? text.codePointAt(end - 2) : undefined;
  return pair !== undefined && pair > 0xffff ? pair : text.codePointAt(end - 1);
}
