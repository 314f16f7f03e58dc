import type { Problem } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import type {
  EachDefinition,
  FieldDefinition,
  FieldsDefinition,
  FromDefinition,
  ObjectDefinition,
  SelectDefinition,
} from './definition.js';
import { FieldCompiler, type SelectScope } from './field-plan.js';
import { below, type Place, problemAt } from './place.js';
import { isPrototypeName } from './prototype-names.js';
import { ITEM, type ReadPath } from './read-path.js';
import type { FieldPlan, ListPlan, ObjectPlan, ScalarPlan, SelectPlan, TextPlan } from './select.js';

export interface CompiledSelect {
  readonly plan: SelectPlan;
  readonly reads: readonly ReadPath[];
}

/** Compiles a select; what is wrong with it is added to `problems`, and what is right of it is still compiled. */
export function compileSelect(
  select: SelectDefinition,
  place: Place,
  scope: SelectScope,
  problems: Problem[],
): CompiledSelect {
  const compiler = new SelectCompiler(scope, problems);
  const plan = compiler.select(select, place);
  return { plan, reads: compiler.reads };
}

class SelectCompiler {
  readonly reads: ReadPath[] = [];
  readonly #fields: FieldCompiler;
  readonly #problems: Problem[];
  readonly #texts: TextPlan[] = [];

  constructor(scope: SelectScope, problems: Problem[]) {
    this.#fields = new FieldCompiler(scope, problems);
    this.#problems = problems;
  }

  select(select: SelectDefinition, place: Place): SelectPlan {
    if (!isEach(select)) return { data: this.#object(select, place, [], true), texts: this.#texts };
    if (select.take !== undefined) {
      const message = 'take has no object beside it in which its total could stand';
      this.#say(
        below(place, 'take'),
        'take',
        message,
        'use max, or make the array a field: items: { each: ... }',
      );
    }
    if (select.cursor !== undefined) {
      const message = 'cursor has no object beside it in which its field could stand';
      const remedy =
        'use max, with links: rewrite where the Link header tells of more; or make the array a field';
      this.#say(below(place, 'cursor'), 'cursor', message, remedy);
    }
    if (select.optional === true) {
      const message = 'an array that is the whole result cannot be absent';
      this.#say(below(place, 'optional'), 'optional', message, 'remove optional, or make the array a field');
    }
    return { data: this.#list(select, place, [], 'data'), texts: [] };
  }

  #object(fields: FieldsDefinition, place: Place, around: ReadPath, isTop: boolean): ObjectPlan {
    const plans: FieldPlan[] = [];
    for (const [name, field] of Object.entries(fields)) {
      const at = below(place, name);
      if (isPrototypeName(name)) {
        const message = `"${name}" is a name that every JavaScript object answers to`;
        this.#say(at, 'prototype-name', message, 'give the field another name', true);
        continue;
      }
      const plan = this.#field(name, field, at, around, isTop);
      if (plan !== undefined) plans.push(plan);
      if (typeof field !== 'string' && 'each' in field && field.total !== undefined) {
        this.#total(field.total, fields, below(at, 'total'));
      }
      if (typeof field !== 'string' && 'each' in field && field.cursor !== undefined) {
        this.#cursor(field.cursor, fields, below(at, 'cursor'));
      }
    }
    return { fields: plans };
  }

  #total(total: string, fields: FieldsDefinition, place: Place): void {
    if (isPrototypeName(total)) {
      const message = `"${total}" is a name that every JavaScript object answers to`;
      this.#say(place, 'prototype-name', message, 'give the total another name');
    }
    const others = Object.values(fields).filter(
      (field) => typeof field !== 'string' && 'each' in field && field.total === total,
    );
    if (Object.hasOwn(fields, total) || others.length > 1) {
      this.#say(place, 'total', `there is another field "${total}"`, 'give the total another name');
    }
  }

  /** The cursor is a field that the answer itself fills: absent or null where there is no further page. */
  #cursor(cursor: string, fields: FieldsDefinition, place: Place): void {
    const field = Object.hasOwn(fields, cursor) ? fields[cursor] : undefined;
    const source =
      typeof field === 'string' ? field : field !== undefined && 'from' in field ? field.from : undefined;
    if (source === undefined || (typeof field === 'object' && 'text' in field)) {
      const remedy = `add the field beside the array: ${cursor}: { from: /next_cursor, optional: true }`;
      this.#say(
        place,
        'cursor',
        `there is no field "${cursor}" with a single value beside the array`,
        remedy,
      );
    } else if (source.startsWith('request.')) {
      const message = `the field "${cursor}" is from the request, which does not know whether there is more`;
      this.#say(place, 'cursor', message, 'name a field that is from the answer, a header or a link');
    }
  }

  #field(
    name: string,
    field: FieldDefinition,
    place: Place,
    around: ReadPath,
    isTop: boolean,
  ): FieldPlan | undefined {
    if (typeof field !== 'string') {
      if (isObject(field))
        return { name, object: this.#object(field.object, below(place, 'object'), around, false) };
      if (isEach(field)) return { name, list: this.#list(field, place, around, name), total: field.total };
    }
    const definition: FromDefinition = typeof field === 'string' ? { from: field } : field;
    const scalar = this.#scalar(name, definition, place, around, typeof field === 'string');
    if (definition.text === undefined) return scalar && { name, scalar };
    if (!isTop) {
      const message = 'text: display stands inside another value, and untrusted_text holds plain fields only';
      this.#say(below(place, 'text'), 'text', message, 'select it as a field of its own at the top');
    }
    if (scalar !== undefined) this.#texts.push({ ...scalar, maxLength: definition.max_length ?? 0 });
    return undefined;
  }

  #list(each: EachDefinition, place: Place, around: ReadPath, name: string): ListPlan {
    const path = this.#fields.pointer(each.each, below(place, 'each'));
    const items: ReadPath = [...around, ...path, ITEM];
    this.reads.push(items);
    const bounds = [each.max, each.take, each.cursor].filter((bound) => bound !== undefined);
    if (bounds.length !== 1) {
      const remedy =
        'write max: 20 to refuse more, take: 20 with total: to give the first, or cursor: and the field that tells of further pages';
      this.#say(place, 'max-or-take', 'an array needs exactly one of max, take and cursor', remedy);
    }
    if (each.take !== undefined && each.total === undefined) {
      const remedy = 'add total: and the name of the field that gets the number of items';
      this.#say(
        below(place, 'take'),
        'total',
        'take drops items, and nothing says how many there were',
        remedy,
      );
    }
    if (each.total !== undefined && each.take === undefined) {
      this.#say(
        below(place, 'total'),
        'total',
        'total goes with take',
        'remove it: with max no item is dropped',
      );
    }
    return {
      path,
      max: each.max,
      take: each.take,
      item: this.#item(each, place, items, name),
      optional: each.optional === true,
      pointer: formatPointer(place.path),
      name,
    };
  }

  #item(each: EachDefinition, place: Place, around: ReadPath, name: string): ObjectPlan | ScalarPlan {
    const { select, item } = each;
    if ((select === undefined) === (item === undefined)) {
      const remedy = 'write select: { name: /name } for objects, or item: /name for single values';
      this.#say(place, 'select-or-item', 'an array needs exactly one of select and item', remedy);
    }
    if (select !== undefined) return this.#object(select, below(place, 'select'), around, false);
    const definition: FromDefinition =
      item === undefined || typeof item === 'string' ? { from: item ?? '' } : item;
    for (const word of ['optional', 'text'] as const) {
      if (definition[word] === undefined) continue;
      const message = `${word} cannot stand in an item`;
      this.#say(
        below(place, 'item', word),
        word,
        message,
        'remove it; use select where a part can be absent',
      );
    }
    const scalar = this.#scalar(name, definition, below(place, 'item'), around, typeof item === 'string');
    return scalar ?? { fields: [] };
  }

  #scalar(
    name: string,
    definition: FromDefinition,
    place: Place,
    around: ReadPath,
    isShort: boolean,
  ): ScalarPlan | undefined {
    const plan = this.#fields.scalar(name, definition, place, isShort);
    if (plan?.source.kind === 'answer') this.reads.push([...around, ...plan.source.path]);
    return plan;
  }

  #say(place: Place, rule: string, message: string, remedy: string, atKey = false): void {
    this.#problems.push(problemAt(place, { rule, message, remedy, ...(atKey ? { atKey } : {}) }));
  }
}

function isEach(value: SelectDefinition | FieldDefinition): value is EachDefinition {
  return typeof value === 'object' && typeof (value as { each?: unknown }).each === 'string';
}

function isObject(field: Exclude<FieldDefinition, string>): field is ObjectDefinition {
  return 'object' in field && typeof field.object === 'object';
}
