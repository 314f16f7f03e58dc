/**
 * Numbers that the host knows too: src/json/wasm/codes.ts has the same lists in the same order.
 */

export const OK: u32 = 0;
export const EMPTY: u32 = 1;
export const BOM: u32 = 2;
export const UTF8: u32 = 3;
export const SYNTAX: u32 = 4;
export const CONTROL: u32 = 5;
export const ESCAPE: u32 = 6;
export const TRUNCATED: u32 = 7;
export const TRAILING: u32 = 8;
export const DUPLICATE_NAME: u32 = 9;
export const DUPLICATE_NAME_CASE: u32 = 10;
export const DEPTH: u32 = 11;
export const MEMBERS: u32 = 12;
export const ITEMS: u32 = 13;
export const TOKENS: u32 = 14;
export const NAME_LENGTH: u32 = 15;
export const STRING_LENGTH: u32 = 16;
export const NUMBER_LENGTH: u32 = 17;
export const INTEGER_RANGE: u32 = 18;
export const NUMBER_PRECISION: u32 = 19;
export const SURROGATE: u32 = 20;
export const PROTO_NAME: u32 = 21;
/** No code: the window has bytes beyond ASCII, and the host has to say whether they are UTF-8. */
export const ASK_UTF8: u32 = 255;

/** Kinds of documents. */
export const KIND_NONE: u32 = 0;
export const KIND_OBJECT: u32 = 1;
export const KIND_ARRAY: u32 = 2;
export const KIND_STRING: u32 = 3;
export const KIND_NUMBER: u32 = 4;
export const KIND_LITERAL: u32 = 5;

/** How a value is kept; any other number is the place of a node in the plan. */
export const DROP: u32 = 0;
export const KEEP: u32 = 1;
