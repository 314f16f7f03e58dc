import { Bytes, LOWER_E, MINUS, PLUS, POINT, ZERO } from './bytes';

/**
 * Whether a double holds a number as it is written: src/json/number.ts has the rule. Here the common cases are decided,
 * exactly, and the others left to the host.
 */

/** So many decimal digits come back unchanged from a double (IEEE 754: DBL_DIG), if it is neither huge nor tiny. */
const CERTAIN_DIGITS: u32 = 15;
/** So many are ever needed for a double. */
const MOST_DIGITS: u32 = 17;
/** Far inside of what a double reaches: 10^-308 to 10^308. */
const CERTAIN_POWER: i32 = 280;
const LARGEST_SAFE_INTEGER: u64 = 9007199254740991;
/** 10^18 is the largest power with which the differences below fit into 63 bits. */
const MOST_FRACTION_DIGITS: u32 = 18;

/** True where it surely does; false is for the host to decide. `text` is a JSON number. */
export function isSurelyHeld(text: usize, length: u32): bool {
  const end = text + length;
  let p = text + <usize>(load<u8>(text) == MINUS);
  // Digits without leading zeros, and those of them behind the point.
  let value: u64 = 0;
  let digits: u32 = 0;
  let fraction: u32 = 0;
  let behindPoint: u32 = 0;
  let byte: u32 = 0;
  for (; p < end; p++) {
    byte = load<u8>(p);
    if (byte == POINT) {
      behindPoint = 1;
      continue;
    }
    if (!Bytes.isDigit(byte)) break;
    fraction += behindPoint;
    if (digits == MOST_DIGITS) {
      // Zeros at the end of a fraction change nothing; nothing else may come.
      if (byte != ZERO || behindPoint == 0) return false;
      fraction--;
      continue;
    }
    value = value * 10 + (byte - ZERO);
    digits += u32(value != 0);
  }
  if (p < end) return isShortPower(p, end, digits, fraction);
  while (behindPoint != 0 && fraction > 0 && value % 10 == 0) {
    value /= 10;
    fraction--;
    digits--;
  }
  if (value == 0) return true;
  if (fraction == 0) return value <= LARGEST_SAFE_INTEGER;
  if (digits <= CERTAIN_DIGITS) return fraction < <u32>CERTAIN_POWER;
  return fraction <= MOST_FRACTION_DIGITS && isShortest(value, fraction);
}

/** With an exponent, from its `e` on. */
function isShortPower(p: usize, end: usize, digits: u32, fraction: u32): bool {
  if ((load<u8>(p) | 0x20) != LOWER_E || digits > CERTAIN_DIGITS || end - p > 5) return false;
  p++;
  let byte: u32 = load<u8>(p);
  const isNegative = byte == MINUS;
  if (isNegative || byte == PLUS) p++;
  let power: i32 = 0;
  for (; p < end; p++) {
    byte = load<u8>(p);
    power = power * 10 + <i32>(byte - ZERO);
  }
  if (isNegative) power = -power;
  power -= <i32>fraction;
  // A power of 0 and more makes an integer of it, which may be too large.
  return power < 0 ? power > -CERTAIN_POWER : <i32>digits + power <= <i32>CERTAIN_DIGITS;
}

/**
 * Whether `value` / 10^`fraction` is what the nearest double is written as: no shorter decimal lies nearer to that double
 * than to its neighbours, and none of this length nearer to it. `value` has 16 or 17 digits, the last one not zero.
 *
 * With the double as m / 2^s, distances are counted in units of 1 / (2^s 10^fraction): from one double to the next it is
 * 10^fraction, from one decimal of this length to the next 2^s, and to the double itself value 2^s - m 10^fraction. That
 * is below 2^63, so that it comes out right although its two sides are cut to 64 bits.
 */
function isShortest(value: u64, fraction: u32): bool {
  let step: u64 = 1;
  for (let i: u32 = 0; i < fraction; i++) step *= 10;
  // Within one step of the nearest double, since each of the two roundings is within half a step.
  const bits = reinterpret<u64>(<f64>value / <f64>step);
  let m = (bits & 0xf_ffff_ffff_ffff) | 0x10_0000_0000_0000;
  const s = 1075 - <i32>(bits >> 52);
  if (s < 0 || s > 63) return false;
  let distance = <i64>((value << s) - m * step);
  if (distance * 2 > <i64>step) {
    distance -= <i64>step;
    m++;
  } else if (distance * 2 < -(<i64>step)) {
    distance += <i64>step;
    m--;
  }
  const half = abs(distance) * 2;
  // Next to a power of two the steps differ; at half a step the rule for ties decides.
  if (m <= 0x10_0000_0000_0000 || m >= 0x20_0000_0000_0000 || half >= <i64>step) return false;
  // Decimals so far apart that no other can be as near.
  if (s >= 60) return true;
  const apart: i64 = 1 << s;
  if (half >= apart) return false;
  const below = distance - <i64>(value % 10) * apart;
  const above = below + 10 * apart;
  return -below > <i64>(step >> 1) && above > <i64>(step >> 1);
}
