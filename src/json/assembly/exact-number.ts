import { Bytes, LOWER_E, MINUS, PLUS, POINT, QUOTE, ZERO } from './bytes';
import { DROP, INTEGER_RANGE, NUMBER_LENGTH, NUMBER_PRECISION } from './codes';
import { refuse } from './fault';
import { isSurelyHeld } from './held';
import { verdict } from './host';
import { Kept } from './kept';
import { KEPT, S } from './state';
import { offsetOf } from './window';

const START: u32 = 0;
const AFTER_MINUS: u32 = 1;
const AFTER_ZERO: u32 = 2;
const INTEGER: u32 = 3;
const AFTER_POINT: u32 = 4;
const FRACTION: u32 = 5;
const AFTER_E: u32 = 6;
const AFTER_SIGN: u32 = 7;
const EXPONENT: u32 = 8;
const NONE: u32 = 9;

const VERDICT_EXACT: u32 = 0;
const VERDICT_INTEGER_RANGE: u32 = 1;

export function openNumber(): void {
  S.numberPart = START;
  S.length = 0;
  if (S.keep == DROP) return;
  if (S.numbersAsStrings != 0) Kept.put(QUOTE);
  S.lexeme = <u32>(S.out - KEPT.base);
}

/** What was read is a number, were it to end here. */
export function isCompleteNumber(): bool {
  const part = S.numberPart;
  return part == AFTER_ZERO || part == INTEGER || part == FRACTION || part == EXPONENT;
}

/** Reads on while bytes continue the number. */
export function readNumber(p: usize, end: usize): usize {
  const limit = S.numberLimit;
  for (; p < end; p++) {
    const byte: u32 = load<u8>(p);
    const next = partAfter(byte);
    if (next == NONE) return p;
    if (S.length >= limit) {
      refuse(NUMBER_LENGTH, offsetOf(p));
      return p;
    }
    S.numberPart = next;
    S.length += 1;
    if (S.keep != DROP) Kept.put(byte);
  }
  return p;
}

// RFC 8259 section 6: number = [ minus ] int [ frac ] [ exp ]; int has no leading zero.
function partAfter(byte: u32): u32 {
  switch (S.numberPart) {
    case START:
      return byte == MINUS ? AFTER_MINUS : integerStart(byte);
    case AFTER_MINUS:
      return integerStart(byte);
    case AFTER_ZERO:
      return byte == POINT ? AFTER_POINT : exponentMark(byte);
    case INTEGER:
      if (Bytes.isDigit(byte)) return INTEGER;
      return byte == POINT ? AFTER_POINT : exponentMark(byte);
    case AFTER_POINT:
      return Bytes.isDigit(byte) ? FRACTION : NONE;
    case FRACTION:
      return Bytes.isDigit(byte) ? FRACTION : exponentMark(byte);
    case AFTER_E:
      return byte == PLUS || byte == MINUS ? AFTER_SIGN : exponentDigit(byte);
    default:
      return exponentDigit(byte);
  }
}

function integerStart(byte: u32): u32 {
  if (byte == ZERO) return AFTER_ZERO;
  return Bytes.isDigit(byte) ? INTEGER : NONE;
}

function exponentMark(byte: u32): u32 {
  return (byte | 0x20) == LOWER_E ? AFTER_E : NONE;
}

function exponentDigit(byte: u32): u32 {
  return Bytes.isDigit(byte) ? EXPONENT : NONE;
}

export function endNumber(): void {
  if (S.keep == DROP) return;
  if (S.numbersAsStrings != 0) {
    Kept.put(QUOTE);
    return;
  }
  const at = KEPT.base + S.lexeme;
  const length = <u32>(S.out - at);
  if (isSurelyHeld(at, length)) return;
  const found = verdict(at, length);
  if (found == VERDICT_EXACT) return;
  refuse(found == VERDICT_INTEGER_RANGE ? INTEGER_RANGE : NUMBER_PRECISION, S.start);
}

/** Whether a double holds the number as it is written. */
export function isHeld(text: usize, length: u32): bool {
  return isSurelyHeld(text, length) || verdict(text, length) == VERDICT_EXACT;
}
