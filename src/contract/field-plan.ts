import type { Problem } from '../fault/index.js';
import { firstForbidden, formatPointer, parsePointer } from '../json/index.js';
import type { HeaderRules, Scalar } from './contract.js';
import type { FromDefinition, RequestDefinition } from './definition.js';
import { AS_IS, converted, displayed, type FieldValue, mapped, templated } from './field-value.js';
import { below, type Place, problemAt } from './place.js';
import { secretHeader } from './response-headers.js';
import type { ScalarPlan } from './select.js';
import { typeList } from './sound-types.js';
import { isDeclared, nearestDeclared, parseSource, type Source } from './source.js';

/** What a select can look at besides the answer. */
export interface SelectScope {
  readonly request: RequestDefinition;
  /** The alternative has a schema, so that there is an answer to point into. */
  readonly hasBody: boolean;
  /** Declared headers of the answer. */
  readonly headers?: HeaderRules | undefined;
}

/** Compiles single values; what is wrong with one is added to the problems. */
export class FieldCompiler {
  readonly #scope: SelectScope;
  readonly #problems: Problem[];

  constructor(scope: SelectScope, problems: Problem[]) {
    this.#scope = scope;
    this.#problems = problems;
  }

  /** @param isShort the field is written as its source alone */
  scalar(name: string, definition: FromDefinition, place: Place, isShort: boolean): ScalarPlan | undefined {
    const source = this.#source(definition, isShort ? place : below(place, 'from'));
    const value = this.#value(definition, place);
    const pointer = formatPointer(place.path);
    return source && { source, value, optional: definition.optional === true, pointer, name };
  }

  #source(definition: FromDefinition, place: Place): Source | undefined {
    const { from } = definition;
    const source = parseSource(from);
    if (source === undefined) {
      const remedy =
        'write a JSON Pointer such as /user/login, request.params.NAME, request.query.NAME or header:NAME';
      this.#say(place, 'source', `"${from}" is not a source`, remedy);
      return undefined;
    }
    if (source.kind === 'header') return this.#header(source, place);
    if (source.kind === 'answer' && !this.#scope.hasBody) {
      this.#say(
        place,
        'no-body',
        'the alternative has no schema, so there is no answer to read',
        'add a schema',
      );
    }
    if (!isDeclared(source, this.#scope.request)) {
      const meant = nearestDeclared(source, this.#scope.request);
      const remedy =
        meant === undefined ? 'declare it under request, or correct the name' : `did you mean ${meant}?`;
      this.#say(place, 'undeclared', `"${from}" names what the request does not declare`, remedy);
    } else if (definition.optional !== true && this.#canBeLeftOut(source)) {
      const remedy = 'add optional: true, or make it required in the request';
      this.#say(
        place,
        'maybe-absent',
        `the agent may leave out "${from}", and then no answer could pass`,
        remedy,
      );
    }
    if (source.kind === 'query' && typeOfQuery(this.#scope.request, source.name)?.includes('array')) {
      this.#say(
        place,
        'array-source',
        `"${from}" can be repeated, and a field takes one value`,
        'leave it out',
      );
    }
    return source;
  }

  #header(source: Extract<Source, { readonly kind: 'header' }>, place: Place): Source {
    const secret = secretHeader(source.name);
    if (secret !== undefined) this.#say(place, 'secret-header', secret.message, secret.remedy);
    const type = this.#scope.headers?.get(source.name)?.type;
    return type === undefined ? source : { ...source, type };
  }

  #canBeLeftOut(source: Source): boolean {
    const { request } = this.#scope;
    if (source.kind === 'query') return !(request.required_query ?? []).includes(source.name);
    if (source.kind === 'headers') return !(request.required_headers ?? []).includes(source.name);
    return source.kind === 'body' && request.body?.required !== true;
  }

  #value(definition: FromDefinition, place: Place): FieldValue {
    const rules = (['map', 'template', 'convert', 'text'] as const).filter(
      (word) => definition[word] !== undefined,
    );
    if (rules.length > 1) {
      const message = `${rules.join(' and ')} stand together, and a field has one rule`;
      this.#say(place, 'one-rule', message, `keep one of ${rules.join(', ')}`);
    }
    if (definition.max_length !== undefined && definition.text === undefined) {
      const remedy = 'put maxLength into the result schema';
      this.#say(below(place, 'max_length'), 'max-length', 'max_length goes with text: display', remedy);
    }
    if (definition.map !== undefined) return this.#map(definition.map, below(place, 'map'));
    if (definition.template !== undefined)
      return this.#template(definition.template, below(place, 'template'));
    if (definition.convert !== undefined) return converted(definition.convert);
    if (definition.text === undefined) return AS_IS;
    if (definition.max_length === undefined) {
      this.#say(
        below(place, 'text'),
        'max-length',
        'text: display has no bound',
        'add max_length, in code points',
      );
    }
    return displayed(definition.max_length ?? 0);
  }

  #map(map: NonNullable<FromDefinition['map']>, place: Place): FieldValue {
    const entries = new Map<string, Scalar>();
    for (const [from, to] of Object.entries(map)) {
      entries.set(from, to);
      const inexact =
        typeof to === 'number' && (!Number.isFinite(to) || Math.abs(to) > Number.MAX_SAFE_INTEGER);
      if (inexact)
        this.#say(below(place, from), 'inexact-number', 'the number is not exact', 'write it as text');
      if (typeof to === 'string') this.#ownText(to, below(place, from));
    }
    return mapped(entries);
  }

  #template(template: string, place: Place): FieldValue {
    const [before = '', after = '', ...more] = template.split('{}');
    if (more.length > 0 || !template.includes('{}')) {
      this.#say(place, 'template', 'a template has exactly one {}', 'write for example "CR-{}"');
    }
    this.#ownText(template, place);
    return templated(before, after);
  }

  /** The contract's own text keeps the text rules as well: the byte bound of the result rests on them. */
  #ownText(text: string, place: Place): void {
    if (firstForbidden(text, 'plain') < 0) return;
    const message = 'the text has a control, bidirectional, zero-width or other invisible character';
    this.#say(place, 'hidden-text', message, 'write visible characters only');
  }

  /** The segments of a pointer into the answer. */
  pointer(text: string, place: Place): readonly string[] {
    const path = parsePointer(text);
    if (path === undefined) {
      this.#say(
        place,
        'source',
        `"${text}" is not a JSON Pointer`,
        'write "" for the whole answer, or /items',
      );
    }
    if (!this.#scope.hasBody) {
      this.#say(
        place,
        'no-body',
        'the alternative has no schema, so there is no answer to read',
        'add a schema',
      );
    }
    return path ?? [];
  }

  #say(place: Place, rule: string, message: string, remedy: string): void {
    this.#problems.push(problemAt(place, { rule, message, remedy }));
  }
}

function typeOfQuery(request: RequestDefinition, name: string): readonly string[] | undefined {
  const schema = request.query?.[name];
  return typeof schema === 'object' ? typeList(schema.type) : undefined;
}
