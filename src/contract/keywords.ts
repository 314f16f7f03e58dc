/** What stands under a keyword: nothing that is a schema, one schema, a list of them, or an object of named ones. */
type Holds = 'nothing' | 'schema' | 'list' | 'map';

export type JsonType = 'string' | 'number' | 'array' | 'object';

interface Keyword {
  readonly holds: Holds;
  /** Its subschemas apply to the same value, not to a part of it. */
  readonly sameValue?: true;
  /** The one type of value it says something about; every other passes it unseen. */
  readonly about?: JsonType;
}

/** Every keyword of JSON Schema 2020-12 that a contract can use. What is not here is refused. */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  // Core section 8
  $schema: { holds: 'nothing' },
  $ref: { holds: 'nothing' },
  $defs: { holds: 'map' },
  $comment: { holds: 'nothing' },
  // Core section 10: applicators
  allOf: { holds: 'list', sameValue: true },
  anyOf: { holds: 'list', sameValue: true },
  oneOf: { holds: 'list', sameValue: true },
  not: { holds: 'schema', sameValue: true },
  if: { holds: 'schema', sameValue: true },
  // biome-ignore lint/suspicious/noThenProperty: a keyword's name, not a promise
  then: { holds: 'schema', sameValue: true },
  else: { holds: 'schema', sameValue: true },
  dependentSchemas: { holds: 'map', sameValue: true, about: 'object' },
  prefixItems: { holds: 'list', about: 'array' },
  items: { holds: 'schema', about: 'array' },
  contains: { holds: 'schema', about: 'array' },
  properties: { holds: 'map', about: 'object' },
  patternProperties: { holds: 'map', about: 'object' },
  additionalProperties: { holds: 'schema', about: 'object' },
  propertyNames: { holds: 'schema', about: 'object' },
  // Core section 11
  unevaluatedProperties: { holds: 'schema', about: 'object' },
  // Validation section 6: assertions
  type: { holds: 'nothing' },
  enum: { holds: 'nothing' },
  const: { holds: 'nothing' },
  multipleOf: { holds: 'nothing', about: 'number' },
  maximum: { holds: 'nothing', about: 'number' },
  exclusiveMaximum: { holds: 'nothing', about: 'number' },
  minimum: { holds: 'nothing', about: 'number' },
  exclusiveMinimum: { holds: 'nothing', about: 'number' },
  maxLength: { holds: 'nothing', about: 'string' },
  minLength: { holds: 'nothing', about: 'string' },
  pattern: { holds: 'nothing', about: 'string' },
  maxItems: { holds: 'nothing', about: 'array' },
  minItems: { holds: 'nothing', about: 'array' },
  uniqueItems: { holds: 'nothing', about: 'array' },
  maxContains: { holds: 'nothing', about: 'array' },
  minContains: { holds: 'nothing', about: 'array' },
  maxProperties: { holds: 'nothing', about: 'object' },
  minProperties: { holds: 'nothing', about: 'object' },
  required: { holds: 'nothing', about: 'object' },
  dependentRequired: { holds: 'nothing', about: 'object' },
  // Validation section 7
  format: { holds: 'nothing', about: 'string' },
  // Validation section 9: annotations
  title: { holds: 'nothing' },
  description: { holds: 'nothing' },
  default: { holds: 'nothing' },
  deprecated: { holds: 'nothing' },
  readOnly: { holds: 'nothing' },
  writeOnly: { holds: 'nothing' },
  examples: { holds: 'nothing' },
};

/** Keywords that say nothing about a value. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
]);

/** A schema that is an object; the other kind is `true` or `false`. */
export type SchemaNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Subschema {
  readonly keyword: string;
  /** From the schema that holds it: `['properties', 'state']`. */
  readonly path: readonly string[];
  readonly schema: unknown;
  readonly sameValue: boolean;
}

/** The subschemas that stand directly in a schema, in the order in which they are written. */
export function subschemas(node: SchemaNode): Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (known === undefined || known.holds === 'nothing') continue;
    const sameValue = known.sameValue === true;
    if (known.holds === 'schema') found.push({ keyword, path: [keyword], schema: value, sameValue });
    else if (typeof value === 'object' && value !== null) {
      for (const [name, schema] of Object.entries(value)) {
        found.push({ keyword, path: [keyword, name], schema, sameValue });
      }
    }
  }
  return found;
}
