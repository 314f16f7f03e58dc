import { KEEP, type Pick, type Projection } from '../json/index.js';
import type { Bundle } from './bundle.js';
import { ANNOTATIONS, isNode, type SchemaNode, subschemas } from './keywords.js';
import { ITEM, type ReadPath } from './read-path.js';

/** States above which the answer is kept whole instead. */
const MAX_STATES = 5_000;

/**
 * What of an answer has to be kept so that schemas decide alike and selection, checks and failure rules find what they
 * read. **Soundness law: for every schema S and document D, S accepts D exactly when S accepts project(S, D).**
 *
 * A state is the set of schemas and reads that apply to one place in the answer. A Pick keeps what the schemas of the
 * set can look at: presence and value of named members, and the items of an array. By induction each schema of the set
 * then has the same verdict on what is kept, and so has every combination of them (`allOf`, `oneOf`, `not`, `if`): to
 * keep more than one of them needs does it no harm. Where a keyword looks at names that it does not name, at counts of
 * members or at whole values, the place is kept whole. Equal sets are one state, so that recursive schemas become
 * projections that refer to themselves.
 */
export function project(bundles: readonly Bundle[], reads: readonly ReadPath[]): Projection {
  const start: Source[] = bundles.map((bundle) => ({ bundle, node: bundle.root }));
  for (const path of reads) start.push({ path, at: 0 });
  return new Projector().projection(start);
}

/** One thing that looks at a place: a schema, or what is left of a read from there on. */
type Source =
  | { readonly bundle: Bundle; readonly node: SchemaNode }
  | { readonly path: ReadPath; readonly at: number };

interface MutablePick extends Pick {
  members: Map<string, Projection>;
  items?: Projection;
}

/** A place whose parts are still to be looked at. */
interface Open {
  readonly pick: MutablePick;
  readonly here: readonly Source[];
}

class Projector {
  readonly #states = new Map<string, MutablePick>();
  readonly #ids = new Map<object, number>();
  /** A list and not a recursion: sets can lead to new sets thousands of levels deep. */
  readonly #open: Open[] = [];

  projection(start: readonly Source[]): Projection {
    const whole = this.#state(start);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      if (this.#states.size > MAX_STATES) return KEEP;
      const parts = new Parts();
      for (const source of next.here) {
        if ('node' in source) addSchemaParts(parts, source.bundle, source.node);
        else addReadParts(parts, source.path, source.at);
      }
      for (const [name, below] of parts.members) next.pick.members.set(name, this.#state(below));
      if (parts.items !== undefined) next.pick.items = this.#state(parts.items);
    }
    return whole;
  }

  /** The projection of a place, whose parts may not be there yet. */
  #state(sources: readonly Source[]): Projection {
    const here = everythingHere(sources);
    if (here.some((source) => 'node' in source && looksAtWhole(source.node))) return KEEP;
    const key = this.#key(here);
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const pick: MutablePick = { members: new Map() };
    this.#states.set(key, pick);
    this.#open.push({ pick, here });
    return pick;
  }

  #key(sources: readonly Source[]): string {
    const ids = sources.map((source) =>
      'node' in source ? `${this.#id(source.node)}` : `${this.#id(source.path)}:${source.at}`,
    );
    return [...new Set(ids)].sort().join(' ');
  }

  #id(object: object): number {
    const id = this.#ids.get(object) ?? this.#ids.size;
    this.#ids.set(object, id);
    return id;
  }
}

class Parts {
  readonly members = new Map<string, Source[]>();
  items: Source[] | undefined;

  member(name: string, ...sources: readonly Source[]): void {
    const known = this.members.get(name);
    if (known === undefined) this.members.set(name, [...sources]);
    else known.push(...sources);
  }

  item(...sources: readonly Source[]): void {
    this.items ??= [];
    this.items.push(...sources);
  }
}

/** The sources and every schema that they apply to the same value. */
function everythingHere(sources: readonly Source[]): Source[] {
  const here: Source[] = [];
  const seen = new Set<SchemaNode>();
  const open = [...sources];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('node' in next)) {
      here.push(next);
      continue;
    }
    const { bundle, node } = next;
    if (seen.has(node)) continue;
    seen.add(node);
    // One that only refers is told apart from another by what it refers to.
    if (Object.keys(node).some((keyword) => keyword !== '$ref' && !ANNOTATIONS.has(keyword))) here.push(next);
    if (typeof node.$ref === 'string') open.push({ bundle, node: bundle.target(node.$ref) });
    for (const sub of subschemas(node)) {
      if (sub.sameValue && isNode(sub.schema)) open.push({ bundle, node: sub.schema });
    }
  }
  return here;
}

/** Keywords about names that they do not name, or about the number of members. */
const ABOUT_ALL_MEMBERS = ['patternProperties', 'propertyNames', 'minProperties', 'maxProperties'];

function looksAtWhole(node: SchemaNode): boolean {
  if (ABOUT_ALL_MEMBERS.some((keyword) => node[keyword] !== undefined)) return true;
  const { additionalProperties: additional } = node;
  // `additionalProperties: {}` allows everything.
  if (additional !== undefined && !(isNode(additional) && Object.keys(additional).length === 0)) return true;
  if (node.uniqueItems === true) return true;
  const literals = Array.isArray(node.enum) ? [...node.enum, node.const] : [node.const];
  return literals.some((literal) => typeof literal === 'object' && literal !== null);
}

function addSchemaParts(parts: Parts, bundle: Bundle, node: SchemaNode): void {
  for (const { keyword, path, schema } of subschemas(node)) {
    if (!isNode(schema)) continue;
    // A schema that allows everything looks at nothing; but that it applies can decide, or be counted.
    const looks = Object.keys(schema).length > 0;
    const source = { bundle, node: schema };
    const name = path[1];
    if (keyword === 'properties' && name !== undefined && looks) parts.member(name, source);
    else if (keyword === 'dependentSchemas' && name !== undefined) parts.member(name);
    // Which item a schema applies to depends on positions; that every item is kept for all of them does no harm.
    else if ((keyword === 'prefixItems' || keyword === 'items') && looks) parts.item(source);
    else if (keyword === 'contains') parts.item(source);
  }
  for (const name of Array.isArray(node.required) ? node.required : []) parts.member(String(name));
  for (const [name, needed] of Object.entries(node.dependentRequired ?? {})) {
    parts.member(name);
    for (const other of Array.isArray(needed) ? needed : []) parts.member(String(other));
  }
  if (node.minItems !== undefined || node.maxItems !== undefined) parts.item();
}

function addReadParts(parts: Parts, path: ReadPath, at: number): void {
  const segment = path[at];
  if (segment === undefined) return;
  const rest = { path, at: at + 1 };
  if (segment === ITEM) {
    parts.item(rest);
    return;
  }
  parts.member(segment, rest);
  // RFC 6901 section 4: in an array such a segment is an index.
  if (/^(?:0|[1-9][0-9]*)$/.test(segment)) parts.item(rest);
}
