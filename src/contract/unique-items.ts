/**
 * `uniqueItems` (JSON Schema Validation section 6.4.3) in linear time. The validator's own looks items up in an object,
 * where two strings `__proto__` pass as different, and compares objects pairwise.
 */
export function allUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = normalForm(item);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** JSON text that is the same for equal values: members in order of name; -0 is 0. */
export function normalForm(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(normalForm).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${normalForm(member)}`).join(',')}}`;
}
