import { subschemas } from './keywords.js';
import { describePlace } from './place.js';
import type { SchemaRule, Site } from './sound.js';

const reference: SchemaRule = {
  name: 'reference',
  check(site) {
    const { $ref } = site.node;
    if ($ref === undefined) return [];
    const target = typeof $ref === 'string' ? site.resolve($ref) : 'is not text';
    if (typeof target !== 'string') return [];
    const remedy = 'write "#/$defs/name", or "other.schema.json#/$defs/name" for a file beside the contract';
    return [{ path: ['$ref'], message: `$ref ${target}`, remedy }];
  },
};

/** A schema that leads back to itself without going deeper into the value would be validated for ever. */
const endless: SchemaRule = {
  name: 'endless-reference',
  check(site) {
    if (typeof site.node.$ref !== 'string') return [];
    const start = describePlace(site.place);
    const seen = new Set<string>();
    const open = sameValueSites(site);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const name = describePlace(next.place);
      if (name === start) {
        const remedy = 'refer to it from properties or items, so that every round goes one level deeper';
        return [{ path: ['$ref'], message: '$ref leads back to itself on the same value', remedy }];
      }
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...sameValueSites(next));
    }
    return [];
  },
};

/** The schemas that a schema applies to its own value: through `$ref`, `allOf` and the like. */
function sameValueSites(site: Site): Site[] {
  const found = subschemas(site.node)
    .filter((sub) => sub.sameValue)
    .map((sub) => site.at(sub.path));
  if (typeof site.node.$ref === 'string') {
    const target = site.resolve(site.node.$ref);
    if (typeof target !== 'string') found.push(target);
  }
  return found.filter((target) => target !== undefined);
}

export const referenceRules: readonly SchemaRule[] = [reference, endless];
