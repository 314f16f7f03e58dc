import type { Problem } from '../../src/fault/index.js';
import { type Bundle, bundle } from '../../src/contract/bundle.js';
import { SchemaLibrary } from '../../src/contract/schema-library.js';
import { EXPLICIT_RULES, SOUND_RULES } from '../../src/contract/sound.js';
import { type Validator, Validators } from '../../src/contract/validator.js';

export interface Admitted {
  readonly bundle: Bundle;
  readonly validator: Validator;
}

/**
 * A schema as a contract would compile it, from a file `s.schema.json`. `sound`: without the rules about schemas that
 * are sound but say less than they seem to, which few of other people's schemas keep.
 */
export function admit(
  schema: unknown,
  rules: 'all' | 'sound' = 'all',
  files: Readonly<Record<string, unknown>> = {},
): Admitted | { readonly problems: readonly Problem[] } {
  const schemas = new Map(Object.entries({ 's.schema.json': schema, ...files }));
  const library = new SchemaLibrary(schemas, rules === 'all' ? [...SOUND_RULES, ...EXPLICIT_RULES] : [...SOUND_RULES]);
  const site = library.open('s.schema.json', { document: undefined, path: ['result'] });
  if (site === undefined) return { problems: library.problems };
  const bundled = bundle(site);
  const validator = new Validators().compile(bundled);
  if (typeof validator === 'string') throw new Error(`an admitted schema does not compile: ${validator}`);
  return { bundle: bundled, validator };
}

/** The same, for a schema that must be admitted. */
export function compiled(
  schema: unknown,
  rules: 'all' | 'sound' = 'all',
  files: Readonly<Record<string, unknown>> = {},
): Admitted {
  const admitted = admit(schema, rules, files);
  if ('problems' in admitted) throw new Error(JSON.stringify(admitted.problems, undefined, 1));
  return admitted;
}

/** `rule pointer` of each problem with a schema, in order of pointer; empty when it is admitted. */
export function refusals(
  schema: unknown,
  rules: 'all' | 'sound' = 'all',
  files: Readonly<Record<string, unknown>> = {},
): string[] {
  const admitted = admit(schema, rules, files);
  return 'problems' in admitted ? briefly(admitted.problems) : [];
}

export function briefly(problems: readonly Problem[]): string[] {
  return problems.map(({ rule, document, pointer }) =>
    `${rule} ${document === undefined || document === 's.schema.json' ? '' : `${document}#`}${pointer}`.trim(),
  ).sort();
}
