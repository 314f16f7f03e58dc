import type { Problem } from '../fault/index.js';
import type { Bundle } from './bundle.js';
import { allowedTypes, conjunction, memberSchemas, requiredNames } from './conjunction.js';
import { isNode, type SchemaNode, subschemas } from './keywords.js';
import { below, describePlace, type Place, problemAt } from './place.js';
import type { FieldPlan, ListPlan, ObjectPlan, ScalarPlan, SelectPlan } from './select.js';

/**
 * Whether a select and the result schema are about the same object: every field is a property of the schema, and every
 * property that the schema requires is a field that cannot be absent.
 *
 * @param place of the select in contract.yaml
 */
export function checkSelect(plan: SelectPlan, place: Place, result: Bundle): Problem[] {
  const check = new SelectCheck(result);
  if ('fields' in plan.data) check.object(plan.data, place, [result.root]);
  else check.list(plan.data, place, [result.root]);
  return check.problems;
}

class SelectCheck {
  readonly problems: Problem[] = [];
  readonly #result: Bundle;

  constructor(result: Bundle) {
    this.#result = result;
  }

  object(plan: ObjectPlan, place: Place, schemas: readonly SchemaNode[]): void {
    if (!this.#type(['object'], place, schemas)) return;
    const everywhere = this.#everywhere(schemas);
    const produced = new Set<string>();
    const maybe = new Set<string>();
    for (const field of plan.fields) {
      const at = below(place, field.name);
      for (const name of names(field)) (isOptional(field) ? maybe : produced).add(name);
      for (const name of names(field)) {
        if (memberSchemas(everywhere, name).length === 0) this.#unknown(name, at, schemas);
      }
      const members = memberSchemas(everywhere, field.name);
      if (members.length === 0) continue;
      if ('object' in field) this.object(field.object, below(at, 'object'), members);
      else if ('list' in field) this.list(field.list, at, members);
      else this.#scalar(at, members);
    }
    this.#required(schemas, produced, maybe, place);
  }

  list(plan: ListPlan, place: Place, schemas: readonly SchemaNode[]): void {
    if (!this.#type(['array'], place, schemas)) return;
    const items: SchemaNode[] = [];
    for (const node of this.#everywhere(schemas)) {
      for (const sub of subschemas(node)) {
        if ((sub.keyword === 'items' || sub.keyword === 'prefixItems') && isNode(sub.schema))
          items.push(sub.schema);
      }
    }
    if (items.length === 0) return;
    if (isObjectPlan(plan.item)) this.object(plan.item, below(place, 'select'), items);
    else this.#scalar(below(place, 'item'), items);
  }

  #scalar(place: Place, schemas: readonly SchemaNode[]): void {
    this.#type(['string', 'number', 'integer', 'boolean', 'null'], place, schemas);
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

  #required(
    schemas: readonly SchemaNode[],
    produced: ReadonlySet<string>,
    maybe: ReadonlySet<string>,
    place: Place,
  ): void {
    const { nodes, choices } = conjunction(this.#result, schemas);
    const missing = [...requiredNames(nodes)].filter((name) => !produced.has(name));
    for (const name of missing) {
      const where = `the result schema requires "${name}" (${this.#name(schemas)})`;
      if (maybe.has(name)) {
        const message = `${where}, and the field "${name}" is optional`;
        this.#say(
          below(place, name),
          'result-requires',
          message,
          'remove optional, or take it out of required',
          true,
        );
      } else {
        const message = `${where}, and select does not give it`;
        this.#say(
          place,
          'result-requires',
          message,
          `add the field ${name}, or take it out of required`,
          true,
        );
      }
    }
    for (const { options } of choices) {
      const lacking = options.map((option) => {
        const needs = requiredNames(conjunction(this.#result, [option]).nodes);
        return [...needs].filter((name) => !produced.has(name) && !maybe.has(name));
      });
      if (lacking.length === 0 || lacking.some((names) => names.length === 0)) continue;
      const message = `every branch of the result schema requires what select does not give: ${lacking
        .flat()
        .map((name) => `"${name}"`)
        .join(', ')}`;
      this.#say(place, 'result-requires', message, 'add the fields of one branch', true);
    }
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
    const place = schemas[0] && this.#result.placeOf(schemas[0]);
    return place === undefined ? 'result' : describePlace(place);
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
