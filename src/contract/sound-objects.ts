import { ANNOTATIONS } from './keywords.js';
import { isPrototypeName } from './prototype-names.js';
import type { Finding, SchemaRule, Site } from './sound.js';

/** More make the generated code overflow the stack at some point. */
const MAX_PROPERTIES = 1_000;

const prototypeName: SchemaRule = {
  name: 'prototype-name',
  check({ node }) {
    const found: Finding[] = [];
    const say = (path: readonly string[], name: string, atKey: boolean) => {
      if (!isPrototypeName(name)) return;
      const message = `"${name}" is a name that every JavaScript object answers to, so its absence cannot be told`;
      found.push({ path, atKey, message, remedy: 'leave it out: the answer is refused or it is dropped' });
    };
    for (const keyword of [
      'properties',
      'patternProperties',
      'dependentSchemas',
      'dependentRequired',
      '$defs',
    ]) {
      for (const name of Object.keys(node[keyword] ?? {})) say([keyword, name], name, true);
    }
    const lists: [path: string[], names: unknown][] = [[['required'], node.required]];
    for (const [name, names] of Object.entries(node.dependentRequired ?? {})) {
      lists.push([['dependentRequired', name], names]);
    }
    for (const [path, names] of lists) {
      if (!Array.isArray(names)) continue;
      names.forEach((name, i) => {
        say([...path, String(i)], String(name), false);
      });
    }
    return found;
  },
};

const propertyCount: SchemaRule = {
  name: 'too-many-properties',
  check: ({ node }) =>
    Object.keys(node.properties ?? {}).length <= MAX_PROPERTIES
      ? []
      : [
          {
            path: ['properties'],
            atKey: true,
            message: `there are more than ${MAX_PROPERTIES} properties`,
            remedy: 'name only those that the tool looks at; an open object may have any others',
          },
        ],
};

/** What may stand beside or under `unevaluatedProperties: false`: nothing whose verdict decides what counts as evaluated. */
const PLAIN: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  '$ref',
  'allOf',
  'type',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
]);

/**
 * `unevaluatedProperties: false` over plain objects joined by `allOf` and `$ref` is a closed object with all their
 * properties, and is compiled as one (bundle.ts). With anything conditional in between the validator accepts extra
 * members.
 */
const unevaluated: SchemaRule = {
  name: 'unevaluated-properties',
  check(site) {
    if (site.node.unevaluatedProperties === undefined) return [];
    const path = ['unevaluatedProperties'];
    if (site.node.unevaluatedProperties !== false) {
      return [
        { path, message: 'unevaluatedProperties can only be false', remedy: 'use additionalProperties' },
      ];
    }
    const culprit = notPlain(site);
    if (culprit === undefined) return [];
    const message = `unevaluatedProperties: false stands over "${culprit}", where it would let extra members pass`;
    const remedy = 'use additionalProperties: false in every branch, or only allOf and $ref of plain objects';
    return [{ path, atKey: true, message, remedy }];
  },
};

/** The first keyword in reach that is not plain. */
function notPlain(site: Site): string | undefined {
  const seen = new Set<object>();
  const open: Site[] = [site];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next.node)) continue;
    seen.add(next.node);
    for (const keyword of Object.keys(next.node)) {
      if (next === site && keyword === 'unevaluatedProperties') continue;
      if (!PLAIN.has(keyword)) return keyword;
    }
    open.push(...conjuncts(next));
  }
  return undefined;
}

/** The schemas that have to hold together with this one, on the same value: `allOf` and `$ref`. */
export function conjuncts(site: Site): Site[] {
  const { allOf, $ref } = site.node;
  const found = Array.isArray(allOf) ? allOf.map((_, i) => site.at(['allOf', String(i)])) : [];
  if (typeof $ref === 'string') {
    const target = site.resolve($ref);
    if (typeof target !== 'string') found.push(target);
  }
  return found.filter((other) => other !== undefined);
}

export const objectRules: readonly SchemaRule[] = [prototypeName, propertyCount, unevaluated];
