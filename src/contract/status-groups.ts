import type { Problem } from '../fault/index.js';
import { KEEP, type Projection } from '../json/index.js';
import { matchesMediaType } from '../upstream/index.js';
import type { CompiledAlternative } from './alternatives.js';
import type { Alternative, LinesProjection, StatusGroup } from './contract.js';
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

/** Alternatives for the same status and media type that read the body in different ways: nothing chooses between them. */
export function readTwoWays(alternatives: readonly CompiledAlternative[]): Problem[] {
  const problems: Problem[] = [];
  for (const [i, one] of alternatives.entries()) {
    for (const other of alternatives.slice(0, i)) {
      const [a, b] = [one.alternative, other.alternative];
      if (a.body === 'none' || b.body === 'none' || !meetInType(a, b)) continue;
      if (a.body === b.body && a.maxLines === b.maxLines) continue;
      if (![...a.statuses].some((status) => b.statuses.has(status))) continue;
      problems.push(
        problemAt(one.place, {
          rule: 'mixed-parse',
          message: `responses[${b.index}] has the same status and media type, and reads the body in another way`,
          remedy: 'give both the same parse, or another media_type to one of them',
          atKey: true,
        }),
      );
    }
  }
  return problems;
}

function meetInType(a: Alternative, b: Alternative): boolean {
  return (
    a.mediaType === b.mediaType ||
    (a.mediaType === 'json' && matchesMediaType('json', b.mediaType)) ||
    (b.mediaType === 'json' && matchesMediaType('json', a.mediaType))
  );
}

/** Per status: its alternatives, and all that they look at. */
export function statusGroups(alternatives: readonly CompiledAlternative[]): ReadonlyMap<number, StatusGroup> {
  const groups = new Map<number, StatusGroup>();
  const statuses = new Set(alternatives.flatMap(({ alternative }) => [...alternative.statuses]));
  for (const status of [...statuses].sort((a, b) => a - b)) {
    const here = alternatives.filter(({ alternative }) => alternative.statuses.has(status));
    const lines = here.filter(({ alternative }) => alternative.body === 'ndjson');
    groups.set(status, {
      alternatives: here.map(({ alternative }) => alternative),
      projection: projectionOf(here.filter(({ alternative }) => alternative.body === 'json')),
      ...(lines.length === 0 ? {} : { lines: linesProjection(projectionOf(lines)) }),
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

/** What is kept of the array of lines, as what is kept of one. */
function linesProjection(array: Projection): LinesProjection {
  if (array === KEEP) return { line: KEEP, keepsLines: true };
  return { line: array.items ?? { members: new Map() }, keepsLines: array.items !== undefined };
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
