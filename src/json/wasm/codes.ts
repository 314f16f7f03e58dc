import type { ScanLimits } from '../limits.js';
import type { ScanResult } from '../scan.js';
import type { ScanCode } from '../violation.js';

/** The numbers of src/json/assembly/codes.ts, by position. */
const CODES: readonly (ScanCode | undefined)[] = [
  undefined,
  'PRS_EMPTY',
  'PRS_BOM',
  'PRS_UTF8',
  'PRS_SYNTAX',
  'PRS_CONTROL',
  'PRS_ESCAPE',
  'PRS_TRUNCATED',
  'PRS_TRAILING',
  'PRS_DUPLICATE_NAME',
  'PRS_DUPLICATE_NAME_CASE',
  'PRS_DEPTH',
  'PRS_MEMBERS',
  'PRS_ITEMS',
  'PRS_TOKENS',
  'PRS_NAME_LENGTH',
  'PRS_STRING_LENGTH',
  'PRS_NUMBER_LENGTH',
  'PRS_INTEGER_RANGE',
  'PRS_NUMBER_PRECISION',
  'PRS_SURROGATE',
  'PRS_PROTO_NAME',
];

export const OK = 0;

/** Not a code: nothing was scanned, since the window has bytes beyond ASCII and nobody said whether they are UTF-8. */
export const ASK_UTF8 = 255;

const KINDS: readonly (ScanResult['kind'] | undefined)[] = [
  undefined,
  'object',
  'array',
  'string',
  'number',
  'literal',
];

export function codeOf(number: number): ScanCode {
  const code = CODES[number];
  if (code === undefined) throw new Error(`the scanner has no code ${number}`);
  return code;
}

export function kindOf(number: number): ScanResult['kind'] {
  const kind = KINDS[number];
  if (kind === undefined) throw new Error(`the scanner has no kind ${number}`);
  return kind;
}

/** A sentence of ours on the limit that a code is about. */
export function noteOf(code: ScanCode, limits: ScanLimits): string | undefined {
  switch (code) {
    case 'PRS_DEPTH':
      return `limits.depth is ${limits.depth}`;
    case 'PRS_MEMBERS':
      return `limits.members is ${limits.members}`;
    case 'PRS_ITEMS':
      return `limits.items is ${limits.items}`;
    case 'PRS_TOKENS':
      return `limits.tokens is ${limits.tokens}`;
    case 'PRS_NAME_LENGTH':
      return `limits.name_bytes is ${limits.nameBytes}`;
    case 'PRS_STRING_LENGTH':
      return `limits.string_bytes is ${limits.stringBytes}`;
    case 'PRS_NUMBER_LENGTH':
      return `limits.number_bytes is ${limits.numberBytes}`;
    default:
      return undefined;
  }
}
