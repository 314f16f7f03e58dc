import type { Bundle } from './bundle.js';
import { conjunction } from './conjunction.js';
import type { SchemaNode } from './keywords.js';
import { typeList } from './sound-types.js';

/** The one type that schemas of the same value allow, by `type` or by the values they list; undefined where there are more or none. */
export function singleType(bundled: Bundle, ...schemas: readonly SchemaNode[]): string | undefined {
  const { nodes } = conjunction(bundled, schemas);
  const found = new Set<string>();
  for (const node of nodes) for (const type of typeList(node.type) ?? []) found.add(type);
  if (found.size === 0) {
    for (const node of nodes) {
      const values = Array.isArray(node.enum) ? node.enum : Object.hasOwn(node, 'const') ? [node.const] : [];
      for (const value of values) found.add(Number.isSafeInteger(value) ? 'integer' : typeof value);
    }
  }
  const [type] = found;
  return found.size === 1 ? type : undefined;
}

/** Types whose values a text can be read as. */
export type TextType = 'string' | 'integer' | 'number' | 'boolean';

export function isTextType(type: string | undefined): type is TextType {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}
