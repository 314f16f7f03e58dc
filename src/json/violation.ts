import type { OperatorCode } from '../fault/index.js';

/** The codes with which a document is refused; PRS_PATTERN is about text. */
export type ScanCode = Exclude<Extract<OperatorCode, `PRS_${string}`>, 'PRS_PATTERN'>;

/**
 * A broken rule and the byte it is reported at. The scanner adds line, column and pointer and makes a Fault of it.
 *
 * A document may break several rules; the one reported is the one decided at the earliest byte. At one byte the order
 * is: its limit, then its grammar, except that the first byte of a value or name is first looked at for grammar. The
 * first byte of a value is checked for: grammar, items, tokens, depth; the opening quote of a name for: members,
 * tokens; the closing quote of a name for: duplicate, duplicate by case, `__proto__`, surrogate.
 *
 * | code | offset | pointer |
 * |---|---|---|
 * | PRS_EMPTY | length of the body | the document |
 * | PRS_BOM | 0 | the document |
 * | PRS_UTF8 | first byte of the broken sequence | see below |
 * | PRS_SYNTAX | the byte that no longer fits; a character's first byte | see below |
 * | PRS_CONTROL | the control character | see below |
 * | PRS_ESCAPE | the byte that no longer fits after the backslash | see below |
 * | PRS_TRUNCATED | length of the body | see below |
 * | PRS_TRAILING | first byte after the document that is not blank | the document |
 * | PRS_DUPLICATE_NAME, PRS_DUPLICATE_NAME_CASE | opening quote of the second name | that member |
 * | PRS_DEPTH | the bracket or brace that goes too deep | that array or object |
 * | PRS_MEMBERS | opening quote of the first name too many | the object |
 * | PRS_ITEMS | first byte of the first item too many | that item |
 * | PRS_TOKENS | first byte of the first value or name too many | see below |
 * | PRS_NAME_LENGTH, PRS_STRING_LENGTH, PRS_NUMBER_LENGTH | first byte over the limit | see below |
 * | PRS_INTEGER_RANGE, PRS_NUMBER_PRECISION | first byte of the number | the number |
 * | PRS_SURROGATE | opening quote of the string or name | the string, or the name's member |
 * | PRS_PROTO_NAME | opening quote of the name | that member |
 *
 * See below: the pointer leads to the value that is being read or is due (an item after `[` or `,`, a member's value
 * after its name); between values, and inside a name that is not complete, to the array or object around.
 *
 * A body that ends inside a string, escapes and UTF-8 sequences included, is PRS_TRUNCATED; one that ends inside a
 * UTF-8 sequence where no string is, is PRS_UTF8, since nothing that could follow would make it right.
 */
export interface Violation {
  readonly code: ScanCode;
  /** Byte offset in the body, from 0. */
  readonly offset: number;
  /** A sentence of ours: which limit it was. */
  readonly note?: string;
}
