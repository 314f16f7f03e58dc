/** No value is there. */
export const ABSENT: unique symbol = Symbol('absent');
/** The way to the value leads through something that has no members. */
export const NO_WAY: unique symbol = Symbol('no way');

/**
 * The value that the segments of a JSON Pointer lead to. A missing member, a missing item and everything below `null` are
 * ABSENT; a name in an array, or anything below a string, number or boolean is NO_WAY: the answer has another shape than
 * the one the pointer was written for.
 */
export function follow(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const segment of path) {
    if (current === null) return ABSENT;
    if (typeof current !== 'object') return NO_WAY;
    // RFC 6901 section 4: array-index = "0" or digits without a leading zero.
    if (Array.isArray(current) && !/^(?:0|[1-9][0-9]*)$/.test(segment)) return NO_WAY;
    if (!Object.hasOwn(current, segment)) return ABSENT;
    current = (current as Readonly<Record<string, unknown>>)[segment];
  }
  return current;
}
