import { KEYWORDS } from './keywords.js';
import type { Finding, SchemaRule } from './sound.js';

/** A keyword says nothing about values of another type: `{ required: [id] }` accepts every array, number and text. */
const explicitType: SchemaRule = {
  name: 'type-missing',
  check(site) {
    const own = typeList(site.node.type);
    const types = own ?? site.types;
    const found: Finding[] = [];
    for (const keyword of Object.keys(site.node)) {
      const about = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword]?.about : undefined;
      if (about === undefined) continue;
      if (types === undefined) {
        const message = `${keyword} says something about a value of type ${about}, and every other type passes unseen`;
        // One finding a schema: one added type solves them all.
        return [{ path: [keyword], atKey: true, message, remedy: `add type: ${about}` }];
      }
      if (!types.includes(about) && !(about === 'number' && types.includes('integer'))) {
        const message = `${keyword} says something about a value of type ${about}, which the type does not allow`;
        found.push({ path: [keyword], atKey: true, message, remedy: 'remove it, or correct the type' });
      }
    }
    return found;
  },
};

/** The types that `type` lists; undefined where it stands not. */
export function typeList(type: unknown): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

export const typeRules: readonly SchemaRule[] = [explicitType];
