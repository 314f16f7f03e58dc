import type { Ajv2020 } from 'ajv/dist/2020.js';
import { normalForm } from './normal-form.js';

/**
 * `uniqueItems` (JSON Schema Validation section 6.4.3) in linear time. The validator's own looks items up in an object,
 * where two strings `__proto__` pass as different, and compares objects pairwise, by their member `toString` where they
 * have one: that throws.
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

/** Puts it in the place of a validator's own. */
export function judgeUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || allUnique(items),
  });
}
