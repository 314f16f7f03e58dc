import type { Problem } from '../fault/index.js';
import type { Projection } from '../json/index.js';
import type { CompiledAlternative } from './alternatives.js';
import type { StatusGroup } from './contract.js';
import { below, problemAt } from './place.js';
import { project } from './project.js';

/**
 * Alternatives of one status of which one has no schema: a body that is not read cannot be told from another one.
 */
export function indistinct(alternatives: readonly CompiledAlternative[]): Problem[] {
  const problems: Problem[] = [];
  for (const [i, one] of alternatives.entries()) {
    for (const other of alternatives.slice(0, i)) {
      if (one.bundle !== undefined && other.bundle !== undefined) continue;
      const shared = [...one.alternative.statuses].filter((status) => other.alternative.statuses.has(status));
      if (shared.length === 0) continue;
      problems.push(
        problemAt(below(one.place, 'status'), {
          rule: 'indistinct-alternatives',
          message: `status ${shared.join(', ')} is also that of responses[${other.alternative.index}], and one of the two has no schema to tell them apart`,
          remedy: 'give both a schema, or merge them',
        }),
      );
    }
  }
  return problems;
}

/** Per status: its alternatives, and all that they look at. */
export function statusGroups(alternatives: readonly CompiledAlternative[]): ReadonlyMap<number, StatusGroup> {
  const groups = new Map<number, StatusGroup>();
  const statuses = new Set(alternatives.flatMap(({ alternative }) => [...alternative.statuses]));
  for (const status of [...statuses].sort((a, b) => a - b)) {
    const here = alternatives.filter(({ alternative }) => alternative.statuses.has(status));
    groups.set(status, {
      alternatives: here.map(({ alternative }) => alternative),
      projection: projectionOf(here),
    });
  }
  return groups;
}

function projectionOf(alternatives: readonly CompiledAlternative[]): Projection {
  const bundles = alternatives.map((one) => one.bundle).filter((one) => one !== undefined);
  return bundles.length === 0
    ? { members: new Map() }
    : project(
        bundles,
        alternatives.flatMap((one) => one.reads),
      );
}

/** The Accept header: literal types before `application/json`, and anything where no body is read. */
export function acceptHeader(alternatives: readonly CompiledAlternative[]): string {
  const types = alternatives
    .filter((one) => one.bundle !== undefined)
    .map((one) => one.alternative.mediaType);
  const literal = [...new Set(types)].filter((type) => type !== 'json').sort();
  const all = types.includes('json') ? [...literal, 'application/json'] : literal;
  return all.length === 0 ? '*/*' : all.join(', ');
}
