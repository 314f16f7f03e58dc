import type { Scalar, ValueRule } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import { decodeFormText } from './request-body-form.js';
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
    const declared = declaredName(name, rules);
    if (declared === undefined) {
      return new Fault('REQ_QUERY_UNKNOWN', { instance: formatPointer(['query', name.slice(0, 64)]) });
    }
    if (text === undefined) return invalid(declared, 'badly escaped');
    const earlier = texts.get(declared);
    const place = earlier?.length ?? 0;
    if (isIndexed(declared, rules) && name !== indexedName(declared, place)) {
      return invalid(declared, 'indices have to count up from 0');
    }
    if (earlier === undefined) texts.set(declared, [text]);
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
    const indexed = isIndexed(name, rules);
    for (const [i, text] of given.entries()) {
      const value = typedValue(text, rule.type);
      if (value === undefined) return invalid(name, `not of type ${rule.type}`);
      typed.push(value);
      pairs.push(`${encodeURIComponent(indexed ? indexedName(name, i) : name)}=${encodeURIComponent(text)}`);
    }
    const value = rule.array ? typed : (typed[0] as Scalar);
    const finding = rule.validate(value);
    if (finding !== undefined) return invalid(name, undefined, finding.schema);
    values[name] = value;
  }
  return { values, text: pairs.join('&') };
}

type Rules = ReadonlyMap<string, ValueRule>;

/** An array under the name of its first item, `expand[0]`, is one whose items are numbered. */
function isIndexed(name: string, rules: Rules): boolean {
  return name.endsWith('[0]') && rules.get(name)?.array === true;
}

function indexedName(first: string, index: number): string {
  return `${first.slice(0, -'[0]'.length)}[${index}]`;
}

/** The declared parameter that a name of the query belongs to. */
function declaredName(name: string, rules: Rules): string | undefined {
  if (rules.has(name)) return name;
  const stem = /^(.+)\[[1-9][0-9]{0,8}\]$/.exec(name)?.[1];
  const first = `${stem}[0]`;
  return stem !== undefined && isIndexed(first, rules) ? first : undefined;
}

function invalid(name: string, note?: string, schema?: string): Fault {
  return new Fault('REQ_QUERY_INVALID', {
    rule: name,
    instance: formatPointer(['query', name]),
    ...(note === undefined ? {} : { note }),
    ...(schema === undefined ? {} : { schema }),
  });
}
