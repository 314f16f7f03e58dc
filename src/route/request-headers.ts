import type { ValueRule } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import { bare, typedValue } from './request-value.js';

const NO_HEADERS = Object.freeze({ values: Object.freeze(bare<string>()) });

/**
 * The declared headers of the call. Every other header is dropped, and so is a declared one that the agent lists in
 * Connection (RFC 9110 section 7.6.1: it was meant for this hop only).
 */
export function readHeaders(
  lines: readonly (readonly [name: string, value: string])[],
  rules: ReadonlyMap<string, ValueRule>,
): { readonly values: Readonly<Record<string, string>> } | Fault {
  if (rules.size === 0) return NO_HEADERS;
  const values = bare<string>();
  const given = new Map<string, string[]>();
  const hopByHop = new Set<string>();
  for (const [rawName, value] of lines) {
    const name = rawName.toLowerCase();
    if (name === 'connection') {
      for (const option of value.split(',')) hopByHop.add(option.trim().toLowerCase());
    }
    if (!rules.has(name)) continue;
    const earlier = given.get(name);
    if (earlier === undefined) given.set(name, [value]);
    else earlier.push(value);
  }
  for (const [name, rule] of rules) {
    const texts = hopByHop.has(name) ? undefined : given.get(name);
    if (texts === undefined) {
      if (rule.required) return invalid(name, 'missing');
      continue;
    }
    if (texts.length > 1) return invalid(name, 'repeated');
    const text = texts[0] as string;
    // RFC 9110 section 5.5: visible characters, spaces and tabs; the obsolete bytes above 7F are not sent on.
    if (!/^[\t\x20-\x7e]*$/.test(text)) return invalid(name, 'has characters a header cannot carry');
    const value = typedValue(text, rule.type);
    if (value === undefined) return invalid(name, `not of type ${rule.type}`);
    const finding = rule.validate(value);
    if (finding !== undefined) return invalid(name, undefined, finding.schema);
    values[name] = text;
  }
  return { values };
}

function invalid(name: string, note?: string, schema?: string): Fault {
  return new Fault('REQ_HEADER_INVALID', {
    rule: name,
    instance: formatPointer(['headers', name]),
    ...(note === undefined ? {} : { note }),
    ...(schema === undefined ? {} : { schema }),
  });
}
