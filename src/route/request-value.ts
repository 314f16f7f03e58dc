import type { Scalar, ValueRule } from '../contract/index.js';

/** An object that inherits nothing, so that no name of the agent's means more than it says. */
export function bare<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** A text as the declared type; undefined when it is not exactly one of that type's texts (RFC 8259 lexemes). */
export function typedValue(text: string, type: ValueRule['type']): Scalar | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'integer': {
      const value = /^(?:0|-?[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(value) ? value : undefined;
    }
    case 'number': {
      const isNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text);
      const value = isNumber ? Number(text) : Number.NaN;
      return Number.isFinite(value) ? value : undefined;
    }
  }
}
