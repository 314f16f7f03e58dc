import { isNode, type SchemaNode, subschemas } from './keywords.js';
import { below, describePlace, type Place } from './place.js';
import type { Site } from './sound.js';
import { conjuncts } from './sound-objects.js';

/**
 * A schema with everything it refers to, as one document whose only references are `#` and `#/$defs/NAME`. It means
 * the same as what the author wrote; three things are spelled so that the validator has nothing to get wrong:
 *
 * - no identifiers, anchors or file names are left, so that nothing but this code resolves a reference
 * - `true` and `false` are written `{}` and `{ not: {} }`
 * - `unevaluatedProperties: false`, which the profile allows over plain objects only, is written as
 *   `additionalProperties: false` with all their names in `properties`
 */
export interface Bundle {
  readonly root: SchemaNode;
  /** Where the author wrote a schema of the bundle, or one of its keywords. */
  placeOf(node: object, keyword?: string): Place | undefined;
  /** What a `$ref` of the bundle leads to. */
  target(ref: string): SchemaNode;
  /** The same for bundles that say the same, every part of them written at a place of the same name. */
  readonly identity: string;
}

const DROPPED = new Set([
  '$schema',
  '$comment',
  '$defs',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'unevaluatedProperties',
]);

export function bundle(site: Site): Bundle {
  return new Bundler(site);
}

class Bundler implements Bundle {
  readonly root: SchemaNode;
  readonly #start: Site;
  readonly #places = new WeakMap<object, Place>();
  /** The places in the order in which they were come to. */
  readonly #trail: string[] = [];
  /** Place of a schema that is referred to -> its name in `$defs`. */
  readonly #names = new Map<string, string>();
  readonly #definitions: Record<string, SchemaNode> = {};
  readonly #closedAnew = new WeakSet<object>();

  constructor(site: Site) {
    this.#start = site;
    const root = this.#copy(site);
    if (this.#names.size > 0) root.$defs = this.#definitions;
    this.root = root;
  }

  get identity(): string {
    return `${JSON.stringify(this.root)}\n${this.#trail.join('\n')}`;
  }

  placeOf(node: object, keyword?: string): Place | undefined {
    const place = this.#places.get(node);
    // `{ not: {} }` was written `false`.
    if (place === undefined || keyword === undefined || isNothing(node)) return place;
    const closing = keyword === 'additionalProperties' && this.#closedAnew.has(node);
    return below(place, closing ? 'unevaluatedProperties' : keyword);
  }

  target(ref: string): SchemaNode {
    const node = ref === '#' ? this.root : this.#definitions[ref.slice('#/$defs/'.length)];
    if (node === undefined) throw new Error(`no schema ${ref} in the bundle`);
    return node;
  }

  #copy(site: Site): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    this.#write(copy, site.place);
    for (const [keyword, value] of Object.entries(site.node)) {
      if (!DROPPED.has(keyword)) copy[keyword] = value;
    }
    if (typeof site.node.$ref === 'string') copy.$ref = this.#refer(site, site.node.$ref);
    for (const { keyword, path } of subschemas(site.node)) {
      if (DROPPED.has(keyword)) continue;
      const name = path[1];
      const sub = site.at(path);
      const copied = sub === undefined ? {} : this.#copy(sub);
      if (name === undefined) copy[keyword] = copied;
      else copy[keyword] = withChild(copy[keyword], site.node[keyword], name, copied);
    }
    // The closing `false` stays as it is: the validator has a sound check of its own for it.
    if (site.node.additionalProperties === false) copy.additionalProperties = false;
    if (site.node.unevaluatedProperties === false) this.#close(site, copy);
    return copy;
  }

  #refer(site: Site, ref: string): string {
    const target = site.resolve(ref);
    if (typeof target === 'string') throw new Error(`a reference that ${target} was not refused`);
    const place = describePlace(target.place);
    if (place === describePlace(this.#start.place)) return '#';
    const known = this.#names.get(place);
    if (known !== undefined) return `#/$defs/${known}`;
    const name = this.#freshName(target.place);
    this.#names.set(place, name);
    this.#definitions[name] = this.#copy(target);
    return `#/$defs/${name}`;
  }

  #freshName(place: Place): string {
    const word = place.path.at(-1) ?? place.document?.replace(/\..*$/, '') ?? '';
    const stem = `d_${word.replaceAll(/[^A-Za-z0-9_]/g, '_')}`.replace(/^d_(?=[A-Za-z])/, '');
    const taken = new Set(this.#names.values());
    let name = stem;
    for (let n = 2; taken.has(name); n++) name = `${stem}_${n}`;
    return name;
  }

  #close(site: Site, copy: Record<string, unknown>): void {
    const properties: Record<string, unknown> = { ...(isNode(copy.properties) ? copy.properties : {}) };
    const seen = new Set<object>();
    const open: Site[] = [site];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next.node)) continue;
      seen.add(next.node);
      for (const name of Object.keys(next.node.properties ?? {})) {
        if (!Object.hasOwn(properties, name)) properties[name] = this.#anything(next, name);
      }
      open.push(...conjuncts(next));
    }
    copy.properties = properties;
    copy.additionalProperties = false;
    this.#closedAnew.add(copy);
  }

  #anything(site: Site, name: string): SchemaNode {
    const anything = {};
    this.#write(anything, below(site.place, 'properties', name));
    return anything;
  }

  #write(node: object, place: Place): void {
    this.#places.set(node, place);
    this.#trail.push(describePlace(place));
  }
}

/** Where the author wrote the first of the schemas, for a sentence. */
export function writtenAt(bundle: Bundle, schemas: readonly SchemaNode[]): string {
  const place = schemas[0] && bundle.placeOf(schemas[0]);
  return place === undefined ? 'result' : describePlace(place);
}

/** `false` as a bundle writes it: nothing passes. */
export function isNothing(node: object): boolean {
  const { not, ...others } = node as { readonly not?: unknown };
  return isNode(not) && Object.keys(not).length === 0 && Object.keys(others).length === 0;
}

/** The copy of a list or an object of schemas, with one of them replaced by its own copy. */
function withChild(copy: unknown, original: unknown, name: string, child: SchemaNode): unknown {
  if (Array.isArray(original)) {
    const list = copy === original || !Array.isArray(copy) ? [...original] : copy;
    list[Number(name)] = child;
    return list;
  }
  const map: Record<string, unknown> = copy === original || !isNode(copy) ? {} : copy;
  map[name] = child;
  return map;
}
