import type { Scalar } from './contract.js';
import type { FromDefinition } from './definition.js';

export type Conversion = NonNullable<FromDefinition['convert']>;

// RFC 3339 section 5.6: date-fullyear has four digits, so these are the first and the last second that can be written.
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/**
 * The value as the contract wants it, or undefined where it cannot be had exactly.
 *
 * - `integer`: a whole number, or text that is one in JSON's spelling, within +-(2^53-1)
 * - `string`: the digits of a number, `true` or `false`; text as it is
 * - `epoch_s`, `epoch_ms`: whole seconds or milliseconds since 1970 (number or text) as RFC 3339 in UTC; milliseconds
 *   are written only where they are not zero
 */
export function convert(value: Scalar, to: Conversion): Scalar | undefined {
  if (value === null) return undefined;
  switch (to) {
    case 'string':
      return String(value);
    case 'integer':
      return wholeNumber(value);
    case 'epoch_s': {
      const seconds = wholeNumber(value);
      return seconds === undefined ? undefined : timestamp(seconds, 0);
    }
    case 'epoch_ms': {
      const milliseconds = wholeNumber(value);
      if (milliseconds === undefined) return undefined;
      const seconds = Math.floor(milliseconds / 1_000);
      return timestamp(seconds, milliseconds - seconds * 1_000);
    }
  }
}

function wholeNumber(value: string | number | boolean): number | undefined {
  if (typeof value === 'boolean') return undefined;
  // "-0" is no whole number that could be written back.
  if (typeof value === 'string' && !/^(?:0|-?[1-9][0-9]*)$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function timestamp(seconds: number, milliseconds: number): string | undefined {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return undefined;
  const text = new Date(seconds * 1_000 + milliseconds).toISOString();
  return milliseconds === 0 ? text.replace('.000Z', 'Z') : text;
}
