import { emojiPartAt } from './emoji.js';
import { TEXT_CLASSES } from './text-classes.js';

/**
 * - `plain`: a value. None of TEXT_CLASSES, line breaks and tabs included.
 * - `display`: prose for a person. Besides, line feed, carriage return before line feed, tab, and the invisible parts
 *   of emoji (emojiPartAt).
 */
export type TextMode = 'plain' | 'display';

/** Every range of every class, ascending; they do not overlap. */
const RANGES = TEXT_CLASSES.flatMap(({ ranges }) => ranges).sort((a, b) => a[0] - b[0]);

/**
 * The UTF-16 index of the first code point that must not reach an agent, or -1. One pass, linear.
 *
 * What is left in `display` is a choice per emoji of carrying U+FE0F or not, and of being joined or not.
 */
export function firstForbidden(text: string, mode: TextMode): number {
  let index = 0;
  while (index < text.length) {
    const codePoint = text.codePointAt(index) ?? 0;
    let units = codePoint > 0xffff ? 2 : 1;
    if (isForbidden(codePoint)) {
      units = mode === 'display' ? layoutOrEmojiAt(text, index) : 0;
      if (units === 0) return index;
    }
    index += units;
  }
  return -1;
}

function layoutOrEmojiAt(text: string, index: number): number {
  return isLayout(text, index) ? 1 : emojiPartAt(text, index);
}

function isLayout(text: string, index: number): boolean {
  const unit = text[index];
  // A carriage return on its own lets a terminal write over what it has written.
  return unit === '\n' || unit === '\t' || (unit === '\r' && text[index + 1] === '\n');
}

function isForbidden(codePoint: number): boolean {
  if (codePoint >= 0x20 && codePoint < 0x7f) return false;
  let low = 0;
  let high = RANGES.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = RANGES[middle] ?? [0, 0];
    if (codePoint < first) high = middle - 1;
    else if (codePoint > last) low = middle + 1;
    else return true;
  }
  return false;
}
