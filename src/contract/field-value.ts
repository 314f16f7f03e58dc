import type { OperatorCode } from '../fault/index.js';
import { firstForbidden } from '../json/index.js';
import type { Scalar } from './contract.js';
import { type Conversion, convert } from './convert.js';

/** Why a value cannot stand in a result. */
export class Refusal {
  readonly code: OperatorCode;
  /** The word of the field that refused, for the schema pointer. */
  readonly word: string | undefined;

  constructor(code: OperatorCode, word?: string) {
    this.code = code;
    this.word = word;
  }
}

/** What a field makes of the value that its source gave; never throws. */
export interface FieldValue {
  make(value: Scalar): Scalar | Refusal;
  /** Types of what it makes, or the values by the text that chooses them; undefined: the value as its source gave it. */
  readonly gives: readonly string[] | ReadonlyMap<string, Scalar> | undefined;
  /** It can carry null; where it cannot, an optional field takes null as absent. */
  readonly takesNull: boolean;
}

const BAD_TEXT = new Refusal('SEL_TEXT');
const BAD_TYPE = new Refusal('SEL_TYPE');

/**
 * The value as it is. Numbers and booleans keep their value; text must be free of what hides from a person, whoever wrote
 * it: that is also what the byte bound of the result rests on (pattern.ts).
 */
export const AS_IS: FieldValue = {
  gives: undefined,
  takesNull: true,
  make: (value) => (typeof value === 'string' && firstForbidden(value, 'plain') >= 0 ? BAD_TEXT : value),
};

/** One of the contract's own values; the value's text chooses. */
export function mapped(map: ReadonlyMap<string, Scalar>): FieldValue {
  const unmapped = new Refusal('SEL_MAP', 'map');
  return {
    gives: map,
    takesNull: true,
    make(value) {
      const made = map.get(String(value));
      return made === undefined ? unmapped : made;
    },
  };
}

/** The contract's text with the value's text in it. */
export function templated(before: string, after: string): FieldValue {
  return {
    gives: ['string'],
    takesNull: false,
    make(value) {
      if (value === null) return BAD_TYPE;
      const text = String(value);
      return firstForbidden(text, 'plain') >= 0 ? BAD_TEXT : before + text + after;
    },
  };
}

export function converted(to: Conversion): FieldValue {
  const inexact = new Refusal('SEL_CONVERT', 'convert');
  return {
    gives: [to === 'integer' ? 'integer' : 'string'],
    takesNull: false,
    make(value) {
      if (value === null) return BAD_TYPE;
      const made = convert(value, to);
      if (made === undefined) return inexact;
      return typeof made === 'string' && firstForbidden(made, 'plain') >= 0 ? BAD_TEXT : made;
    },
  };
}

/** Prose for a person, at most so many code points. */
export function displayed(maxLength: number): FieldValue {
  const tooLong = new Refusal('SEL_TEXT', 'max_length');
  return {
    gives: ['string'],
    takesNull: false,
    make(value) {
      if (typeof value !== 'string') return BAD_TYPE;
      if (longerThan(value, maxLength)) return tooLong;
      return firstForbidden(value, 'display') >= 0 ? BAD_TEXT : value;
    },
  };
}

function longerThan(text: string, codePoints: number): boolean {
  // A code point is one or two UTF-16 units, so that most texts need no counting.
  if (text.length <= codePoints) return false;
  if (text.length > 2 * codePoints) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > codePoints;
}
