import type { Bundle } from './bundle.js';
import { isNode, type SchemaNode } from './keywords.js';
import { typeList } from './sound-types.js';

/** Schemas that all have to hold on one value, with the choices among further ones. */
export interface Conjunction {
  readonly nodes: ReadonlySet<SchemaNode>;
  /** Each `anyOf` and `oneOf` of the nodes: at least one of its schemas holds as well. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly node: SchemaNode;
  readonly keyword: 'anyOf' | 'oneOf';
  readonly options: readonly SchemaNode[];
}

/** Follows `$ref` and `allOf` as far as they reach on the same value. */
export function conjunction(bundle: Bundle, schemas: Iterable<SchemaNode>): Conjunction {
  const nodes = new Set(schemas);
  // A set grows while it is walked, and what is added is walked as well.
  for (const node of nodes) {
    if (typeof node.$ref === 'string') nodes.add(bundle.target(node.$ref));
    if (Array.isArray(node.allOf)) for (const other of node.allOf) if (isNode(other)) nodes.add(other);
  }
  const choices: Choice[] = [];
  for (const node of nodes) {
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const options: unknown = node[keyword];
      if (Array.isArray(options)) choices.push({ node, keyword, options: options.filter(isNode) });
    }
  }
  return { nodes, choices };
}

/** The schemas of one member in all nodes that name it. */
export function memberSchemas(nodes: Iterable<SchemaNode>, name: string): SchemaNode[] {
  const found: SchemaNode[] = [];
  for (const { properties } of nodes) {
    if (!isNode(properties) || !Object.hasOwn(properties, name)) continue;
    const schema: unknown = properties[name];
    if (isNode(schema)) found.push(schema);
  }
  return found;
}

/** The names in `required` of all nodes. */
export function requiredNames(nodes: Iterable<SchemaNode>): Set<string> {
  const names = new Set<string>();
  for (const { required } of nodes)
    if (Array.isArray(required)) for (const name of required) names.add(String(name));
  return names;
}

/** Types that every node allows; undefined where none of them says. */
export function allowedTypes(nodes: Iterable<SchemaNode>): ReadonlySet<string> | undefined {
  let allowed: Set<string> | undefined;
  for (const node of nodes) {
    const types = typeList(node.type);
    if (types === undefined) continue;
    // Every integer is a number.
    const own = new Set(types.includes('number') ? [...types, 'integer'] : types);
    allowed = allowed === undefined ? own : new Set([...allowed].filter((type) => own.has(type)));
  }
  if (allowed?.has('number')) allowed.delete('integer');
  return allowed;
}

/** The schemas of the item at an index in all nodes that describe it. */
export function itemSchemas(nodes: Iterable<SchemaNode>, index: number): SchemaNode[] {
  const found: SchemaNode[] = [];
  for (const node of nodes) {
    const own: unknown = Array.isArray(node.prefixItems) ? node.prefixItems[index] : undefined;
    const schema = own ?? node.items;
    if (isNode(schema)) found.push(schema);
  }
  return found;
}
