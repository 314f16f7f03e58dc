import { Optional } from '@marcbachmann/cel-js';
import { ABSENT, type SchemaView } from '../contract/index.js';
import type { Extent } from './expression-cost.js';
import { TIMESTAMP } from './expression-functions.js';
import { parseRfc3339 } from './instant.js';

/** A value is not of the kind that its schema says, or is a time that no clock shows. */
export const UNFIT: unique symbol = Symbol('unfit');

export type ScalarType = 'int' | 'double' | 'string' | 'bool' | 'timestamp';

/** The type of a value in a rule. */
export interface ValueType {
  readonly scalar: ScalarType;
  readonly isList: boolean;
  /** It can be absent or null, and is then an optional without value. */
  readonly isOptional: boolean;
}

/** The engine's name of a type. */
export function engineType({ scalar, isList, isOptional }: ValueType): string {
  const name = scalar === 'timestamp' ? TIMESTAMP : scalar;
  const whole = isList ? `list<${name}>` : name;
  return isOptional ? `optional<${whole}>` : whole;
}

export interface TypedView {
  readonly type: ValueType;
  readonly extent: Extent;
  /** A JSON value as the engine takes it: integers as BigInt, times as Date; else UNFIT. */
  convert(value: unknown): unknown;
}

const SCALARS: Readonly<Record<string, ScalarType>> = {
  integer: 'int',
  number: 'double',
  string: 'string',
  boolean: 'bool',
};

/**
 * The type that a value has by its schema, or why it has none.
 *
 * @param text the pointer, for sentences
 * @param canBeAbsent whether the schema accepts answers without it
 * @param isText the value comes as text, whatever its schema says
 */
export function typeOfView(
  view: SchemaView,
  text: string,
  canBeAbsent: boolean,
  isText = false,
): TypedView | { readonly message: string; readonly remedy: string } {
  const name = text === '' ? 'the value' : text;
  const where = view.writtenAt === undefined ? '' : ` (${view.writtenAt})`;
  const isOptional = canBeAbsent || view.types?.has('null') === true;
  const types = [...(view.types ?? [])].filter((type) => type !== 'null');
  const [type, another] = types;
  if (type === undefined || another !== undefined) {
    const message =
      type === undefined
        ? `the schema does not say of what type ${name} is${where}`
        : `${name} can be ${types.join(' or ')}${where}`;
    return { message, remedy: 'name it under properties with one type, beside null if need be' };
  }
  if (type === 'object') {
    return { message: `${name} is an object${where}`, remedy: 'read the members that the rule compares' };
  }
  if (type === 'array') return listOf(view, name, where, isOptional);
  const scalar = isText ? 'string' : scalarOf(type, view);
  const convert = converter(scalar);
  return {
    type: { scalar, isList: false, isOptional },
    extent: extentOf(scalar, view),
    convert: isOptional ? optionally(convert) : convert,
  };
}

function listOf(
  view: SchemaView,
  name: string,
  where: string,
  isOptional: boolean,
): ReturnType<typeof typeOfView> {
  const { maxItems, items } = view;
  if (maxItems === undefined) {
    const message = `${name} can have any number of items, and the rule could take any time${where}`;
    return { message, remedy: 'add maxItems to its schema' };
  }
  const itemType = items?.types?.size === 1 ? [...items.types][0] : undefined;
  if (items === undefined || itemType === undefined || SCALARS[itemType] === undefined) {
    const message = `the items of ${name} are not surely of one scalar type${where}`;
    const remedy = `read one value of each, { each: ${name}, item: /NAME }, or their number, { count: ${name} }`;
    return { message, remedy };
  }
  const scalar = scalarOf(itemType, items);
  const one = converter(scalar);
  const convert = (value: unknown) => {
    if (!Array.isArray(value)) return UNFIT;
    const list = value.map(one);
    return list.includes(UNFIT) ? UNFIT : list;
  };
  return {
    type: { scalar, isList: true, isOptional },
    extent: { kind: 'list', items: maxItems, item: extentOf(scalar, items) },
    convert: isOptional ? optionally(convert) : convert,
  };
}

function scalarOf(type: string, view: SchemaView): ScalarType {
  if (type === 'string' && view.isDateTime) return 'timestamp';
  return SCALARS[type] ?? 'string';
}

function extentOf(scalar: ScalarType, view: SchemaView): Extent {
  if (scalar !== 'string') return { kind: 'plain' };
  const read = view.writtenAt;
  return { kind: 'text', length: view.maxLength, ...(read === undefined ? {} : { read }) };
}

function converter(scalar: ScalarType): (value: unknown) => unknown {
  switch (scalar) {
    // The engine knows an integer by its being a BigInt; as a number it would be a double, and unequal to 3.
    case 'int':
      return (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : UNFIT);
    case 'double':
      return (value) => (typeof value === 'number' ? value : UNFIT);
    case 'string':
      return (value) => (typeof value === 'string' ? value : UNFIT);
    case 'bool':
      return (value) => (typeof value === 'boolean' ? value : UNFIT);
    case 'timestamp':
      return (value) => {
        const ms = typeof value === 'string' ? parseRfc3339(value) : undefined;
        return ms === undefined ? UNFIT : new Date(ms);
      };
  }
}

function optionally(convert: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    if (value === ABSENT || value === null) return Optional.none();
    const converted = convert(value);
    return converted === UNFIT ? UNFIT : Optional.of(converted);
  };
}
