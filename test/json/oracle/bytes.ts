/** The bytes that RFC 8259 gives a meaning to, and the classes of bytes the scanner asks for. */

/** What reading past the end of a chunk gives. No byte has this value. */
export const END = -1;

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const UPPER_E = 0x45;
export const LOWER_E = 0x65;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** The byte at an index, or END past the last one. */
export function byteAt(chunk: Uint8Array, index: number): number {
  return chunk[index] ?? END;
}

// RFC 8259 section 2: ws is these four and nothing else.
export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(byte: number): number {
  if (isDigit(byte)) return byte - ZERO;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
