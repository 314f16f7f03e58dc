import { normalForm } from './normal-form.js';

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
