import type { AnySchemaObject, ErrorObject } from 'ajv';
import type { Problem } from '../fault/index.js';
import { formatPointer, parsePointer } from '../json/index.js';

/** One Ajv error as a Problem; undefined for an error that only repeats another. */
export function sentence(
  error: ErrorObject,
  base: string,
  resolve: (schema: AnySchemaObject) => AnySchemaObject,
): Problem | undefined {
  const schema: AnySchemaObject = error.parentSchema ?? {};
  const params = error.params as Readonly<Record<string, unknown>>;
  const pointer = base + error.instancePath;
  const name = nameOf(pointer);
  const say = (rule: string, message: string, remedy = hint(pointer, schema)): Problem => ({
    pointer,
    rule,
    message,
    remedy,
  });
  const atKey = (problem: Problem, at = pointer): Problem => ({ ...problem, pointer: at, atKey: true });

  if (error.propertyName !== undefined && error.keyword !== 'propertyNames') {
    const at = pointer + formatPointer([error.propertyName]);
    return atKey(say('bad-key', `a key of ${name} is not a valid ${noun(schema)}`, hint('', schema)), at);
  }
  switch (error.keyword) {
    // What a name breaks is reported by itself, and what a branch of `if` breaks too.
    case 'propertyNames':
    case 'if':
      return undefined;
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      return atKey(
        say('unknown-key', `${quote(key)} is not a key of ${name}`, keyRemedy(key, schema, error.data)),
        pointer + formatPointer([key]),
      );
    }
    case 'required': {
      const key = String(params.missingProperty);
      const member = resolve(schema.properties?.[key] ?? {});
      return atKey(say('missing-key', `${name} lacks the key "${key}"`, hint(`/${key}`, member, 'Add')));
    }
    case 'dependentRequired': {
      const missing = String(params.missingProperty);
      const message = `${name} has "${params.property}" and lacks the key "${missing}", which belongs to it`;
      return atKey(
        say('missing-key', message, hint(`/${missing}`, resolve(schema.properties?.[missing] ?? {}), 'Add')),
      );
    }
    case 'type':
      return say(
        'wrong-type',
        `${name} ${kindOf(error.data)}, must be ${describe(schema)}`,
        typeRemedy(pointer, schema, error.data),
      );
    case 'enum':
      return listed(say, name, schema.enum, error.data);
    case 'const':
      return listed(say, name, [schema.const], error.data);
    case 'pattern':
      return say('bad-form', `${name} is not a valid ${noun(schema)}`);
    case 'not':
      // `not: {}` closes a key; any other `not` cuts values out.
      if (Object.keys(schema.not ?? {}).length > 0)
        return say('bad-value', `${name} is not a valid ${noun(schema)}`);
      return atKey(say('not-here', `${name} cannot be set here`));
    case 'minimum':
      return say('out-of-range', `${name} must be at least ${params.limit}`);
    case 'maximum':
      return say('out-of-range', `${name} must be at most ${params.limit}`);
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return say('too-few', `${name} must have at least ${count(error, params.limit)}`);
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return say('too-many', `${name} must have at most ${count(error, params.limit)}`);
    case 'uniqueItems':
      return say('repeated-item', `${name} has the same item twice`, 'Remove one of them.');
    default:
      return say('bad-shape', `${name} ${error.message ?? 'does not fit'}`);
  }
}

function keyRemedy(key: string, schema: AnySchemaObject, data: unknown): string {
  const known = Object.keys(schema.properties ?? {});
  const absent = known.filter((k) => typeof data !== 'object' || data === null || !Object.hasOwn(data, k));
  const meant = nearest(key, absent);
  return meant === undefined
    ? `Remove it; the keys here are ${known.join(', ')}.`
    : `Did you mean "${meant}"?`;
}

function typeRemedy(pointer: string, schema: AnySchemaObject, data: unknown): string {
  const scalar = typeof data === 'number' || typeof data === 'boolean';
  if (schema.type === 'string' && scalar && schema.examples === undefined) {
    return 'Put it in quotes if it is meant as text.';
  }
  if (schema.type === 'array' && schema.examples === undefined)
    return `Write a list, each item after "- ". ${schema.description ?? ''}`;
  if (schema.type === 'object' && schema.examples === undefined && schema.properties !== undefined) {
    return `Write a map with the keys ${Object.keys(schema.properties).join(', ')}.`;
  }
  return hint(pointer, schema);
}

function listed(
  say: (rule: string, message: string, remedy?: string) => Problem,
  name: string,
  values: readonly unknown[],
  data: unknown,
): Problem {
  const list = or(values.map((value) => JSON.stringify(value)));
  const words = values.filter((value) => typeof value === 'string');
  const meant = typeof data === 'string' ? nearest(data, words) : undefined;
  const remedy = meant === undefined ? `Write ${list}.` : `Did you mean "${meant}"?`;
  return say('not-in-list', `${name} must be ${list}`, remedy);
}

/** What to write instead, from the schema's own example and description. */
export function hint(pointer: string, schema: AnySchemaObject, verb = 'Write'): string {
  const key = parsePointer(pointer)?.at(-1) ?? '';
  const example: unknown = schema.examples?.[0] ?? schema.default ?? schema.const;
  const text = String(schema.description ?? '');
  if (example === undefined && text === '')
    return verb === 'Add' ? `Add "${key}".` : `Write ${describe(schema)}.`;
  if (example === undefined) return verb === 'Add' ? `Add "${key}": ${text}` : text;
  const isMember = key !== '' && !/^[0-9]+$/.test(key);
  return `${verb} for example ${isMember ? `${key}: ` : ''}${yamlOf(example)}.${text === '' ? '' : ` ${text}`}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'empty',
};

/** What a value is: `is a number`. */
export function kindOf(data: unknown): string {
  if (data === null) return 'has no value';
  if (Array.isArray(data)) return 'is a list';
  if (typeof data === 'boolean') return `is ${data}`;
  return `is ${KINDS[typeof data] ?? typeof data}`;
}

/** What a schema wants, as a noun with an example where one helps. */
export function describe(schema: AnySchemaObject): string {
  const kinds = [schema.type ?? []].flat().map((type) => KINDS[String(type)] ?? String(type));
  const kind = kinds.length === 0 ? noun(schema) : or(kinds);
  const example: unknown = schema.examples?.[0];
  return example === undefined || schema.type === 'array' ? kind : `${kind} such as ${yamlOf(example)}`;
}

/** Whether a value is of the kind that a schema is about. */
export function typeFits(schema: AnySchemaObject, data: unknown): boolean {
  const types = [schema.type ?? []].flat().map(String);
  if (types.length === 0) return schema.enum === undefined || typeof data === 'string';
  const actual = data === null ? 'null' : Array.isArray(data) ? 'array' : typeof data;
  return types.includes(actual) || (actual === 'number' && types.includes('integer'));
}

export function noun(schema: AnySchemaObject): string {
  const title = String(schema.title ?? 'value');
  // HTTP stays HTTP.
  return /^.[A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

const COUNTED: Readonly<Record<string, readonly [one: string, many: string]>> = {
  Length: ['character', 'characters'],
  Items: ['item', 'items'],
  Properties: ['key', 'keys'],
};

function count(error: ErrorObject, limit: unknown): string {
  const [one, many] = COUNTED[error.keyword.slice(3)] ?? ['part', 'parts'];
  return `${limit} ${limit === 1 ? one : many}`;
}

/** `/routes/0/path` as a person writes it: `routes[0].path`. */
export function nameOf(pointer: string): string {
  let name = '';
  for (const key of parsePointer(pointer) ?? []) {
    if (/^[0-9]+$/.test(key)) name += `[${key}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(key)) name += name === '' ? key : `.${key}`;
    else name += `[${quote(key)}]`;
  }
  return name === '' ? 'the document' : name;
}

/** The candidate nearest to a word, if it is near enough to have been meant. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bound = Math.max(2, Math.floor(Math.min(word.length, 24) / 3) + 1);
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bound) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bound) [best, bound] = [candidate, distance];
  }
  return best;
}

/** Letters to change, add, drop or swap with a neighbour to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** `a, b or c`. */
export function or(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A value as it can stand in flow YAML. */
function yamlOf(value: unknown): string {
  if (typeof value === 'string')
    return /^[A-Za-z/][\w ./@-]*$/.test(value) && value !== 'true' ? value : quote(value);
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, v]) => `${key}: ${yamlOf(v)}`)
    .join(', ')} }`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
