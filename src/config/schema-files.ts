import { readFileSync } from 'node:fs';

const loaded = new Map<string, object>();

/** One of the project's own schemas (config/NAME.schema.json), which say the shape of what people write. */
export function ownSchema(name: 'config' | 'contract' | 'fixture'): object {
  let schema = loaded.get(name);
  if (schema === undefined) {
    // From build/src/config/ as from src/config/ within a build folder of another name: three floors up is the project.
    const file = new URL(`../../../config/${name}.schema.json`, import.meta.url);
    schema = JSON.parse(readFileSync(file, 'utf8')) as object;
    loaded.set(name, schema);
  }
  return schema;
}
