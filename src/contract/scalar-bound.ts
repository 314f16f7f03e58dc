import type { SchemaNode } from './keywords.js';
import { compilePattern } from './pattern.js';
import type { Trouble } from './place.js';

/** Longest text of a double as JSON.stringify writes it: `-0.0000012345678901234567`. */
const NUMBER_BYTES = 25;
/** `-9007199254740991`: an integer beyond +-(2^53-1) never gets as far as a result. */
const INTEGER_BYTES = 17;
/** Most bytes of a scalar on which all the schemas hold, as JSON; or what is missing for a bound. */
export function scalarBytes(type: string, nodes: Iterable<SchemaNode>): number | Trouble {
  switch (type) {
    case 'null':
      return 4;
    case 'boolean':
      return 5;
    case 'string': {
      const { length, codePointBytes } = textBound(nodes);
      if (length !== undefined) return codePointBytes * length + 2;
      return {
        rule: 'unbounded-string',
        message: 'the text can be of any length',
        remedy: 'add maxLength, enum, const, or a pattern with a bound such as ^[a-z]{1,32}$',
      };
    }
    case 'integer': {
      const { least, most } = range(nodes);
      if (least === undefined || most === undefined) return INTEGER_BYTES;
      return Math.max(integerBytes(Math.ceil(least)), integerBytes(Math.floor(most)));
    }
    case 'number': {
      const { least, most } = range(nodes);
      if (least !== undefined && most !== undefined) return NUMBER_BYTES;
      return {
        rule: 'unbounded-number',
        message: 'the number has no range',
        remedy: 'add minimum and maximum, or make it type: integer',
      };
    }
    default:
      return { rule: 'any-type', message: `"${type}" is no type`, remedy: 'use a type of JSON Schema' };
  }
}

/** Code points: the smallest of `maxLength` and what the patterns leave room for. Bytes: of each, as JSON. */
export function textBound(nodes: Iterable<SchemaNode>): {
  length: number | undefined;
  codePointBytes: number;
} {
  const limits: number[] = [];
  let codePointBytes = 4;
  for (const node of nodes) {
    if (typeof node.maxLength === 'number') limits.push(node.maxLength);
    const pattern = typeof node.pattern === 'string' ? compilePattern(node.pattern) : undefined;
    if (typeof pattern !== 'object') continue;
    codePointBytes = Math.min(codePointBytes, pattern.codePointBytes);
    if (pattern.maxLength !== undefined) limits.push(pattern.maxLength);
  }
  return { length: limits.length === 0 ? undefined : Math.min(...limits), codePointBytes };
}

function integerBytes(limit: number): number {
  return Number.isSafeInteger(limit) ? `${limit}`.length : INTEGER_BYTES;
}

function range(nodes: Iterable<SchemaNode>): { least: number | undefined; most: number | undefined } {
  const least: number[] = [];
  const most: number[] = [];
  for (const node of nodes) {
    for (const bound of [node.minimum, node.exclusiveMinimum])
      if (typeof bound === 'number') least.push(bound);
    for (const bound of [node.maximum, node.exclusiveMaximum])
      if (typeof bound === 'number') most.push(bound);
  }
  return {
    least: least.length === 0 ? undefined : Math.max(...least),
    most: most.length === 0 ? undefined : Math.min(...most),
  };
}
