import { Fault, type Problem } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import type { ResponseHeaders } from '../upstream/index.js';
import { bundle } from './bundle.js';
import type { HeaderRules, ValueRule } from './contract.js';
import type { ResponseDefinition } from './definition.js';
import { below, type Place, problemAt } from './place.js';
import type { SchemaLibrary } from './schema-library.js';
import { singleType } from './single-type.js';
import { typedText } from './typed-text.js';
import type { Validators } from './validator.js';

/**
 * Headers that are never evidence: credentials and challenges, and what describes the connection or the body that the
 * sidecar has read itself.
 */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'www-authenticate',
  'proxy-authenticate',
  'authentication-info',
  'proxy-authentication-info',
]);

/** Why a header of the answer cannot be selected or declared; undefined where it can. */
export function secretHeader(
  name: string,
): { readonly message: string; readonly remedy: string } | undefined {
  if (!SECRET_HEADERS.has(name)) return undefined;
  return {
    message: `the header ${name} carries credentials, and never reaches the agent`,
    remedy: 'select a value of the answer, or another header',
  };
}

/** The rules for the headers of an alternative; undefined where it declares none. */
export function compileResponseHeaders(
  response: ResponseDefinition,
  place: Place,
  library: SchemaLibrary,
  validators: Validators,
): HeaderRules | undefined {
  const { headers, required_headers: required = [] } = response;
  const { problems } = library;
  const rules = new Map<string, ValueRule>();
  for (const [name, schema] of Object.entries(headers ?? {})) {
    const at = below(place, 'headers', name);
    const say = (rule: string, message: string, remedy: string, atKey: boolean): void => {
      problems.push(problemAt(at, { rule, message, remedy, ...(atKey ? { atKey } : {}) }));
    };
    const secret = secretHeader(name);
    if (secret !== undefined) say('secret-header', secret.message, secret.remedy, true);
    const site = library.open(schema, at);
    if (site === undefined) continue;
    const bundled = bundle(site);
    const type = singleType(bundled, bundled.root);
    if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean') {
      const remedy = 'write type: string, integer, number or boolean';
      say('parameter-type', 'the value has no single type that text can be read as', remedy, false);
      continue;
    }
    const validator = validators.compile(bundled);
    if (!('accepts' in validator)) {
      problems.push(...validator);
      continue;
    }
    const validate = (value: unknown) => validator.first(value);
    rules.set(name, { type, array: false, required: required.includes(name), validate });
  }
  problems.push(...undeclared(required, headers ?? {}, below(place, 'required_headers')));
  return rules.size === 0 ? undefined : rules;
}

function undeclared(required: readonly string[], headers: object, place: Place): Problem[] {
  return required.flatMap((name, i) => {
    if (Object.hasOwn(headers, name)) return [];
    const message = `"${name}" is not declared in headers`;
    return [problemAt(below(place, String(i)), { rule: 'undeclared', message, remedy: 'add it to headers' })];
  });
}

/** The first declared header that is missing, stands twice or is not what its schema says. */
export function badHeader(
  rules: HeaderRules,
  headers: ResponseHeaders,
  alternative: number,
): Fault | undefined {
  for (const [name, rule] of rules) {
    const note = whyBad(headers.all(name), rule);
    if (note === undefined) continue;
    const schema = formatPointer(['responses', String(alternative), 'headers', name]);
    return new Fault('CON_HEADER', { rule: name, schema, ...note });
  }
  return undefined;
}

function whyBad(
  values: readonly string[],
  rule: ValueRule,
): { readonly note: string } | { readonly schema: string } | undefined {
  const [text] = values;
  if (text === undefined) return rule.required ? { note: 'missing' } : undefined;
  if (values.length > 1) return { note: 'repeated' };
  const value = headerValue(text, rule.type);
  if (value === undefined) return { note: `not of type ${rule.type}` };
  const finding = rule.validate(value);
  return finding === undefined ? undefined : { schema: finding.schema };
}

/**
 * The value of a header that stands once; undefined where nobody knows for sure what it says: bytes beyond visible ASCII
 * have no agreed meaning (RFC 9110 section 5.5), and other types than text are written as JSON writes them.
 */
export function headerValue(text: string, type: ValueRule['type'] = 'string'): unknown {
  return /^[\x20-\x7e]*$/.test(text) ? typedText(text, type) : undefined;
}
