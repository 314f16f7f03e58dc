import type { Bundle } from './bundle.js';
import { allowedTypes, conjunction, memberSchemas } from './conjunction.js';
import { isNode, type SchemaNode } from './keywords.js';

/** Types that a value can have on which all the schemas hold; undefined where they do not say. */
export function valueTypes(bundle: Bundle, schemas: readonly SchemaNode[]): readonly string[] | undefined {
  const { nodes } = conjunction(bundle, schemas);
  const allowed = allowedTypes(nodes);
  let types = allowed && [...allowed];
  for (const values of literals(nodes)) {
    const around = types;
    types = [...new Set(values.map(typeOf))].filter((type) => around === undefined || meet([type], around));
  }
  // A schema that nothing satisfies says nothing of what stands on the other side.
  return types?.length === 0 ? undefined : types;
}

/** Whether a value can be of a type of both lists. */
export function meet(a: readonly string[], b: readonly string[]): boolean {
  // Every integer is a number, and a number may be one.
  const broad = (type: string) => (type === 'integer' ? 'number' : type);
  return a.some((type) => b.some((other) => broad(type) === broad(other)));
}

/** Whether `type`, `const` and `enum` of the schemas let the value pass. */
export function admits(bundle: Bundle, schemas: readonly SchemaNode[], value: unknown): boolean {
  const { nodes } = conjunction(bundle, schemas);
  const types = allowedTypes(nodes);
  const type = typeOf(value);
  if (types !== undefined && !types.has(type) && !(type === 'integer' && types.has('number'))) return false;
  return literals(nodes).every((values) => values.includes(value));
}

/** What schemas say of one place in a document. */
export type Known =
  /** All of them hold on the value, if it is there; none where nothing is certain. */
  | { readonly schemas: readonly SchemaNode[] }
  /** It is never there: a closed object on the way does not name it. */
  | { readonly closed: SchemaNode; readonly name: string; readonly names: readonly string[] };

/** What is certain of the value at the end of a path, from a value on which all the schemas hold. */
export function knownAt(bundle: Bundle, schemas: readonly SchemaNode[], path: readonly string[]): Known {
  let here = schemas;
  for (const name of path) {
    const { nodes } = conjunction(bundle, here);
    // In an array it is the index of an item.
    if (/^[0-9]+$/.test(name) && (allowedTypes(nodes)?.has('array') ?? true)) return { schemas: [] };
    for (const node of nodes) {
      if (node.additionalProperties !== false || node.patternProperties !== undefined) continue;
      const properties = isNode(node.properties) ? node.properties : {};
      if (!Object.hasOwn(properties, name)) return { closed: node, name, names: Object.keys(properties) };
    }
    here = memberSchemas(nodes, name);
  }
  return { schemas: here };
}

/** The lists of values in `enum` and `const`, of each of which the value is one. */
function literals(nodes: Iterable<SchemaNode>): (readonly unknown[])[] {
  const found: (readonly unknown[])[] = [];
  for (const node of nodes) {
    if (Array.isArray(node.enum)) found.push(node.enum);
    if (Object.hasOwn(node, 'const')) found.push([node.const]);
  }
  return found;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
