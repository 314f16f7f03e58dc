import type { Problem } from '../fault/index.js';
import { type Bundle, isNothing } from './bundle.js';
import {
  allowedTypes,
  type Choice,
  conjunction,
  itemSchemas,
  memberSchemas,
  requiredNames,
} from './conjunction.js';
import { isNode, type SchemaNode } from './keywords.js';
import { inContract, problemAt, type Trouble } from './place.js';
import { scalarBytes } from './scalar-bound.js';
import { typeList } from './sound-types.js';

export type Bound = { readonly maxBytes: number } | { readonly problems: readonly Problem[] };

/** Combinations of schemas that are looked at before the proof is given up. */
const MAX_STEPS = 5_000;

/**
 * Proves that a result schema is closed and bounded, and computes the size of the largest `data` it allows: bytes of
 * UTF-8 as JSON.stringify writes it. Every object must list its members and require at least one, every array limit
 * and describe its items, every scalar be bounded (scalar-bound.ts); a recursive schema has no bound.
 *
 * Where several schemas apply to one value each of them bounds it, and the proof may use any. Of `anyOf` and `oneOf` every
 * branch must be bounded, together with what stands around it. `if`, `not` and the like only narrow, and are not needed.
 */
export function resultBound(bundle: Bundle): Bound {
  return new BoundProof(bundle).value([bundle.root], new Set(), new Set());
}

class BoundProof {
  readonly #bundle: Bundle;
  readonly #ids = new Map<SchemaNode, number>();
  #steps = 0;

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  /**
   * @param around keys of the schemas that apply to the values around this one
   * @param chosen choices of which a branch is among `schemas`
   */
  value(schemas: readonly SchemaNode[], around: ReadonlySet<string>, chosen: ReadonlySet<SchemaNode>): Bound {
    const { nodes, choices } = conjunction(this.#bundle, schemas);
    const [first = this.#bundle.root] = schemas;
    if (++this.#steps > MAX_STEPS) {
      return this.#problem(first, undefined, {
        rule: 'result-too-complex',
        message: 'the result schema has too many combinations to prove its bound',
        remedy: 'use fewer anyOf and oneOf inside one another',
      });
    }
    // There are finitely many sets of schemas, so that a value without end meets one of them again inside itself.
    const key = this.#key(nodes);
    if (around.has(key)) {
      return this.#problem(first, undefined, {
        rule: 'recursive-result',
        message: 'the result schema contains itself, so it has no largest value',
        remedy: 'write the levels out, as many as the agent needs',
      });
    }
    const direct = this.#direct(first, nodes, new Set([...around, key]));
    if ('maxBytes' in direct) return direct;
    const open = choices.filter((choice) => !chosen.has(optionsKey(choice)));
    const tried = open.map((choice) => this.#choice(choice, [...nodes], around, chosen));
    return tried.find((bound) => 'maxBytes' in bound) ?? tried[0] ?? direct;
  }

  #choice(
    choice: Choice,
    nodes: readonly SchemaNode[],
    around: ReadonlySet<string>,
    chosen: ReadonlySet<SchemaNode>,
  ): Bound {
    const now = new Set([...chosen, optionsKey(choice)]);
    return largest(choice.options.map((option) => this.value([option, ...nodes], around, now)));
  }

  #direct(first: SchemaNode, nodes: ReadonlySet<SchemaNode>, around: ReadonlySet<string>): Bound {
    if ([...nodes].some(isNothing)) return { maxBytes: 0 };
    const literals = [...nodes].map(literalBytes).filter((bytes) => bytes !== undefined);
    if (literals.length > 0) return { maxBytes: Math.min(...literals) };
    const types = allowedTypes(nodes);
    if (types === undefined) {
      return this.#problem(first, undefined, {
        rule: 'any-type',
        message: 'the value can be of any type',
        remedy: 'add type, const or enum',
      });
    }
    return largest(
      [...types].map((type): Bound => {
        if (type === 'object') return this.#object(first, nodes, around);
        if (type === 'array') return this.#array(first, nodes, around);
        const bytes = scalarBytes(type, nodes);
        return typeof bytes === 'number' ? { maxBytes: bytes } : this.#problem(first, undefined, bytes);
      }),
    );
  }

  #object(first: SchemaNode, nodes: ReadonlySet<SchemaNode>, around: ReadonlySet<string>): Bound {
    for (const node of nodes) {
      const keyword = freeFormKeyword(node);
      if (keyword === undefined) continue;
      return this.#problem(node, keyword, {
        rule: 'free-form-map',
        atKey: true,
        message: `${keyword} lets upstream choose names of members`,
        remedy: 'list the members in properties, or select an array of {name, value}',
      });
    }
    const closed = [...nodes].filter((node) => node.additionalProperties === false);
    if (closed.length === 0) {
      return this.#problem(typed(nodes, 'object') ?? first, undefined, {
        rule: 'open-object',
        message: 'the object can have members that nobody named',
        remedy: 'add additionalProperties: false',
      });
    }
    if (requiredNames(nodes).size === 0) {
      return this.#problem(closed[0] ?? first, undefined, {
        rule: 'nothing-required',
        message: 'the object requires nothing, so that {} passes',
        remedy: 'list in required what the agent can rely on',
      });
    }
    const names = closed
      .map((node) => Object.keys(isNode(node.properties) ? node.properties : {}))
      .reduce((all, own) => all.filter((name) => own.includes(name)));
    const members = names.map((name): Bound => {
      const bound = this.value(memberSchemas(nodes, name), around, new Set());
      if (!('maxBytes' in bound) || bound.maxBytes === 0) return bound;
      return { maxBytes: jsonBytes(name) + 1 + bound.maxBytes };
    });
    return list(members);
  }

  #array(first: SchemaNode, nodes: ReadonlySet<SchemaNode>, around: ReadonlySet<string>): Bound {
    const at = typed(nodes, 'array') ?? first;
    const prefixes = [...nodes].map((node) => (Array.isArray(node.prefixItems) ? node.prefixItems : []));
    const prefix = Math.max(0, ...prefixes.map((items) => items.length));
    const limits = [...nodes].map((node) => node.maxItems).filter((limit) => typeof limit === 'number');
    for (const node of nodes) {
      if (!isNode(node.items) || !isNothing(node.items)) continue;
      limits.push(Array.isArray(node.prefixItems) ? node.prefixItems.length : 0);
    }
    if (limits.length === 0) {
      return this.#problem(at, undefined, {
        rule: 'unbounded-array',
        message: 'the array can have any number of items',
        remedy: 'add maxItems',
      });
    }
    const count = Math.min(...limits);
    const bounds: Bound[] = [];
    for (let i = 0; i < Math.min(prefix, count); i++) {
      bounds.push(this.#item(at, itemSchemas(nodes, i), around));
    }
    if (count > prefix) {
      const rest = this.#item(at, itemSchemas(nodes, prefix), around);
      bounds.push('maxBytes' in rest ? { maxBytes: (count - prefix) * (rest.maxBytes + 1) - 1 } : rest);
    }
    return list(bounds);
  }

  #item(at: SchemaNode, schemas: readonly SchemaNode[], around: ReadonlySet<string>): Bound {
    if (schemas.length > 0) return this.value(schemas, around, new Set());
    return this.#problem(at, undefined, {
      rule: 'any-item',
      message: 'the items of the array can be anything',
      remedy: 'describe them in items',
    });
  }

  #key(nodes: Iterable<SchemaNode>): string {
    const ids = [...nodes].map((node) => {
      const id = this.#ids.get(node) ?? this.#ids.size;
      this.#ids.set(node, id);
      return id;
    });
    return ids.sort((a, b) => a - b).join(' ');
  }

  #problem(node: SchemaNode, keyword: string | undefined, trouble: Trouble): Bound {
    const place = this.#bundle.placeOf(node, keyword) ?? inContract('result');
    return { problems: [problemAt(place, trouble)] };
  }
}

/** The largest of alternatives, or all that is wrong with them. */
function largest(bounds: readonly Bound[]): Bound {
  const problems = bounds.flatMap((bound) => ('problems' in bound ? bound.problems : []));
  if (problems.length > 0) return { problems: distinct(problems) };
  return { maxBytes: Math.max(0, ...bounds.map((bound) => ('maxBytes' in bound ? bound.maxBytes : 0))) };
}

/** Brackets around parts with commas between, or all that is wrong with the parts. */
function list(parts: readonly Bound[]): Bound {
  const problems = parts.flatMap((part) => ('problems' in part ? part.problems : []));
  if (problems.length > 0) return { problems: distinct(problems) };
  const sizes = parts.map((part) => ('maxBytes' in part ? part.maxBytes : 0)).filter((bytes) => bytes > 0);
  return { maxBytes: 2 + sizes.reduce((sum, bytes) => sum + bytes, 0) + Math.max(0, sizes.length - 1) };
}

function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((p) => [`${p.document} ${p.pointer} ${p.rule}`, p]));
  return [...seen.values()];
}

/** Identity of a choice: the same branch list is chosen from once. */
function optionsKey(choice: Choice): SchemaNode {
  return choice.node[choice.keyword] as SchemaNode;
}

function freeFormKeyword(node: SchemaNode): string | undefined {
  if (node.patternProperties !== undefined) return 'patternProperties';
  if (node.propertyNames !== undefined) return 'propertyNames';
  const { additionalProperties: additional } = node;
  return additional === undefined || additional === false ? undefined : 'additionalProperties';
}

function typed(nodes: Iterable<SchemaNode>, type: string): SchemaNode | undefined {
  for (const node of nodes) if (typeList(node.type)?.includes(type)) return node;
  return undefined;
}

/** The longest of the values that `const` or `enum` lists. */
function literalBytes(node: SchemaNode): number | undefined {
  if (Object.hasOwn(node, 'const')) return jsonBytes(node.const);
  return Array.isArray(node.enum) ? Math.max(0, ...node.enum.map(jsonBytes)) : undefined;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
