/**
 * Exact rules over numbers as they are written. Nothing here goes through a rounded double to decide about digits;
 * every function is linear in the length of its text.
 */

/** A number written down exactly: `digits` x 10^`exponent`, negated where `negative`. */
export interface Decimal {
  readonly negative: boolean;
  /** Decimal digits without leading and trailing zeros; empty for zero. */
  readonly digits: string;
  /** An integer, 0 for zero; not exact beyond 2^53 and infinite beyond 1e308, where no double can follow anyway. */
  readonly exponent: number;
}

/** What a double makes of a number: it holds it, rounds an integer, or cannot give the same digits back. */
export type NumberVerdict = 'exact' | 'integer-range' | 'precision';

// 2^53-1. RFC 8259 section 6: integers within +-(2^53-1) are those on which implementations agree.
const LARGEST_SAFE_INTEGER = '9007199254740991';

/** Whether the text is one JSON number and nothing else (RFC 8259 section 6). */
export function isJsonNumber(text: string): boolean {
  return /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
}

/** Writes a JSON number in one normal form: two numbers are equal exactly when these are. */
export function decimalOf(lexeme: string): Decimal {
  const negative = lexeme.startsWith('-');
  const [mantissa = '', power = '0'] = lexeme.slice(negative ? 1 : 0).split(/[eE]/);
  const [integer = '', fraction = ''] = mantissa.split('.');
  const all = integer + fraction;
  let first = 0;
  while (first < all.length && all[first] === '0') first++;
  let last = all.length;
  while (last > first && all[last - 1] === '0') last--;
  if (first === last) return { negative, digits: '', exponent: 0 };
  return {
    negative,
    digits: all.slice(first, last),
    exponent: Number(power) - fraction.length + (all.length - last),
  };
}

/**
 * Whether a double holds a JSON number as it is written.
 *
 * - `integer-range`: its exact value is an integer beyond +-(2^53-1), however it is written: `9007199254740993.0`, `1e300`.
 * - `precision`: it overflows, is not zero but becomes zero, or the shortest text of the double (ECMA-262 Number::toString,
 *   what JSON.stringify writes) has other digits: `0.1000000000000000055511151231257827` is refused, `0.10` is not.
 *
 * Negative zero is exact: `-0` stays as sent in the kept part (JSON.parse gives -0, which equals 0 everywhere it is compared).
 */
export function numberVerdict(lexeme: string): NumberVerdict {
  const double = Number(lexeme);
  // The common case: the double is written just like that, and is no integer that others share.
  if (Math.abs(double) <= Number.MAX_SAFE_INTEGER && String(double) === lexeme) return 'exact';
  const sent = decimalOf(lexeme);
  if (sent.digits === '') return 'exact';
  if (sent.exponent >= 0 && isBeyondSafe(sent)) return 'integer-range';
  if (!Number.isFinite(double) || double === 0) return 'precision';
  const held = decimalOf(String(double));
  return sent.digits === held.digits && sent.exponent === held.exponent ? 'exact' : 'precision';
}

/** For an integer, that is an exponent of 0 or more. */
function isBeyondSafe({ digits, exponent }: Decimal): boolean {
  const length = digits.length + exponent;
  if (length !== LARGEST_SAFE_INTEGER.length) return length > LARGEST_SAFE_INTEGER.length;
  // Of the same length, so that the order of the texts is the order of the numbers.
  return digits.padEnd(length, '0') > LARGEST_SAFE_INTEGER;
}
