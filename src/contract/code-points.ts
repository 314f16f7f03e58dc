/** A set of code points: sorted, disjoint, inclusive ranges. */
export type CodePoints = readonly (readonly [first: number, last: number])[];

const LAST_CODE_POINT = 0x10_ff_ff;

/** Sorts the ranges and joins those that touch. */
export function codePoints(ranges: readonly (readonly [number, number])[]): CodePoints {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** Every code point that is not in the set. */
export function complement(set: CodePoints): CodePoints {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST_CODE_POINT) rest.push([next, LAST_CODE_POINT]);
  return rest;
}

/** Whether two sets have a code point in common. */
export function overlaps(a: CodePoints, b: CodePoints): boolean {
  let i = 0;
  let j = 0;
  for (let x = a[i], y = b[j]; x !== undefined && y !== undefined; x = a[i], y = b[j]) {
    if (x[0] <= y[1] && y[0] <= x[1]) return true;
    if (x[1] < y[1]) i++;
    else j++;
  }
  return false;
}

const DIGIT: CodePoints = [[0x30, 0x39]];
// ECMA-262 CharacterClassEscape :: w without the i flag: ASCII letters, digits and the underscore.
const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
// ECMA-262 WhiteSpace and LineTerminator: what \s means there. RE2's own \s knows only five ASCII characters.
const SPACE: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
// ECMA-262 LineTerminator: what `.` leaves out. RE2's `.` leaves out only the line feed.
const LINE_END: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** `.` without the s flag. */
export const ANY_BUT_LINE_END: CodePoints = complement(LINE_END);

/** The classes `\d \D \w \W \s \S`. */
export const CLASS_ESCAPES: ReadonlyMap<string, CodePoints> = new Map([
  ['d', DIGIT],
  ['D', complement(DIGIT)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACE],
  ['S', complement(SPACE)],
]);
