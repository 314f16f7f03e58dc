import { Fault } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import type { CallContext, Scalar, Selection } from './contract.js';
import { type FieldValue, Refusal } from './field-value.js';
import { ABSENT, follow, NO_WAY } from './follow.js';
import { linkParameter } from './links.js';
import { headerValue } from './response-headers.js';
import { readSource, type Source } from './source.js';

/** One field's value: the source, what is made of it, and what happens when it is not there. */
export interface ScalarPlan {
  readonly source: Source;
  readonly value: FieldValue;
  readonly optional: boolean;
  /** JSON Pointer of the field in contract.yaml. */
  readonly pointer: string;
  readonly name: string;
}

/** Prose for a person. */
export interface TextPlan extends ScalarPlan {
  /** Code points. */
  readonly maxLength: number;
}

export interface ListPlan {
  readonly path: readonly string[];
  /** More items are refused. */
  readonly max: number | undefined;
  /** Only so many are given. */
  readonly take: number | undefined;
  readonly item: ObjectPlan | ScalarPlan;
  readonly optional: boolean;
  readonly pointer: string;
  readonly name: string;
}

export interface ObjectPlan {
  readonly fields: readonly FieldPlan[];
}

export type FieldPlan = { readonly name: string } & (
  | { readonly scalar: ScalarPlan }
  | { readonly object: ObjectPlan }
  | { readonly list: ListPlan; readonly total: string | undefined }
);

export interface SelectPlan {
  readonly data: ObjectPlan | ListPlan;
  /** Fields that go to `untrusted_text`. */
  readonly texts: readonly TextPlan[];
}

/**
 * Stage 8: builds a fresh result. Every member of it is named by the contract, every scalar is one that a field selected
 * and its rules let pass; nothing of the answer is handed on by reference.
 */
export function runSelect(plan: SelectPlan, answer: unknown, context: CallContext): Selection | Fault {
  const made = 'fields' in plan.data ? object(plan.data, answer, context) : list(plan.data, answer, context);
  if (made instanceof Fault) return made;
  // An array that is the whole result is never optional (select-plan.ts).
  const data = made instanceof List ? made.items : made;
  if (plan.texts.length === 0) return { data };
  const untrustedText: Record<string, string> = {};
  let any = false;
  for (const text of plan.texts) {
    const prose = scalar(text, answer, context);
    if (prose instanceof Fault) return prose;
    if (typeof prose !== 'string') continue;
    untrustedText[text.name] = prose;
    any = true;
  }
  return any ? { data, untrustedText } : { data };
}

/** No name of a field is one that objects inherit, so that a plain assignment makes an own member. */
function object(plan: ObjectPlan, item: unknown, context: CallContext): Record<string, unknown> | Fault {
  const made: Record<string, unknown> = {};
  for (const field of plan.fields) {
    if ('scalar' in field) {
      const value = scalar(field.scalar, item, context);
      if (value instanceof Fault) return value;
      if (value !== ABSENT) made[field.name] = value;
    } else if ('object' in field) {
      const value = object(field.object, item, context);
      if (value instanceof Fault) return value;
      made[field.name] = value;
    } else {
      const value = list(field.list, item, context);
      if (value instanceof Fault) return value;
      if (!(value instanceof List)) continue;
      made[field.name] = value.items;
      if (field.total !== undefined) made[field.total] = value.total;
    }
  }
  return made;
}

/** A list made for the result, and how many items the answer had. */
class List {
  readonly items: readonly unknown[];
  readonly total: number;

  constructor(items: readonly unknown[], total: number) {
    this.items = items;
    this.total = total;
  }
}

function list(plan: ListPlan, item: unknown, context: CallContext): List | typeof ABSENT | Fault {
  const found = follow(item, plan.path);
  const refuse = (code: 'SEL_MISSING' | 'SEL_TYPE' | 'SEL_TOO_MANY', word: string) =>
    fault(code, plan, `${plan.pointer}/${word}`, formatPointer(plan.path));
  if (found === ABSENT || (found === null && plan.optional)) {
    return plan.optional ? ABSENT : refuse('SEL_MISSING', 'each');
  }
  if (!Array.isArray(found)) return refuse('SEL_TYPE', 'each');
  if (plan.max !== undefined && found.length > plan.max) return refuse('SEL_TOO_MANY', 'max');
  const count = plan.take === undefined ? found.length : Math.min(found.length, plan.take);
  const items: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const made =
      'fields' in plan.item ? object(plan.item, found[i], context) : scalar(plan.item, found[i], context);
    if (made instanceof Fault) return inside(made, [...plan.path, String(i)]);
    items.push(made);
  }
  return new List(items, found.length);
}

function scalar(plan: ScalarPlan, item: unknown, context: CallContext): Scalar | typeof ABSENT | Fault {
  const found = read(plan.source, item, context);
  if (found === ABSENT || (found === null && plan.optional && !plan.value.takesNull)) {
    return plan.optional ? ABSENT : refused('SEL_MISSING', plan);
  }
  if (found === NO_WAY || (typeof found === 'object' && found !== null)) return refused('SEL_TYPE', plan);
  const made = plan.value.make(found as Scalar);
  return made instanceof Refusal ? refused(made.code, plan, made.word) : made;
}

function read(source: Source, item: unknown, context: CallContext): unknown {
  if (source.kind === 'answer') return follow(item, source.path);
  if (source.kind === 'header') {
    const values = context.headers.all(source.name);
    if (values.length === 0) return ABSENT;
    const [value] = values;
    // RFC 9110 section 5.5: what stands twice, or has bytes whose meaning nobody knows, says nothing for sure.
    const read = values.length === 1 && value !== undefined ? headerValue(value, source.type) : undefined;
    return read === undefined ? NO_WAY : read;
  }
  if (source.kind === 'link') return linkParameter(context.headers, source.rel, source.name);
  if (source.kind === 'body')
    return context.request.body === undefined ? ABSENT : follow(context.request.body, source.path);
  const found = readSource(source, item, context);
  return found === undefined ? ABSENT : found.value;
}

function refused(code: Refusal['code'], plan: ScalarPlan, word?: string): Fault {
  const instance = plan.source.kind === 'answer' ? formatPointer(plan.source.path) : undefined;
  return fault(code, plan, word === undefined ? plan.pointer : `${plan.pointer}/${word}`, instance);
}

function fault(
  code: Refusal['code'],
  plan: { name: string },
  schema: string,
  instance: string | undefined,
): Fault {
  return new Fault(code, { rule: plan.name, schema, ...(instance === undefined ? {} : { instance }) });
}

/** A fault about an item, seen from the value around the array. */
function inside(found: Fault, path: readonly string[]): Fault {
  const { instance } = found.detail;
  if (instance === undefined) return found;
  return new Fault(found.code, { ...found.detail, instance: formatPointer(path) + instance });
}
