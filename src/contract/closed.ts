import type { Problem } from '../fault/index.js';
import { type Bundle, isNothing } from './bundle.js';
import { allowedTypes, conjunction, itemSchemas, memberSchemas } from './conjunction.js';
import { isNode, type SchemaNode } from './keywords.js';
import { inContract, problemAt, type Trouble } from './place.js';

/**
 * Proves that every member a value can have, however deep, is described by a schema: what is declared may leave, and
 * nothing else. Weaker than the result bound: names may be free where their values are described, sizes are limited
 * elsewhere, and the schema may be recursive.
 */
export function openParts(bundle: Bundle): Problem[] {
  return new ClosedProof(bundle).value([bundle.root]);
}

class ClosedProof {
  readonly #bundle: Bundle;
  readonly #ids = new Map<SchemaNode, number>();
  readonly #seen = new Set<string>();

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  value(schemas: readonly SchemaNode[]): Problem[] {
    const { nodes, choices } = conjunction(this.#bundle, schemas);
    const key = [...nodes]
      .map((node) => this.#id(node))
      .sort()
      .join(' ');
    if (this.#seen.has(key)) return [];
    this.#seen.add(key);
    const direct = this.#direct(schemas[0] ?? this.#bundle.root, nodes);
    if (direct.length === 0) return [];
    let best = direct;
    for (const choice of choices) {
      // A choice whose branches are all among the nodes has been made.
      if (choice.options.some((option) => nodes.has(option))) continue;
      const problems = choice.options.flatMap((option) => this.value([option, ...nodes]));
      if (problems.length === 0) return [];
      if (best === direct) best = problems;
    }
    return best;
  }

  #direct(first: SchemaNode, nodes: ReadonlySet<SchemaNode>): Problem[] {
    for (const node of nodes)
      if (isNothing(node) || Object.hasOwn(node, 'const') || Array.isArray(node.enum)) return [];
    const types = allowedTypes(nodes);
    if (types === undefined) {
      const remedy = 'add type, const or enum';
      return [this.#problem(first, { rule: 'any-type', message: 'the value can be of any type', remedy })];
    }
    return [
      ...(types.has('object') ? this.#object(first, nodes) : []),
      ...(types.has('array') ? this.#array(first, nodes) : []),
    ];
  }

  #object(first: SchemaNode, nodes: ReadonlySet<SchemaNode>): Problem[] {
    const others = [...nodes]
      .map((node) => node.additionalProperties)
      .filter((schema) => schema !== undefined);
    if (!others.some((schema) => schema === false || (isNode(schema) && Object.keys(schema).length > 0))) {
      return [
        this.#problem(first, {
          rule: 'open-object',
          message: 'the object can have members that nobody declared, and they would leave',
          remedy: 'add additionalProperties: false, or a schema for the others',
        }),
      ];
    }
    const named = new Set(
      [...nodes].flatMap((node) => Object.keys(isNode(node.properties) ? node.properties : {})),
    );
    const byPattern = [...nodes].flatMap((node) =>
      isNode(node.patternProperties) ? Object.values(node.patternProperties).filter(isNode) : [],
    );
    return [
      ...[...named].flatMap((name) => this.value(memberSchemas(nodes, name))),
      ...byPattern.flatMap((schema) => this.value([schema])),
      ...others.filter(isNode).flatMap((schema) => this.value([schema])),
    ];
  }

  #array(first: SchemaNode, nodes: ReadonlySet<SchemaNode>): Problem[] {
    const prefix = Math.max(0, ...[...nodes].map(({ prefixItems: p }) => (Array.isArray(p) ? p.length : 0)));
    const problems: Problem[] = [];
    for (let i = 0; i <= prefix; i++) {
      const items = itemSchemas(nodes, i);
      if (items.length > 0) problems.push(...this.value(items));
      else {
        const remedy = 'describe them in items';
        problems.push(
          this.#problem(first, { rule: 'any-item', message: 'the items can be anything', remedy }),
        );
      }
    }
    return problems;
  }

  #id(node: SchemaNode): number {
    const id = this.#ids.get(node) ?? this.#ids.size;
    this.#ids.set(node, id);
    return id;
  }

  #problem(node: SchemaNode, trouble: Trouble): Problem {
    return problemAt(this.#bundle.placeOf(node) ?? inContract('request', 'body', 'schema'), trouble);
  }
}
