import type { Problem } from '../fault/index.js';
import { formatPointer, parsePointer } from '../json/index.js';
import type { SchemaRef } from './definition.js';
import { isNode, type SchemaNode, subschemas } from './keywords.js';
import { metaSchemaFindings } from './meta-schema.js';
import { below, describePlace, type Place, problemAt } from './place.js';
import { EXPLICIT_RULES, type Finding, type SchemaRule, type Site, SOUND_RULES } from './sound.js';
import { typeList } from './sound-types.js';

/**
 * The schemas of one contract: those in files beside it and those written in place. Opening one checks it and all it
 * refers to; what breaks a rule is added to `problems`, and the schema is not given out.
 */
export class SchemaLibrary {
  readonly problems: Problem[] = [];
  readonly #files: ReadonlyMap<string, unknown>;
  readonly #rules: readonly SchemaRule[];
  readonly #documents = new Map<string, SchemaDocument>();

  constructor(files: ReadonlyMap<string, unknown>, rules = [...SOUND_RULES, ...EXPLICIT_RULES]) {
    this.#files = files;
    this.#rules = rules;
  }

  /**
   * @param at where the reference, or the schema itself, stands in contract.yaml
   * @returns undefined when something is wrong, which then is in `problems`
   */
  open(ref: SchemaRef, at: Place): Site | undefined {
    if (typeof ref !== 'string') {
      const document = new SchemaDocument(ref, at, this);
      this.#check(document);
      return this.#isSound(document) ? document.site([]) : undefined;
    }
    const target = this.resolve(ref, undefined);
    if (typeof target === 'string') {
      // A file that is no schema at all has been reported as such.
      if (this.#documents.get(ref.replace(/#.*$/, ''))?.sound === false) return undefined;
      const remedy = `write the name of a file beside the contract: ${[...this.#files.keys()].join(', ') || 'there is none'}`;
      this.problems.push(
        problemAt(at, { rule: 'reference', message: `the schema reference ${target}`, remedy }),
      );
      return undefined;
    }
    return this.#isSound(target.document) ? target : undefined;
  }

  /** Names of the schema files that were opened, with their content. */
  used(): ReadonlyMap<string, unknown> {
    return new Map([...this.#documents.keys()].sort().map((name) => [name, this.#files.get(name)]));
  }

  /** @param base the document in which the reference stands; undefined: contract.yaml itself */
  resolve(ref: string, base: SchemaDocument | undefined): SchemaSite | string {
    const [name = '', fragment = '', ...more] = ref.split('#');
    if (more.length > 0) return 'has more than one "#"';
    // RFC 3986 section 4.1: a scheme, an authority or a path would leave the contract's folder.
    if (!/^[A-Za-z0-9_.-]*$/.test(name)) return 'leads out of the folder of the contract';
    const document = name === '' ? base : this.#file(name);
    if (document === undefined) return name === '' ? 'names no file' : `names "${name}", which is not there`;
    const path = parseFragment(fragment);
    if (path === undefined) return 'has a fragment that is not a JSON Pointer';
    return document.site(path) ?? 'leads to something that is not a schema';
  }

  #file(name: string): SchemaDocument | undefined {
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    if (!this.#files.has(name)) return undefined;
    const document = new SchemaDocument(this.#files.get(name), { document: name, path: [] }, this);
    // Before it is checked: files may refer to one another in circles.
    this.#documents.set(name, document);
    this.#check(document);
    return document;
  }

  #check(document: SchemaDocument): void {
    const report = (place: Place, rule: string, { path, ...finding }: Finding) => {
      document.sound = false;
      this.problems.push(problemAt(below(place, ...path), { rule, ...finding }));
    };
    for (const finding of metaSchemaFindings(document.root)) report(document.place, 'not-a-schema', finding);
    // The rules read schemas of the right form only.
    if (!document.sound) return;
    for (const site of document.sites()) {
      for (const rule of this.#rules) {
        for (const finding of rule.check(site)) report(site.place, rule.name, finding);
      }
    }
  }

  /** Whether a document and everything it refers to keeps the rules. */
  #isSound(document: SchemaDocument): boolean {
    const seen = new Set([document]);
    for (const next of seen) {
      if (!next.sound) return false;
      for (const site of next.sites()) {
        if (typeof site.node.$ref !== 'string') continue;
        const target = this.resolve(site.node.$ref, next);
        if (typeof target !== 'string') seen.add(target.document);
      }
    }
    return true;
  }
}

/** One file, or one schema written in place. */
class SchemaDocument {
  readonly root: unknown;
  readonly place: Place;
  readonly library: SchemaLibrary;
  sound = true;
  readonly #sites = new Map<string, SchemaSite>();

  constructor(root: unknown, place: Place, library: SchemaLibrary) {
    this.root = root;
    this.place = place;
    this.library = library;
    this.#add(root, [], undefined);
  }

  site(path: readonly string[]): SchemaSite | undefined {
    return this.#sites.get(formatPointer(path));
  }

  sites(): IterableIterator<SchemaSite> {
    return this.#sites.values();
  }

  #add(schema: unknown, path: readonly string[], types: readonly string[] | undefined): void {
    // Not a schema, or nested without end: the meta-schema says so.
    if ((!isNode(schema) && typeof schema !== 'boolean') || path.length > 200) return;
    const site = new SchemaSite(this, asNode(schema), path, types);
    this.#sites.set(formatPointer(path), site);
    if (!isNode(schema)) return;
    const inherited = typeList(schema.type) ?? types;
    for (const sub of subschemas(schema)) {
      // Core section 10.3.2.4: a name is always a string.
      const around = sub.keyword === 'propertyNames' ? ['string'] : undefined;
      this.#add(sub.schema, [...path, ...sub.path], sub.sameValue ? inherited : around);
    }
  }
}

class SchemaSite implements Site {
  readonly document: SchemaDocument;
  readonly node: SchemaNode;
  readonly types: readonly string[] | undefined;
  readonly #path: readonly string[];

  constructor(
    document: SchemaDocument,
    node: SchemaNode,
    path: readonly string[],
    types: readonly string[] | undefined,
  ) {
    this.document = document;
    this.node = node;
    this.#path = path;
    this.types = types;
  }

  get place(): Place {
    return below(this.document.place, ...this.#path);
  }

  get isRoot(): boolean {
    return this.#path.length === 0;
  }

  at(path: readonly string[]): SchemaSite | undefined {
    return this.document.site([...this.#path, ...path]);
  }

  resolve(ref: string): SchemaSite | string {
    return this.document.library.resolve(ref, this.document);
  }

  toString(): string {
    return describePlace(this.place);
  }
}

const EVERYTHING: SchemaNode = Object.freeze({});
const NOTHING: SchemaNode = Object.freeze({ not: EVERYTHING });

function asNode(schema: SchemaNode | boolean): SchemaNode {
  if (typeof schema !== 'boolean') return schema;
  return schema ? EVERYTHING : NOTHING;
}

/** RFC 6901 section 6: a JSON Pointer as a URI fragment is percent-encoded. */
function parseFragment(fragment: string): string[] | undefined {
  try {
    return parsePointer(decodeURIComponent(fragment));
  } catch {
    return undefined;
  }
}
