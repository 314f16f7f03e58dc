/** The bytes that RFC 8259 gives a meaning to, tables of their classes, and loads by class. */

export const LF: u32 = 0x0a;
export const SPACE: u32 = 0x20;
export const QUOTE: u32 = 0x22;
export const PLUS: u32 = 0x2b;
export const COMMA: u32 = 0x2c;
export const MINUS: u32 = 0x2d;
export const POINT: u32 = 0x2e;
export const ZERO: u32 = 0x30;
export const COLON: u32 = 0x3a;
export const OPEN_BRACKET: u32 = 0x5b;
export const BACKSLASH: u32 = 0x5c;
export const CLOSE_BRACKET: u32 = 0x5d;
export const LOWER_E: u32 = 0x65;
export const LOWER_F: u32 = 0x66;
export const LOWER_N: u32 = 0x6e;
export const LOWER_T: u32 = 0x74;
export const LOWER_U: u32 = 0x75;
export const OPEN_BRACE: u32 = 0x7b;
export const CLOSE_BRACE: u32 = 0x7d;

/** RFC 8259 section 2: ws is these four and nothing else. */
export const IS_BLANK: u32 = 1;
/** RFC 8259 section 7: what may follow a backslash, `u` apart. */
export const IS_SHORT_ESCAPE: u32 = 2;
/** What may follow a number inside an array or object. */
export const IS_AFTER_NUMBER: u32 = 4;

const CLASSES: usize = memory.data(256, 16);
const HEX: usize = memory.data(256, 16);
/** What a short escape stands for. */
const MEANINGS: usize = memory.data(256, 16);
/** 16 bytes of ones, then 16 of zeros: loaded at 16-n, the first n bytes are ones. */
const ONES: usize = memory.data<u8>(
  [
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0,
  ],
  16,
);

@final
@unmanaged
export class Bytes {
  @inline
  static hasClass(byte: u32, classes: u32): bool {
    return (load<u8>(CLASSES + byte) & classes) != 0;
  }

  @inline
  static isBlank(byte: u32): bool {
    return byte == SPACE || byte == LF || byte == 0x0d || byte == 0x09;
  }

  @inline
  static isDigit(byte: u32): bool {
    return byte - ZERO < 10;
  }

  /** The value of a hexadecimal digit, or 0xff. */
  @inline
  static hexValue(byte: u32): u32 {
    return load<u8>(HEX + byte);
  }

  @inline
  static meaning(letter: u32): u32 {
    return load<u8>(MEANINGS + letter);
  }

  /** A vector whose first `count` (0 to 16) bytes are ones and the others zeros. */
  @inline
  static firstOnes(count: u32): v128 {
    return v128.load(ONES + 16 - count);
  }
}

function setMeaning(letter: u32, byte: u32): void {
  store<u8>(MEANINGS + letter, <u8>byte);
  store<u8>(CLASSES + letter, <u8>IS_SHORT_ESCAPE);
}

export function initBytes(): void {
  setMeaning(QUOTE, QUOTE);
  setMeaning(BACKSLASH, BACKSLASH);
  setMeaning(0x2f, 0x2f);
  setMeaning(0x62, 0x08);
  setMeaning(LOWER_F, 0x0c);
  setMeaning(LOWER_N, LF);
  setMeaning(0x72, 0x0d);
  setMeaning(LOWER_T, 0x09);
  const blank = <u8>(IS_BLANK | IS_AFTER_NUMBER);
  store<u8>(CLASSES + 0x09, blank);
  store<u8>(CLASSES + LF, blank);
  store<u8>(CLASSES + 0x0d, blank);
  store<u8>(CLASSES + SPACE, blank);
  store<u8>(CLASSES + COMMA, <u8>IS_AFTER_NUMBER);
  store<u8>(CLASSES + CLOSE_BRACKET, <u8>IS_AFTER_NUMBER);
  store<u8>(CLASSES + CLOSE_BRACE, <u8>IS_AFTER_NUMBER);

  memory.fill(HEX, 0xff, 256);
  for (let i: u32 = 0; i < 10; i++) store<u8>(HEX + ZERO + i, <u8>i);
  for (let i: u32 = 0; i < 6; i++) {
    store<u8>(HEX + 0x41 + i, <u8>(10 + i));
    store<u8>(HEX + 0x61 + i, <u8>(10 + i));
  }
}

/** Whether `length` bytes are equal. Up to 15 bytes behind each are read and not looked at. */
export function equalBytes(a: usize, b: usize, length: u32): bool {
  let i: u32 = 0;
  for (; i + 16 <= length; i += 16) {
    if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  }
  const rest = v128.xor(v128.load(a + i), v128.load(b + i));
  return !v128.any_true(v128.and(rest, Bytes.firstOnes(length - i)));
}
