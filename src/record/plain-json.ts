/** What a terminal or a log viewer could act upon or hide: see `printable` of the server's log, for the same reasons. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * One value as JSON on one line, in which every unprintable code point is written `\uXXXX` (RFC 8259 section 7): names in
 * pointers are the upstream's. It parses to the same value; no unit takes more than the six bytes that
 * a control character takes anyway.
 */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Nearly every record is plain ASCII, which is told ten times faster than the classes above are looked for.
  if (/^[\x20-\x7e]*$/.test(json)) return json;
  return json.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, i) => escaped(character.charCodeAt(i))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
