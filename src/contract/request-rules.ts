import type { Problem } from '../fault/index.js';
import { type Bundle, bundle } from './bundle.js';
import { openParts } from './closed.js';
import { conjunction } from './conjunction.js';
import type { FormRule, RequestRules, ValueRule } from './contract.js';
import type { JsonSchema, RequestDefinition } from './definition.js';
import { formShape } from './form-shape.js';
import { isNode, type SchemaNode } from './keywords.js';
import { compilePattern } from './pattern.js';
import { below, inContract, type Place, problemAt } from './place.js';
import { isPrototypeName } from './prototype-names.js';
import type { SchemaLibrary } from './schema-library.js';
import { isTextType, singleType } from './single-type.js';
import type { Validator, Validators } from './validator.js';

/**
 * Headers that never pass from the agent to the upstream: credentials, which the sidecar has its own of; what belongs to
 * one connection (RFC 9110 section 7.6.1); conditions and ranges (sections 13 and 14), since evidence is always fresh;
 * what describes a body or an answer that the sidecar itself writes or reads; and what would make another call of this one.
 */
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
  'content-length',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'accept-charset',
  // De facto: the upstream would take the call for one of another method or path than the route's
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
]);

/** Stage 2's rules from `request`; what is wrong is added to the library's problems. */
export function compileRequest(
  request: RequestDefinition,
  library: SchemaLibrary,
  validators: Validators,
): RequestRules {
  const compiler = new RequestCompiler(library, validators);
  const params = compiler.values('params', request.params ?? {}, Object.keys(request.params ?? {}));
  const query = compiler.values('query', request.query ?? {}, request.required_query ?? []);
  const headers = compiler.values('headers', request.headers ?? {}, request.required_headers ?? []);
  const body = compiler.body(request.body);
  return { params, query, headers, ...(body === undefined ? {} : { body }) };
}

class RequestCompiler {
  readonly #library: SchemaLibrary;
  readonly #validators: Validators;
  readonly #problems: Problem[];

  constructor(library: SchemaLibrary, validators: Validators) {
    this.#library = library;
    this.#validators = validators;
    this.#problems = library.problems;
  }

  values(
    part: 'params' | 'query' | 'headers',
    schemas: Readonly<Record<string, JsonSchema>>,
    required: readonly string[],
  ): ReadonlyMap<string, ValueRule> {
    const rules = new Map<string, ValueRule>();
    for (const [name, schema] of Object.entries(schemas)) {
      const place = inContract('request', part, name);
      this.#name(part, name, place);
      const rule = this.#value(schema, place, required.includes(name), part === 'query');
      if (rule !== undefined) rules.set(name, rule);
    }
    for (const [i, name] of required.entries()) {
      if (Object.hasOwn(schemas, name)) continue;
      const place = inContract('request', `required_${part}`, String(i));
      this.#say(place, 'undeclared', `"${name}" is not declared in ${part}`, `add it to request.${part}`);
    }
    return rules;
  }

  body(definition: RequestDefinition['body']): RequestRules['body'] {
    if (definition === undefined) return undefined;
    const place = inContract('request', 'body', 'schema');
    const site = this.#library.open(definition.schema, place);
    if (site === undefined) return undefined;
    const bundled = bundle(site);
    this.#problems.push(...openParts(bundled));
    const form = this.#form(definition, bundled);
    const validator = this.#compile(bundled);
    if (validator === undefined || form === null) return undefined;
    const required = definition.required === true;
    const validate = (value: unknown) => validator.first(value);
    return form === undefined ? { required, validate } : { required, form, validate };
  }

  /** Undefined for a body that is JSON, null after a problem. */
  #form(
    { media_type, arrays }: NonNullable<RequestDefinition['body']>,
    bundled: Bundle,
  ): FormRule | undefined | null {
    if (media_type === 'application/json') {
      if (arrays !== undefined) {
        const place = inContract('request', 'body', 'arrays');
        const message = 'arrays says how lists stand in an urlencoded body, and this one is JSON';
        this.#say(place, 'json-arrays', message, 'remove it', true);
      }
      return undefined;
    }
    const made = formShape(bundled, arrays === 'brackets' || arrays === 'repeat');
    if ('shape' in made) return arrays === undefined ? made : { ...made, arrays };
    this.#problems.push(...made.problems);
    return null;
  }

  #name(part: string, name: string, place: Place): void {
    if (isPrototypeName(name)) {
      const message = `"${name}" is a name that every JavaScript object answers to`;
      this.#say(place, 'prototype-name', message, 'it cannot be used', true);
    }
    if (part !== 'headers') return;
    if (name !== name.toLowerCase()) {
      this.#say(place, 'header-name', 'the header name has capitals', `write ${name.toLowerCase()}`, true);
    }
    if (FORBIDDEN_HEADERS.has(name.toLowerCase())) {
      const message = `the header ${name} of the agent never leaves`;
      this.#say(
        place,
        'forbidden-header',
        message,
        "remove it; a header of the sidecar's own goes to the upstream",
        true,
      );
    }
  }

  #value(schema: JsonSchema, place: Place, required: boolean, canRepeat: boolean): ValueRule | undefined {
    const site = this.#library.open(schema, place);
    if (site === undefined) return undefined;
    const bundled = bundle(site);
    const type = singleType(bundled, bundled.root);
    const array = canRepeat && type === 'array';
    const item = array ? this.#item(bundled, place) : bundled.root;
    const scalar = item && singleType(bundled, item);
    if (!isTextType(scalar)) {
      const remedy = canRepeat
        ? 'write type: string, integer, number or boolean, or an array of one of them'
        : 'write type: string, integer, number or boolean';
      this.#say(place, 'parameter-type', 'the value has no single type that text can be read as', remedy);
      return undefined;
    }
    if (scalar === 'string' && item !== undefined && !namesCharacters(bundled, [item])) {
      this.#anyCharacter(bundled, item, place);
    }
    const validator = this.#compile(bundled);
    return validator && { type: scalar, array, required, validate: (value) => validator.first(value) };
  }

  #anyCharacter(bundled: Bundle, schema: SchemaNode, place: Place): void {
    // Each pattern here is one that does not name the characters.
    const node = [...conjunction(bundled, [schema]).nodes].find(({ pattern }) => typeof pattern === 'string');
    const pattern = node && bundled.placeOf(node, 'pattern');
    if (pattern !== undefined) {
      const message = 'the pattern is not anchored, so that anything can stand around what it matches';
      this.#say(
        pattern,
        'unanchored-pattern',
        message,
        'add ^ / $: "^...$", and "^(?:a|b)$" around a choice',
      );
      return;
    }
    const message = 'the text can hold any character, also / and control characters';
    const remedy = 'add enum, const, format, or a pattern from ^ to $ such as "^[A-Za-z0-9_-]{1,64}$"';
    this.#say(place, 'any-character', message, remedy);
  }

  #item(bundled: Bundle, place: Place): SchemaNode | undefined {
    const { nodes } = conjunction(bundled, [bundled.root]);
    if (![...nodes].some((node) => typeof node.maxItems === 'number')) {
      const message = 'the parameter can be repeated any number of times';
      this.#say(place, 'unbounded-array', message, 'add maxItems');
    }
    for (const { items } of nodes) if (isNode(items)) return items;
    return undefined;
  }

  #compile(bundled: Bundle): Validator | undefined {
    const compiled = this.#validators.compile(bundled);
    if ('accepts' in compiled) return compiled;
    this.#problems.push(...compiled);
    return undefined;
  }

  #say(place: Place, rule: string, message: string, remedy: string, atKey = false): void {
    this.#problems.push(problemAt(below(place), { rule, message, remedy, ...(atKey ? { atKey } : {}) }));
  }
}

/** Whether the schemas say which characters a text can have. */
function namesCharacters(bundled: Bundle, schemas: readonly SchemaNode[]): boolean {
  const { nodes, choices } = conjunction(bundled, schemas);
  for (const node of nodes) {
    if (Array.isArray(node.enum) || Object.hasOwn(node, 'const') || node.format !== undefined) return true;
    const pattern = typeof node.pattern === 'string' ? compilePattern(node.pattern) : undefined;
    if (typeof pattern === 'object' && pattern.anchored) return true;
  }
  return choices.some(({ options }) => options.every((option) => namesCharacters(bundled, [option])));
}
