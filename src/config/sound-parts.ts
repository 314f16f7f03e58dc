import type { Problem } from '../fault/index.js';
import { parsePointer } from '../json/index.js';

/**
 * A copy of a document without the values that problems point at, so that the rest of it can be looked at: what is
 * wrong in one place does not hide what is wrong in another. Items of lists keep their index.
 */
export function soundParts(value: unknown, problems: readonly Problem[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const problem of problems) {
    // A key that is missing, or one of several, leaves what stands around it readable.
    if (problem.rule === 'missing-key' || problem.rule === 'one-of-keys') continue;
    const path = parsePointer(problem.pointer) ?? [];
    const last = path.pop();
    if (last === undefined) {
      if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) return {};
      continue;
    }
    let parent: unknown = copy;
    for (const key of path) {
      parent =
        typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
          ? (parent as Record<string, unknown>)[key]
          : undefined;
    }
    if (Array.isArray(parent)) parent[Number(last)] = undefined;
    else if (typeof parent === 'object' && parent !== null) delete (parent as Record<string, unknown>)[last];
  }
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : {};
}
