/** A class of code points that must not reach an agent inside plain text. */
export interface TextClass {
  /** Short stable name. */
  readonly name: string;
  /** Why it is a danger, and the specification that defines it. */
  readonly why: string;
  /** First and last code point of each range, ascending. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/**
 * Everything that a person does not see, or sees somewhere else than where it is, and a model reads all the same.
 * Together the classes hold every code point of Default_Ignorable_Code_Point (UAX #44, Unicode 16, unassigned ones
 * included). Format characters that are drawn (Arabic and Kaithi number signs, Egyptian joiners) are not in them.
 */
export const TEXT_CLASSES: readonly TextClass[] = [
  {
    name: 'control',
    why: 'C0, DEL and C1 (ISO/IEC 6429): line forging and terminal sequences.',
    ranges: [
      [0x00, 0x1f],
      [0x7f, 0x9f],
    ],
  },
  {
    name: 'line-separator',
    why: 'U+2028 and U+2029 break lines where other readers see none (UAX #14).',
    ranges: [[0x2028, 0x2029]],
  },
  {
    name: 'bidi-control',
    why: 'Reorders what is displayed (UAX #9 section 2, UTS #55 on spoofed source text).',
    ranges: [
      [0x061c, 0x061c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
  },
  {
    name: 'invisible',
    why: 'Zero-width, filler and invisible format characters (Default_Ignorable_Code_Point, UAX #44): hidden text.',
    ranges: [
      [0x00ad, 0x00ad],
      [0x034f, 0x034f],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180f],
      [0x200b, 0x200d],
      [0x2060, 0x2065],
      [0x206a, 0x206f],
      [0x3164, 0x3164],
      [0xfeff, 0xfeff],
      [0xffa0, 0xffa0],
      [0xfff0, 0xfff8],
      [0x1bca0, 0x1bca3],
      [0x1d173, 0x1d17a],
      [0xe0080, 0xe00ff],
      [0xe01f0, 0xe0fff],
    ],
  },
  {
    name: 'annotation',
    why: 'Interlinear annotation and object replacement stand for text that is elsewhere (Unicode chapter 23.8).',
    ranges: [[0xfff9, 0xfffc]],
  },
  {
    name: 'variation-selector',
    why: 'Each carries a byte that is not displayed (Unicode chapter 23.4).',
    ranges: [
      [0xfe00, 0xfe0f],
      [0xe0100, 0xe01ef],
    ],
  },
  {
    name: 'tag',
    why: 'A second, invisible ASCII (Unicode chapter 23.9): the usual way to hide instructions.',
    ranges: [[0xe0000, 0xe007f]],
  },
  {
    name: 'surrogate',
    why: 'Half of a UTF-16 pair is no character (Unicode D71, RFC 8259 section 8.2).',
    ranges: [[0xd800, 0xdfff]],
  },
  {
    name: 'noncharacter',
    why: 'Never assigned, for internal use only (Unicode chapter 23.7).',
    ranges: [
      [0xfdd0, 0xfdef],
      ...Array.from(
        { length: 17 },
        (_, plane) => [plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff] as const,
      ),
    ],
  },
  {
    name: 'private-use',
    why: 'Means what a font or a tokenizer makes of it (Unicode chapter 23.5).',
    ranges: [
      [0xe000, 0xf8ff],
      [0xf0000, 0xffffd],
      [0x100000, 0x10fffd],
    ],
  },
];
