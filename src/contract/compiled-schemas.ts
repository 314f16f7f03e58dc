import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The project's own schemas: config/NAME.schema.json. */
export const OWN_SCHEMAS = ['config', 'contract', 'fixture'] as const;
export type OwnSchema = (typeof OWN_SCHEMAS)[number];

type Accepts = (value: unknown) => boolean;

/** What precompile.ts writes. */
export interface CompiledSchemas {
  readonly shapes: Readonly<
    Record<OwnSchema, { readonly sha256: string; readonly accepts: Accepts } | undefined>
  >;
  /** JSON Schema 2020-12 itself. */
  readonly metaSchema: Accepts;
}

/** Seen alike from this folder and from src/cli, where the bundle of the command line stands. */
export const COMPILED_FILE = new URL('../contract/own-schemas.cjs', import.meta.url);

let compiled: CompiledSchemas | null | undefined;

/**
 * Whether a value has the shape that one of the project's own schemas describes, as the build compiled it: to compile it
 * at every start takes longer than all the rest of a small one. It says yes or no and no more.
 *
 * @param text of the schema's file: undefined where the build compiled another one, or none
 */
export function compiledShape(name: OwnSchema, text: string): Accepts | undefined {
  const shape = compiledSchemas()?.shapes[name];
  return shape?.sha256 === sha256(text) ? shape.accepts : undefined;
}

/** The same for the meta-schema of JSON Schema 2020-12; undefined where the build compiled none. */
export function compiledMetaSchema(): Accepts | undefined {
  return compiledSchemas()?.metaSchema;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function compiledSchemas(): CompiledSchemas | null {
  if (compiled === undefined) {
    const file = fileURLToPath(COMPILED_FILE);
    compiled = existsSync(file) ? (createRequire(import.meta.url)(file) as CompiledSchemas) : null;
  }
  return compiled;
}
