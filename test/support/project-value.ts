import { KEEP, type Projection } from '../../src/json/index.js';

/** What a projection keeps of a value: the meaning of Projection, written for obviousness and not for speed. */
export function projectValue(projection: Projection, value: unknown): unknown {
  if (projection === KEEP || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = projection;
    return items === undefined ? [] : value.map((item) => projectValue(items, item));
  }
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const below = projection.members.get(name);
    if (below !== undefined) kept[name] = projectValue(below, member);
  }
  return kept;
}
