/**
 * One text for all documents that say the same: JSON without white space, keys in the order of their UTF-16 units.
 * Secrets stand in a configuration by name only, and so in its normal form.
 */
export function normalForm(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(normalForm).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${normalForm(item)}`);
  return `{${members.join(',')}}`;
}
