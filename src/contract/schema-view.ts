import { type Bundle, bundle, writtenAt } from './bundle.js';
import { conjunction, itemSchemas, memberSchemas, requiredNames } from './conjunction.js';
import type { ContractSource } from './definition.js';
import { isNode, type SchemaNode } from './keywords.js';
import { below, inContract } from './place.js';
import { textBound } from './scalar-bound.js';
import { SchemaLibrary } from './schema-library.js';
import { valueTypes } from './value-types.js';

/** Choices within choices that are looked into. */
const MAX_NESTED_CHOICES = 8;

/** What lies at the end of a path. */
export type Seen =
  | {
      readonly view: SchemaView;
      /** Whether every value that the schema accepts has it; `null` on the way is absence. */
      readonly certain: boolean;
    }
  /** A closed object on the way does not name the member: it is never there. */
  | { readonly never: string; readonly names: readonly string[]; readonly writtenAt: string };

/** What schemas say for certain of a value on which all of them hold, for those who compute with it. */
export class SchemaView {
  readonly #bundle: Bundle;
  readonly #schemas: readonly SchemaNode[];
  readonly #nodes: ReadonlySet<SchemaNode>;
  readonly #choices: readonly (readonly SchemaView[])[];

  constructor(bundled: Bundle, schemas: readonly SchemaNode[], depth = 0) {
    this.#bundle = bundled;
    this.#schemas = schemas;
    const { nodes, choices } = conjunction(bundled, schemas);
    this.#nodes = nodes;
    this.#choices =
      depth >= MAX_NESTED_CHOICES
        ? []
        : choices.map(({ options }) => options.map((option) => new SchemaView(bundled, [option], depth + 1)));
  }

  /** Types that the value can have, `integer` apart from `number`; undefined where the schemas do not say. */
  get types(): ReadonlySet<string> | undefined {
    const own = valueTypes(this.#bundle, [...this.#nodes]);
    let types = own && withoutTwice(own);
    for (const options of this.#choices) {
      const all = options.map((option) => option.types);
      if (!all.every((one) => one !== undefined)) continue;
      const union = withoutTwice(all.flatMap((one) => [...one]));
      types = types === undefined ? union : intersection(types, union);
    }
    return types;
  }

  /** Whether every text here is a date-time of RFC 3339. */
  get isDateTime(): boolean {
    if ([...this.#nodes].some((node) => node.format === 'date-time')) return true;
    return this.#choices.some((options) => {
      const texts = options.filter((option) => option.types?.has('string') ?? true);
      return texts.length > 0 && texts.every((option) => option.isDateTime);
    });
  }

  /** Most code points of a text; undefined without a bound. */
  get maxLength(): number | undefined {
    const limits: (number | undefined)[] = [textBound(this.#nodes).length];
    for (const node of this.#nodes) {
      const values: readonly unknown[] = [
        ...(Array.isArray(node.enum) ? node.enum : []),
        ...(Object.hasOwn(node, 'const') ? [node.const] : []),
      ];
      if (values.length > 0) limits.push(Math.max(0, ...values.map(lengthOf)));
    }
    for (const options of this.#choices) limits.push(largest(options, 'string', (one) => one.maxLength));
    return smallest(limits);
  }

  /** Most items of an array; undefined without a bound. */
  get maxItems(): number | undefined {
    const limits = [...this.#nodes].map(({ maxItems }) =>
      typeof maxItems === 'number' ? maxItems : undefined,
    );
    for (const options of this.#choices) limits.push(largest(options, 'array', (one) => one.maxItems));
    return smallest(limits);
  }

  /** What holds on every item of an array; undefined where items differ by their place, or nothing is said. */
  get items(): SchemaView | undefined {
    if ([...this.#nodes].some((node) => node.prefixItems !== undefined)) return undefined;
    const schemas = itemSchemas(this.#nodes, 0);
    return schemas.length === 0 ? undefined : new SchemaView(this.#bundle, schemas);
  }

  /** `answer.schema.json#/properties/id`, for a sentence; undefined where no schema is about the value. */
  get writtenAt(): string | undefined {
    return this.#schemas.length === 0 ? undefined : writtenAt(this.#bundle, this.#schemas);
  }

  /** What is certain of the value that a JSON Pointer's segments lead to. */
  at(path: readonly string[]): Seen {
    let here: SchemaView = this;
    let certain = true;
    for (const name of path) {
      const { types } = here;
      if (/^(?:0|[1-9][0-9]*)$/.test(name) && (types?.has('array') ?? true)) {
        const isList = types !== undefined && !types.has('object');
        certain &&= isList && types.size === 1 && here.#minItems > Number(name);
        here = new SchemaView(here.#bundle, isList ? itemSchemas(here.#nodes, Number(name)) : []);
        continue;
      }
      for (const node of here.#nodes) {
        if (node.additionalProperties !== false || node.patternProperties !== undefined) continue;
        const names = Object.keys(isNode(node.properties) ? node.properties : {});
        if (!names.includes(name)) return { never: name, names, writtenAt: writtenAt(here.#bundle, [node]) };
      }
      certain &&= types?.size === 1 && types.has('object') && requiredNames(here.#nodes).has(name);
      here = new SchemaView(here.#bundle, memberSchemas(here.#nodes, name));
    }
    return { view: here, certain };
  }

  get #minItems(): number {
    return Math.max(
      0,
      ...[...this.#nodes].map(({ minItems }) => (typeof minItems === 'number' ? minItems : 0)),
    );
  }
}

/**
 * Views of the schemas of a contract. A schema that is not sound has none: compileContract says what is wrong with it.
 * Nothing is opened before it is asked for.
 */
export class ContractViews {
  readonly #source: Pick<ContractSource, 'definition' | 'schemas'>;
  readonly #library: SchemaLibrary;
  readonly #views = new Map<string, SchemaView | undefined>();

  constructor(source: Pick<ContractSource, 'definition' | 'schemas'>) {
    this.#source = source;
    this.#library = new SchemaLibrary(source.schemas);
  }

  /** The answer that an alternative accepts. */
  answer(alternative: number): SchemaView | undefined {
    const schema = this.#source.definition.responses[alternative]?.schema;
    return this.#view(schema, 'responses', String(alternative), 'schema');
  }

  /** A declared parameter or header of the request, of which `array` ones are lists. */
  parameter(part: 'params' | 'query' | 'headers', name: string): SchemaView | undefined {
    const schemas = this.#source.definition.request[part] ?? {};
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    return this.#view(schema, 'request', part, name);
  }

  body(): SchemaView | undefined {
    return this.#view(this.#source.definition.request.body?.schema, 'request', 'body', 'schema');
  }

  #view(schema: Parameters<SchemaLibrary['open']>[0] | undefined, ...path: string[]): SchemaView | undefined {
    if (schema === undefined) return undefined;
    const key = path.join('/');
    if (!this.#views.has(key)) {
      const site = this.#library.open(schema, below(inContract(), ...path));
      const bundled = site && bundle(site);
      this.#views.set(key, bundled && new SchemaView(bundled, [bundled.root]));
    }
    return this.#views.get(key);
  }
}

/** Every integer is a number. */
function withoutTwice(types: Iterable<string>): ReadonlySet<string> {
  const set = new Set(types);
  if (set.has('number')) set.delete('integer');
  return set;
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  const both = [...a].filter((type) => b.has(type));
  const numeric = (types: ReadonlySet<string>) => types.has('integer') || types.has('number');
  const isNumber = both.includes('number') || both.includes('integer');
  return new Set(numeric(a) && numeric(b) && !isNumber ? [...both, 'integer'] : both);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? [...value].length : 0;
}

function smallest(limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The largest bound of the options of which a value can be of the type; undefined where one of them has none. */
function largest(
  options: readonly SchemaView[],
  type: string,
  bound: (view: SchemaView) => number | undefined,
): number | undefined {
  const limits = options.filter((option) => option.types?.has(type) ?? true).map(bound);
  return limits.length > 0 && limits.every((limit) => limit !== undefined) ? Math.max(...limits) : undefined;
}
