import { acceptEncoding } from '../upstream/index.js';
import type { SignedAnswer } from './signature.js';
import { type InnerList, type Item, serializeInnerList, serializeItem } from './structured-field.js';

/** What a component identifier of RFC 9421 section 2 asks for. */
export interface Component {
  readonly name: string;
  /** `;req`: of the request that the answer is to (section 2.4). */
  readonly req: boolean;
  /** `;bs`: each line as a byte sequence (section 2.1.3). */
  readonly bs: boolean;
}

/** Derived components of a request (section 2.2) that can be known here. */
const OF_REQUEST = ['@method', '@target-uri', '@authority', '@scheme', '@request-target', '@path', '@query'];

const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Reads a component identifier. Undefined where it is none that can be made here: `sf`, `key` and `tr` need to know the
 * field's structure or the trailers, `@query-param` its decoding, and a signature that covers what cannot be known
 * cannot be verified.
 */
export function readComponent({ item, parameters }: Item): Component | undefined {
  if (item.kind !== 'string') return undefined;
  for (const [name, value] of parameters) {
    if ((name !== 'req' && name !== 'bs') || value.kind !== 'boolean' || !value.value) return undefined;
  }
  const component = { name: item.value, req: parameters.has('req'), bs: parameters.has('bs') };
  if (!component.name.startsWith('@')) return FIELD_NAME.test(component.name) ? component : undefined;
  if (component.bs) return undefined;
  const isKnown = component.req ? OF_REQUEST.includes(component.name) : component.name === '@status';
  return isKnown ? component : undefined;
}

/** The identifier as one text, to compare it: `"@method";req`. */
export function componentId({ name, req, bs }: Component): string {
  return `"${name}"${bs ? ';bs' : ''}${req ? ';req' : ''}`;
}

/**
 * The signature base (section 2.5): one line for each covered component, in order, and the signature's own parameters.
 * Undefined where a component is not in the message, stands twice, or cannot be known.
 */
export function signatureBase(list: InnerList, answer: SignedAnswer): string | undefined {
  const seen = new Set<string>();
  let base = '';
  for (const item of list.items) {
    const component = readComponent(item);
    if (component === undefined) return undefined;
    const id = componentId(component);
    if (seen.has(id)) return undefined;
    seen.add(id);
    const value = componentValue(component, answer);
    // Section 2.5: what is signed is ASCII, and no value may hold a line break, which would be lines of its own
    if (value === undefined || !/^[\t -~]*$/.test(value)) return undefined;
    base += `${serializeItem(item)}: ${value}\n`;
  }
  return `${base}"@signature-params": ${serializeInnerList(list)}`;
}

function componentValue(component: Component, answer: SignedAnswer): string | undefined {
  const { name, req } = component;
  if (name === '@status') return String(answer.status);
  if (name.startsWith('@')) return requestValue(name, answer);
  const lines = req ? sentLines(name, answer) : answer.headers.all(name);
  if (lines.length === 0) return undefined;
  if (component.bs)
    return lines.map((line) => `:${Buffer.from(line, 'latin1').toString('base64')}:`).join(', ');
  // Section 2.1: cookies cannot be told apart any more once they are combined
  if (name === 'set-cookie') return undefined;
  return lines.join(', ');
}

/** RFC 9421 section 2.2, of the request as it left. */
function requestValue(name: string, { request, upstream }: SignedAnswer): string | undefined {
  const target = upstream.basePath + request.target;
  const question = target.indexOf('?');
  // An origin is in its normal form: lower case, and without the port that goes with the scheme
  const { protocol, host } = new URL(upstream.origin);
  switch (name) {
    case '@method':
      return request.method;
    case '@scheme':
      return protocol.slice(0, -1);
    case '@authority':
      return host;
    case '@target-uri':
      return `${protocol}//${host}${target}`;
    case '@request-target':
      return target;
    case '@path':
      return question < 0 ? target : target.slice(0, question);
    case '@query':
      // Section 2.2.7: a question mark alone where there is no query
      return question < 0 ? '?' : target.slice(question);
    default:
      return undefined;
  }
}

/** A header as it left. Those that the HTTP client writes itself are not known but for what they always are. */
function sentLines(name: string, { request, upstream }: SignedAnswer): readonly string[] {
  if (name === 'accept-encoding') return [acceptEncoding(upstream.codings)];
  if (name === 'host') return [new URL(upstream.origin).host];
  if (name === 'content-length') return request.body === undefined ? [] : [String(request.body.byteLength)];
  const value = upstream.headers.get(name) ?? request.headers.get(name);
  return value === undefined ? [] : [value];
}
