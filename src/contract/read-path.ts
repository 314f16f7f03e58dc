/** Stands for every item of an array in a ReadPath. */
export const ITEM: unique symbol = Symbol('item');

/** A place in the answer that selection, a check or a failure looks at: member names and array items. */
export type ReadPath = readonly (string | typeof ITEM)[];
