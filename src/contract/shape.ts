import type { AnySchemaObject, ErrorObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Problem } from '../fault/index.js';
import { formatPointer, parsePointer } from '../json/index.js';
import { describe, hint, kindOf, nameOf, noun, or, sentence, typeFits } from './shape-sentence.js';
import { judgeUniqueItems } from './unique-items.js';

export { nameOf, nearest } from './shape-sentence.js';

/**
 * Validates a parsed YAML or JSON document against one of the project's own schemas (config/*.schema.json, draft
 * 2020-12) and says what is wrong in sentences: one Problem per thing a person has to change. No message repeats a
 * value of the document, since a value may be a secret; names of keys and words of the schema are all it quotes.
 *
 * Of a failed `anyOf` or `oneOf` only the branch that fits best is reported. `title`, `description` and `examples`
 * of the schema become words of the sentences.
 */
export function validateShape(schema: object, value: unknown): Problem[] {
  let shape = shapes.get(schema);
  if (shape === undefined) {
    shape = new Shape(schema);
    shapes.set(schema, shape);
  }
  const seen = new Set<string>();
  return shape.problems('', value, '').filter((problem) => {
    const key = `${problem.pointer}\n${problem.message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export const SHAPE_OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  ownProperties: true,
  validateFormats: false,
};

const shapes = new WeakMap<object, Shape>();

class Shape {
  readonly #ajv: Ajv2020;
  readonly #schema: AnySchemaObject;
  /** Where each subschema stands, so that a branch can be compiled on its own. */
  readonly #pointers = new Map<object, string>();

  constructor(schema: AnySchemaObject) {
    this.#schema = schema;
    this.#ajv = new Ajv2020(SHAPE_OPTIONS);
    judgeUniqueItems(this.#ajv);
    this.#ajv.addSchema(schema, 'shape');
    this.#index(schema, '');
  }

  #index(node: unknown, pointer: string): void {
    if (typeof node !== 'object' || node === null || this.#pointers.has(node)) return;
    this.#pointers.set(node, pointer);
    for (const [key, child] of Object.entries(node)) this.#index(child, pointer + formatPointer([key]));
  }

  #validator(pointer: string): ValidateFunction {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    const validate = this.#ajv.getSchema(`shape#${fragment}`);
    if (validate === undefined) throw new Error(`no schema at ${pointer}`);
    return validate;
  }

  /** What is wrong with `value`, which stands at `base` in the document, by the subschema at `pointer`. */
  problems(pointer: string, value: unknown, base: string): Problem[] {
    const validate = this.#validator(pointer);
    if (validate(value) === true) return [];
    let errors = [...(validate.errors ?? [])];
    const found: Problem[] = [];
    // Outermost first, which of one place is the last: what a failed union says of its branches is replaced by the
    // verdict of the best one.
    const unions = errors.filter(isUnion).reverse();
    for (const union of unions.sort((a, b) => a.instancePath.length - b.instancePath.length)) {
      if (!errors.includes(union)) continue;
      const inside = this.#reachable(union.parentSchema?.[union.keyword]);
      const under = (e: ErrorObject) =>
        e.instancePath === union.instancePath || e.instancePath.startsWith(`${union.instancePath}/`);
      errors = errors.filter((e) => e !== union && !(under(e) && inside.has(e.parentSchema)));
      found.push(...this.#union(union, base));
    }
    const untyped = new Set(errors.filter((e) => e.keyword === 'type').map((e) => e.instancePath));
    for (const error of errors) {
      // A value of the wrong type breaks enum and const too; saying it twice helps nobody.
      if (['enum', 'const'].includes(error.keyword) && untyped.has(error.instancePath)) continue;
      const problem = sentence(error, base, (schema) => this.#resolve(schema));
      if (problem !== undefined) found.push(problem);
    }
    return found;
  }

  #union(error: ErrorObject, base: string): Problem[] {
    const schema: AnySchemaObject = error.parentSchema ?? {};
    const branches: AnySchemaObject[] = schema[error.keyword] ?? [];
    const at = base + error.instancePath;
    const keys = branches.map(requiredOnly);
    if (keys.every((k) => k !== undefined))
      return [oneOfKeys(at, keys, error.data, choiceDescription(schema))];

    const fitting = branches.filter((branch) => typeFits(this.#resolve(branch), error.data));
    if (fitting.length === 0) {
      const all = branches.map((branch) => this.#resolve(branch));
      const message = `${nameOf(at)} ${kindOf(error.data)}, must be ${or(all.map(describe))}`;
      const examples = [schema, ...all].flatMap((s) => s.examples ?? []);
      return [{ pointer: at, rule: 'wrong-type', message, remedy: hint(at, { ...schema, examples }) }];
    }
    const verdicts = fitting.map((branch) => this.problems(this.#pointers.get(branch) ?? '', error.data, at));
    return verdictOf(verdicts, schema, at);
  }

  /** The schema with what its `$ref` says put under its own words. */
  #resolve(schema: AnySchemaObject): AnySchemaObject {
    if (typeof schema.$ref !== 'string') return schema;
    const { $ref, ...own } = schema;
    return { ...this.#resolve(this.#target(schema.$ref)), ...own };
  }

  #target(ref: string): AnySchemaObject {
    let node: unknown = this.#schema;
    for (const key of parsePointer(ref.slice(1)) ?? []) node = (node as Record<string, unknown>)[key];
    return node as AnySchemaObject;
  }

  /** Every subschema that the given branches can reach. */
  #reachable(branches: unknown): Set<unknown> {
    const seen = new Set<unknown>();
    const open = [branches];
    while (open.length > 0) {
      const node = open.pop();
      if (typeof node !== 'object' || node === null || seen.has(node)) continue;
      seen.add(node);
      if ('$ref' in node && typeof node.$ref === 'string') open.push(this.#target(node.$ref));
      open.push(...Object.values(node));
    }
    return seen;
  }
}

function isUnion(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || error.keyword === 'oneOf';
}

/** A branch that only says which keys must be there: their names. */
function requiredOnly(branch: AnySchemaObject): string[] | undefined {
  return Object.keys(branch).length === 1 && Array.isArray(branch.required) ? branch.required : undefined;
}

/** What a choice says of itself; one that stands in the schema of an object has the description of the object. */
function choiceDescription(schema: AnySchemaObject): string | undefined {
  return schema.properties === undefined ? schema.description : undefined;
}

/** @param description of the choice: what each key is for */
function oneOfKeys(
  pointer: string,
  branches: readonly (readonly string[])[],
  data: unknown,
  description: string | undefined,
): Problem {
  const has = (key: string) => typeof data === 'object' && data !== null && Object.hasOwn(data, key);
  const quoted = (keys: readonly string[]) => keys.map((key) => `"${key}"`).join(' with ');
  const present = branches.filter((keys) => keys.every(has)).map(quoted);
  const names = branches.map(quoted).join(', ');
  return {
    pointer,
    atKey: true,
    rule: 'one-of-keys',
    message: `${nameOf(pointer)} must have exactly one of ${names}; it has ${present.join(' and ') || 'none'}`,
    remedy:
      present.length === 0
        ? `Add one of ${names}${description === undefined ? '.' : `. ${description}`}`
        : `Keep one of ${names} and remove the rest.`,
  };
}

/** What to say of a value that fits no branch of a union: what the branch says that fits best. */
function verdictOf(verdicts: readonly Problem[][], schema: AnySchemaObject, at: string): Problem[] {
  const scores = verdicts.map((problems) => problems.reduce((sum, p) => sum + weight(p, at), 0));
  const best = verdicts[scores.indexOf(Math.min(...scores))] ?? [];
  const { description, title } = schema;
  if (description === undefined) return best;
  const strange = best.filter((p) => isHere(p, at) && KEY_RULES.has(p.rule));
  const isStranger = new Set(strange.map((p) => p.rule)).size === 2 && !strange.some(isGuess);
  if (isStranger && verdicts.length > 1) {
    const message = `${nameOf(at)} is not a valid ${noun({ title })}`;
    return [{ pointer: at, atKey: true, rule: 'no-such-kind', message, remedy: description }];
  }
  // Of a plain value, what all branches together want says more than what the nearest one wants.
  const isPlain = (p: Problem) => p.pointer === at && VALUE_RULES.has(p.rule) && !isGuess(p);
  return best.map((p) => (isPlain(p) ? { ...p, remedy: description } : p));
}

const KEY_RULES: ReadonlySet<string> = new Set(['unknown-key', 'missing-key']);
const VALUE_RULES: ReadonlySet<string> = new Set(['not-in-list', 'out-of-range', 'bad-value']);

/** How much a problem speaks against a branch: keys that do not belong weigh most, then what is missing. */
function weight(problem: Problem, at: string): number {
  if (problem.rule === 'unknown-key' && isHere(problem, at)) return 10;
  if (problem.rule === 'missing-key' && isHere(problem, at)) return 9;
  return 1;
}

/** About this place or a key of it, rather than deeper. */
function isHere(problem: Problem, at: string): boolean {
  return problem.pointer.slice(at.length).split('/').length <= 2;
}

function isGuess(problem: Problem): boolean {
  return problem.remedy.startsWith('Did you mean');
}
