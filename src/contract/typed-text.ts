import type { Scalar, ValueRule } from './contract.js';

/** A text as the declared type; undefined when it is not exactly one of that type's texts (RFC 8259 lexemes). */
export function typedText(text: string, type: ValueRule['type']): Scalar | undefined {
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
