import { LOWER_E, MINUS, PLUS, POINT, ZERO } from './bytes';
import { Text } from './text';

/**
 * Finds where a number ends, for the fast path. Both tell its length, and in the upper bit that a double may not hold it as
 * it is written; 0 is no number, or one that is not over in the window.
 */

export const DOUBTFUL: u32 = 0x8000_0000;

/** So many decimal digits come back unchanged from a double, wherever the point is among them (IEEE 754, DBL_DIG). */
const CERTAIN_DIGITS: u32 = 15;

@final
@unmanaged
export class Num {
  /** `byte` is the first, at `p`: a digit or a minus. */
  @inline
  static read(p: usize, byte: u32): u32 {
    const minus = u32(byte == MINUS);
    const others: u32 = Text.others(v128.load(p)) & ~minus;
    if (others == 0) return readLong(p);
    let length = ctz(others);
    let digits = length - minus;
    // RFC 8259 section 6: a zero in front stands alone.
    if (u32(digits == 0) | (u32(load<u8>(p + minus) == ZERO) & u32(digits > 1))) return 0;
    let after: u32 = load<u8>(p + length);
    if (after == POINT) {
      const behind = others & (others - 1);
      if (behind == 0) return readLong(p);
      const end = ctz(behind);
      if (end == length + 1) return 0;
      digits = end - 1 - minus;
      length = end;
      after = load<u8>(p + length);
    }
    if ((after | 0x20) == LOWER_E) return readLong(p);
    return digits > CERTAIN_DIGITS ? length | DOUBTFUL : length;
  }
}

/** Of any length, and with an exponent. */
function readLong(p: usize): u32 {
  let end = p + <usize>(load<u8>(p) == MINUS);
  let byte: u32 = load<u8>(end);
  let digits = Text.digits(end);
  if (digits == 0 || (byte == ZERO && digits > 1)) return 0;
  end += digits;
  byte = load<u8>(end);
  if (byte == POINT) {
    const fraction = Text.digits(end + 1);
    if (fraction == 0) return 0;
    digits += fraction;
    end += fraction + 1;
    byte = load<u8>(end);
  }
  if ((byte | 0x20) == LOWER_E) {
    byte = load<u8>(end + 1);
    const sign: usize = byte == PLUS || byte == MINUS ? 1 : 0;
    const exponent = Text.digits(end + 1 + sign);
    if (exponent == 0) return 0;
    end += 1 + sign + exponent;
    digits = CERTAIN_DIGITS + 1;
  }
  const length = <u32>(end - p);
  return digits > CERTAIN_DIGITS ? length | DOUBTFUL : length;
}
