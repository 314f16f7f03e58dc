import { type Bundle, bundle } from '../../src/contract/bundle.js';
import {
  type CallContext,
  type Contract,
  type ContractDefinition,
  compileContract,
  type ReadPath,
  type TypedRequest,
} from '../../src/contract/index.js';
import { SchemaLibrary } from '../../src/contract/schema-library.js';
import { EXPLICIT_RULES, SOUND_RULES } from '../../src/contract/sound.js';
import { type Validator, Validators } from '../../src/contract/validator.js';
import type { Problem } from '../../src/fault/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';

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
  const library = new SchemaLibrary(
    schemas,
    rules === 'all' ? [...SOUND_RULES, ...EXPLICIT_RULES] : [...SOUND_RULES],
  );
  const site = library.open('s.schema.json', { document: undefined, path: ['result'] });
  if (site === undefined) return { problems: library.problems };
  const bundled = bundle(site);
  const validator = new Validators().compile(bundled);
  if (!('accepts' in validator)) return { problems: validator };
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
  return problems
    .map(({ rule, document, pointer }) =>
      `${rule} ${document === undefined || document === 's.schema.json' ? '' : `${document}#`}${pointer}`.trim(),
    )
    .sort();
}

/** A contract of one alternative, in place of which a test puts its own parts. */
export const BASE: ContractDefinition = {
  tool: 'thing',
  version: '1.2.3',
  purpose: 'What a test needs.',
  request: {
    params: { id: { type: 'integer', minimum: 1 }, owner: { type: 'string', pattern: '^[a-z]{1,9}$' } },
    query: { page: { type: 'integer' }, q: { type: 'string', pattern: '^[a-z]*$' } },
    required_query: ['q'],
  },
  responses: [{ status: 200, schema: { type: 'object' }, select: { name: '/name' } }],
  result: closed({ name: { type: 'string', maxLength: 20 } }),
};

/** A closed object that requires every one of its properties. */
export function closed(
  properties: object,
  required = Object.keys(properties),
): { readonly [keyword: string]: unknown } {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function compile(
  parts: Partial<ContractDefinition>,
  files: Readonly<Record<string, unknown>> = {},
  reads: readonly (readonly ReadPath[])[] = [],
): ReturnType<typeof compileContract> {
  const definition = { ...BASE, ...parts };
  return compileContract({ name: 'thing@1', definition, schemas: new Map(Object.entries(files)) }, reads);
}

export function contractOf(
  parts: Partial<ContractDefinition>,
  files: Readonly<Record<string, unknown>> = {},
  reads: readonly (readonly ReadPath[])[] = [],
): Contract {
  const made = compile(parts, files, reads);
  if ('problems' in made) throw new Error(JSON.stringify(made.problems, undefined, 1));
  return made.contract;
}

/** `rule pointer` of each problem with a contract; empty when it loads. */
export function troubles(
  parts: Partial<ContractDefinition>,
  files: Readonly<Record<string, unknown>> = {},
): string[] {
  const made = compile(parts, files);
  return 'problems' in made ? briefly(made.problems) : [];
}

export function callContext(
  request: Partial<TypedRequest> = {},
  headers: readonly (readonly [string, string])[] = [],
): CallContext {
  return {
    request: { params: { id: 7, owner: 'octo' }, query: { q: 'x' }, headers: {}, ...request },
    requestId: 'req.12345678',
    headers: new ResponseHeaders(headers),
    now: Date.UTC(2026, 0, 1),
  };
}

/**
 * A value as JSON in ASCII, for the name of an assertion: a line separator (U+2028) in a name would make the reader of the
 * test's output lose the assertion, and a failure with it.
 */
export function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
