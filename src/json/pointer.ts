/** JSON Pointer (RFC 6901): `''` is the whole document, `/a/0` the first item of its member `a`. */

/** The segments of a pointer, unescaped; undefined when the text is not a pointer. */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  // RFC 6901 section 3: every segment starts with `/`, and `~` only ever stands before 0 or 1.
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  // RFC 6901 section 4: ~1 first, then ~0, so that ~01 becomes ~1 and not /.
  return text
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer with these segments. */
export function formatPointer(segments: readonly string[]): string {
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The value that the segments lead to, or undefined when there is none. Only own members and existing items count:
 * nothing is found on a prototype, `length` is no member of an array, and an index is written in the one canonical way.
 */
export function resolvePointer(
  value: unknown,
  segments: readonly string[],
): { readonly value: unknown } | undefined {
  let current = value;
  for (const segment of segments) {
    if (typeof current !== 'object' || current === null) return undefined;
    // RFC 6901 section 4: array-index = "0" or digits without a leading zero; `-` names no existing item.
    if (Array.isArray(current) && !/^(?:0|[1-9][0-9]*)$/.test(segment)) return undefined;
    if (!Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[segment];
  }
  return { value: current };
}
