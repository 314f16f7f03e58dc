import type { Scalar, ValueRule } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import { decodeAgain, decodeSegment } from './path.js';
import { bare, typedValue } from './request-value.js';

export interface Params {
  readonly values: Readonly<Record<string, Scalar>>;
  /** The decoded text of each, from which the upstream's path is built. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Path parameters: decoded once, typed, validated. Names and their number were fixed when the route was loaded. */
export function readParams(
  raw: ReadonlyMap<string, string>,
  rules: ReadonlyMap<string, ValueRule>,
): Params | Fault {
  const values = bare<Scalar>();
  const texts = new Map<string, string>();
  for (const [name, rawText] of raw) {
    const rule = rules.get(name);
    const text = decodeSegment(rawText);
    if (rule === undefined || text === undefined) return invalid(name);
    const value = typedValue(text, rule.type);
    if (value === undefined) return invalid(name);
    const finding = rule.validate(value);
    if (finding !== undefined) return invalid(name, finding.schema);
    // A slash that only shows after a second decode must be one that the schema admits as well.
    const again = decodeAgain(text);
    if (again !== text && again.includes('/') && rule.validate(again) !== undefined) return invalid(name);
    values[name] = value;
    texts.set(name, text);
  }
  return { values, texts };
}

function invalid(name: string, schema?: string): Fault {
  return new Fault('REQ_PARAM_INVALID', {
    rule: name,
    instance: formatPointer(['params', name]),
    ...(schema === undefined ? {} : { schema }),
  });
}
