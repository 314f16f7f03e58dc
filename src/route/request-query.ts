import type { Scalar, ValueRule } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import { bare, typedValue } from './request-value.js';

export interface Query {
  readonly values: Readonly<Record<string, Scalar | readonly Scalar[]>>;
  /** The query that leaves, without `?`: declared parameters in the contract's order, encoded anew. */
  readonly text: string;
}

const NO_QUERY: Query = Object.freeze({ values: Object.freeze(bare<Scalar>()), text: '' });

/**
 * The query as clients write it (application/x-www-form-urlencoded: `+` is a space), closed: a parameter that the
 * contract does not declare refuses the call.
 */
export function readQuery(raw: string, rules: ReadonlyMap<string, ValueRule>): Query | Fault {
  if (raw === '' && rules.size === 0) return NO_QUERY;
  const texts = new Map<string, string[]>();
  for (const piece of raw.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = decodeFormText(equals < 0 ? piece : piece.slice(0, equals));
    const text = decodeFormText(equals < 0 ? '' : piece.slice(equals + 1));
    if (name === undefined) return new Fault('REQ_QUERY_UNKNOWN', { note: 'a badly escaped name' });
    if (!rules.has(name)) {
      return new Fault('REQ_QUERY_UNKNOWN', { instance: formatPointer(['query', name.slice(0, 64)]) });
    }
    if (text === undefined) return invalid(name, 'badly escaped');
    const earlier = texts.get(name);
    if (earlier === undefined) texts.set(name, [text]);
    else earlier.push(text);
  }

  const values = bare<Scalar | readonly Scalar[]>();
  const pairs: string[] = [];
  for (const [name, rule] of rules) {
    const given = texts.get(name);
    if (given === undefined) {
      if (rule.required) return invalid(name, 'missing');
      continue;
    }
    if (!rule.array && given.length > 1) return invalid(name, 'repeated');
    const typed: Scalar[] = [];
    for (const text of given) {
      const value = typedValue(text, rule.type);
      if (value === undefined) return invalid(name, `not of type ${rule.type}`);
      typed.push(value);
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
    }
    const value = rule.array ? typed : (typed[0] as Scalar);
    const finding = rule.validate(value);
    if (finding !== undefined) return invalid(name, undefined, finding.schema);
    values[name] = value;
  }
  return { values, text: pairs.join('&') };
}

function invalid(name: string, note?: string, schema?: string): Fault {
  return new Fault('REQ_QUERY_INVALID', {
    rule: name,
    instance: formatPointer(['query', name]),
    ...(note === undefined ? {} : { note }),
    ...(schema === undefined ? {} : { schema }),
  });
}

function decodeFormText(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
