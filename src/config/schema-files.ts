import { readFileSync } from 'node:fs';
import { compiledShape, type OwnSchema, validateShape } from '../contract/index.js';
import type { Problem } from '../fault/index.js';

interface SchemaFile {
  readonly text: string;
  readonly accepts: ((value: unknown) => boolean) | undefined;
  schema: object | undefined;
}

const loaded = new Map<OwnSchema, SchemaFile>();

/** One of the project's own schemas (config/NAME.schema.json), which say the shape of what people write. */
export function ownSchema(name: OwnSchema): object {
  const file = schemaFile(name);
  file.schema ??= JSON.parse(file.text) as object;
  return file.schema;
}

/** What is wrong with the shape of a value, by one of the project's own schemas; validateShape says how it is told. */
export function ownShapeProblems(name: OwnSchema, value: unknown): Problem[] {
  return schemaFile(name).accepts?.(value) === true ? [] : validateShape(ownSchema(name), value);
}

function schemaFile(name: OwnSchema): SchemaFile {
  let file = loaded.get(name);
  if (file === undefined) {
    // From build/src/config/ as from src/config/ within a build folder of another name: three floors up is the project.
    const text = readFileSync(new URL(`../../../config/${name}.schema.json`, import.meta.url), 'utf8');
    file = { text, accepts: compiledShape(name, text), schema: undefined };
    loaded.set(name, file);
  }
  return file;
}
