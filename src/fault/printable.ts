/**
 * Control characters, format characters (bidirectional overrides, zero-width, tags), surrogates without a partner,
 * private-use and unassigned code points, line and paragraph separators: what a terminal or a log viewer could
 * act upon or hide.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Text that someone else wrote, made safe to show: every unprintable code point becomes `\u{hex}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `printable`, and at most `max` UTF-16 units of the text, with `...` where it was cut. */
export function printableExcerpt(text: string, max: number): string {
  return text.length <= max ? printable(text) : `${printable(text.slice(0, max))}...`;
}
