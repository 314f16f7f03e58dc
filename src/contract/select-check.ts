import type { Problem } from '../fault/index.js';
import { type Bundle, writtenAt } from './bundle.js';
import { allowedTypes, conjunction, itemSchemas, memberSchemas } from './conjunction.js';
import type { RequestRules } from './contract.js';
import { isNode, type SchemaNode, subschemas } from './keywords.js';
import { below, type Place, problemAt } from './place.js';
import type { FieldPlan, ListPlan, ObjectPlan, ScalarPlan, SelectPlan } from './select.js';
import { missingFields } from './select-required.js';
import { nearest } from './shape-sentence.js';
import type { Source } from './source.js';
import { admits, knownAt, meet, valueTypes } from './value-types.js';

/** What a select stands between. */
export interface SelectSides {
  /** Undefined: the alternative has no body. */
  readonly answer: Bundle | undefined;
  readonly request: RequestRules;
  readonly result: Bundle;
}

/**
 * Whether a select and the result schema are about the same object: every field is a property of the schema, every
 * property that the schema requires is a field that cannot be absent, and no field surely gives what the schema refuses:
 * a value of a type that it does not take, or more items.
 *
 * @param place of the select in contract.yaml
 */
export function checkSelect(plan: SelectPlan, place: Place, sides: SelectSides): Problem[] {
  const check = new SelectCheck(sides);
  const root = [sides.result.root];
  const answer = sides.answer === undefined ? [] : [sides.answer.root];
  if ('fields' in plan.data) check.object(plan.data, place, { all: root, sure: root }, answer);
  else check.list(plan.data, place, { all: root, sure: root }, answer);
  return check.problems;
}

/** The result's schemas for one value. */
interface Wanted {
  /** Those that may apply, of choices and conditions all of them. */
  readonly all: readonly SchemaNode[];
  /** Those that apply whatever is chosen. */
  readonly sure: readonly SchemaNode[];
}

const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];

class SelectCheck {
  readonly problems: Problem[] = [];
  readonly #sides: SelectSides;
  readonly #result: Bundle;

  constructor(sides: SelectSides) {
    this.#sides = sides;
    this.#result = sides.result;
  }

  /** @param answer the schemas that surely hold on the value that the fields' pointers start from */
  object(plan: ObjectPlan, place: Place, wanted: Wanted, answer: readonly SchemaNode[]): void {
    if (!this.#type(['object'], place, wanted.sure)) return;
    const everywhere = this.#everywhere(wanted.all);
    const surely = conjunction(this.#result, wanted.sure).nodes;
    const produced = new Set<string>();
    const maybe = new Set<string>();
    for (const field of plan.fields) {
      const at = below(place, field.name);
      for (const name of names(field)) (isOptional(field) ? maybe : produced).add(name);
      for (const name of names(field)) {
        if (memberSchemas(everywhere, name).length === 0) this.#unknown(name, at, wanted.all);
      }
      const members = memberSchemas(everywhere, field.name);
      if (members.length === 0) continue;
      const part = { all: members, sure: memberSchemas(surely, field.name) };
      if ('object' in field) this.object(field.object, below(at, 'object'), part, answer);
      else if ('list' in field) {
        this.list(field.list, at, part, answer);
        if (field.total !== undefined)
          this.#given(['integer'], '', below(at, 'total'), memberSchemas(surely, field.total));
      } else this.#scalar(field.scalar, at, part.sure, answer);
    }
    this.problems.push(...missingFields(this.#result, wanted.sure, produced, maybe, place));
  }

  list(plan: ListPlan, place: Place, wanted: Wanted, answer: readonly SchemaNode[]): void {
    if (!this.#type(['array'], place, wanted.sure)) return;
    this.#count(plan, place, wanted.sure);
    const list = this.#found(plan.path, below(place, 'each'), answer);
    const items: SchemaNode[] = [];
    for (const node of this.#everywhere(wanted.all)) {
      for (const sub of subschemas(node)) {
        if ((sub.keyword === 'items' || sub.keyword === 'prefixItems') && isNode(sub.schema))
          items.push(sub.schema);
      }
    }
    if (items.length === 0) return;
    // Where items differ by their index, what the first one breaks refuses every array but the empty one.
    const sure = itemSchemas(conjunction(this.#result, wanted.sure).nodes, 0);
    const { answer: bundle } = this.#sides;
    const item = bundle === undefined ? [] : itemSchemas(conjunction(bundle, list).nodes, 0);
    if (isObjectPlan(plan.item)) this.object(plan.item, below(place, 'select'), { all: items, sure }, item);
    else this.#scalar(plan.item, below(place, 'item'), sure, item);
  }

  #count(plan: ListPlan, place: Place, schemas: readonly SchemaNode[]): void {
    const word = plan.max === undefined ? 'take' : 'max';
    const count = plan[word];
    for (const node of conjunction(this.#result, schemas).nodes) {
      const { maxItems } = node;
      if (count === undefined || typeof maxItems !== 'number' || count <= maxItems) continue;
      const message = `${word} is ${count}, and the result schema takes at most ${maxItems} items (${this.#name([node])})`;
      const remedy = `write ${word}: ${maxItems}, or raise maxItems there to ${count}`;
      this.#say(below(place, word), 'result-items', message, remedy, false);
      return;
    }
  }

  #scalar(plan: ScalarPlan, place: Place, sure: readonly SchemaNode[], answer: readonly SchemaNode[]): void {
    const { source } = plan;
    const found = source.kind === 'answer' ? this.#found(source.path, place, answer) : [];
    if (!this.#type(SCALARS, place, sure)) return;
    const { gives } = plan.value;
    const { answer: bundle } = this.#sides;
    if (gives === undefined && source.kind !== 'answer') {
      this.#given(this.#typesOutside(source), '', place, sure);
    } else if (gives === undefined) {
      if (bundle !== undefined) this.#given(valueTypes(bundle, found), writtenAt(bundle, found), place, sure);
    } else if ('length' in gives) {
      this.#given(gives, '', place, sure);
    } else {
      for (const [text, value] of gives) {
        if (admits(this.#result, sure, value)) continue;
        const message = `the map gives ${JSON.stringify(value)}, which the result schema does not take (${this.#name(sure)})`;
        this.#say(below(place, 'map', text), 'result-map', message, 'correct the map, or the schema', false);
      }
    }
  }

  /** Whether the result takes a value of one of these types. */
  #given(
    types: readonly string[] | undefined,
    from: string,
    place: Place,
    sure: readonly SchemaNode[],
  ): void {
    const wanted = valueTypes(this.#result, sure);
    if (types === undefined || wanted === undefined || meet(types, wanted)) return;
    const where = from === '' ? '' : ` (${from})`;
    const message = `the field gives ${types.join(' or ')}${where}, and the result schema takes ${wanted.join(' or ')} (${this.#name(sure)})`;
    const remedy = 'select another value, convert it, or correct the schema that is wrong';
    this.#say(place, 'result-type', message, remedy, false);
  }

  /** The schemas that surely hold on what the pointer finds; none where nothing is certain. */
  #found(path: readonly string[], place: Place, answer: readonly SchemaNode[]): readonly SchemaNode[] {
    const { answer: bundle } = this.#sides;
    if (bundle === undefined) return [];
    const known = knownAt(bundle, answer, path);
    if ('schemas' in known) return known.schemas;
    const message = `"${known.name}" is never there: the answer's schema is closed and does not name it (${writtenAt(bundle, [known.closed])})`;
    const meant = nearest(known.name, known.names);
    const remedy = meant === undefined ? 'add it to properties there' : `did you mean "${meant}"?`;
    this.#say(place, 'not-in-answer', message, remedy, false);
    return [];
  }

  /** Types of a value that is not of the answer's body, as it comes. */
  #typesOutside(source: Source): readonly string[] | undefined {
    switch (source.kind) {
      case 'id':
      case 'link':
        return ['string'];
      case 'header':
        return [source.type ?? 'string'];
      case 'params':
      case 'query':
      case 'headers': {
        const type = this.#sides.request[source.kind].get(source.name)?.type;
        return type === undefined ? undefined : [type];
      }
      default:
        return undefined;
    }
  }

  /** Whether the schemas can take what a field of that kind gives. */
  #type(kinds: readonly string[], place: Place, schemas: readonly SchemaNode[]): boolean {
    const types = allowedTypes(conjunction(this.#result, schemas).nodes);
    if (types === undefined || kinds.some((kind) => types.has(kind))) return true;
    const message = `the field gives ${kinds[0] === 'string' ? 'a single value' : `an ${kinds[0]}`}, and the result schema takes ${[...types].join(' or ')} (${this.#name(schemas)})`;
    this.#say(
      place,
      'result-type',
      message,
      'select what the schema describes, or correct the schema',
      false,
    );
    return false;
  }

  /** Every schema that can apply to the value, of choices and conditions all of them. */
  #everywhere(schemas: readonly SchemaNode[]): Set<SchemaNode> {
    const found = new Set(schemas);
    for (const node of found) {
      if (typeof node.$ref === 'string') found.add(this.#result.target(node.$ref));
      for (const sub of subschemas(node)) if (sub.sameValue && isNode(sub.schema)) found.add(sub.schema);
    }
    return found;
  }

  #unknown(name: string, place: Place, schemas: readonly SchemaNode[]): void {
    const message = `"${name}" is not a property of the result schema (${this.#name(schemas)})`;
    this.#say(place, 'not-in-result', message, 'add it to properties there, or remove the field', true);
  }

  #name(schemas: readonly SchemaNode[]): string {
    return writtenAt(this.#result, schemas);
  }

  #say(place: Place, rule: string, message: string, remedy: string, atKey: boolean): void {
    this.problems.push(problemAt(place, { rule, message, remedy, ...(atKey ? { atKey } : {}) }));
  }
}

function names(field: FieldPlan): string[] {
  return 'list' in field && field.total !== undefined ? [field.name, field.total] : [field.name];
}

function isOptional(field: FieldPlan): boolean {
  if ('scalar' in field) return field.scalar.optional;
  return 'list' in field && field.list.optional;
}

function isObjectPlan(item: ObjectPlan | ScalarPlan): item is ObjectPlan {
  return 'fields' in item;
}
