import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { parsePointer } from '../json/index.js';
import { compiledMetaSchema } from './compiled-schemas.js';
import type { Finding } from './sound.js';
import { DIALECT } from './sound-keywords.js';
import { judgeUniqueItems } from './unique-items.js';

/** Deeper schemas overflow the stack of what reads them. */
const MAX_DEPTH = 64;

export const META_SCHEMA_OPTIONS: Options = {
  allErrors: true,
  strict: false,
  logger: false,
  validateFormats: false,
};

/** Holds only the meta-schema: no schema of a contract is ever compiled in it, so that nothing of one outlives it. */
let ajv: Ajv2020 | undefined;

export function newMetaSchemaAjv(): Ajv2020 {
  const made = new Ajv2020(META_SCHEMA_OPTIONS);
  judgeUniqueItems(made);
  return made;
}

/** What in a document is no JSON Schema 2020-12 at all: a keyword with a value of the wrong kind. */
export function metaSchemaFindings(schema: unknown): Finding[] {
  if (tooDeep(schema, 0)) {
    return [
      {
        path: [],
        message: `the schema is nested deeper than ${MAX_DEPTH} levels`,
        remedy: 'move parts to $defs and refer to them',
      },
    ];
  }
  if (compiledMetaSchema()?.(schema) === true) return [];
  ajv ??= newMetaSchemaAjv();
  const validate = ajv.getSchema(DIALECT);
  if (validate === undefined) throw new Error('the meta-schema is missing');
  if (validate(schema) === true) return [];
  const byPath = new Map<string, ErrorObject>();
  for (const error of validate.errors ?? []) {
    // Of what is said about one place the last is the outermost: `anyOf` for a wrong type, where enum says more.
    const earlier = byPath.get(error.instancePath);
    if (earlier === undefined || (earlier.keyword !== 'enum' && error.keyword !== 'anyOf')) {
      byPath.set(error.instancePath, error);
    }
  }
  return [...byPath.values()].map((error) => {
    const path = parsePointer(error.instancePath) ?? [];
    return { path, message: sentence(path, error), remedy: remedy(path, error) };
  });
}

function sentence(path: readonly string[], error: ErrorObject): string {
  const keyword = path.findLast((segment) => !/^[0-9]+$/.test(segment));
  return `${keyword === undefined ? 'the schema' : `"${keyword}"`} ${error.message ?? 'does not fit'}`;
}

function remedy(path: readonly string[], error: ErrorObject): string {
  const keyword = path.at(-1) ?? '';
  if (keyword === 'items') return 'items is one schema for every item; a list of schemas is prefixItems';
  if (keyword.startsWith('exclusive')) return `write the number: ${keyword}: 10`;
  if (keyword === 'required') return 'required is a list of names on the object, not a mark on the property';
  if (path.includes('type'))
    return 'write one of array, boolean, integer, null, number, object, string, or a list of them';
  return error.keyword === 'type' || error.keyword === 'enum'
    ? 'see the keyword in JSON Schema 2020-12 Validation'
    : 'correct the value';
}

function tooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // A schema level is two levels of the document: the keyword and what it holds.
  return depth > 2 * MAX_DEPTH || Object.values(value).some((child) => tooDeep(child, depth + 1));
}
