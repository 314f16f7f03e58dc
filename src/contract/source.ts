import { parsePointer, resolvePointer } from '../json/index.js';
import type { CallContext, ValueRule } from './contract.js';
import type { RequestDefinition } from './definition.js';
import { linkParameter } from './links.js';
import { nearest } from './shape-sentence.js';

/**
 * Where a value comes from: the words of `from`, `bind` and of the placeholders in templates.
 *
 * - `""`, `/a/b`: JSON Pointer (RFC 6901) into the answer, or inside `each` into the item
 * - `request.params.NAME`, `request.query.NAME`, `request.headers.NAME`, `request.body/POINTER`, `request.id`
 * - `header:NAME`: a response header that stands exactly once
 * - `link:REL?NAME`: a query parameter of the one link of that relation type in the answer's Link header
 */
export type Source =
  | { readonly kind: 'answer'; readonly path: readonly string[] }
  | { readonly kind: 'params' | 'query' | 'headers'; readonly name: string }
  | { readonly kind: 'body'; readonly path: readonly string[] }
  | { readonly kind: 'id' }
  | { readonly kind: 'header'; readonly name: string; readonly type?: ValueRule['type'] }
  | { readonly kind: 'link'; readonly rel: string; readonly name: string };

const REQUEST_PART = /^request\.(params|query|headers)\.([A-Za-z0-9_.[\]-]{1,64})$/;
const LINK = /^link:([a-z][a-z0-9.-]{0,63})\?([A-Za-z0-9_.[\]-]{1,64})$/;
const HEADER = /^header:([a-z0-9!#$%&'*+.^_`|~-]{1,64})$/;

/** Undefined where the text is none of the forms above. */
export function parseSource(text: string): Source | undefined {
  if (text === '' || text.startsWith('/')) {
    const path = parsePointer(text);
    return path && { kind: 'answer', path };
  }
  if (text === 'request.id') return { kind: 'id' };
  if (text === 'request.body' || text.startsWith('request.body/')) {
    const path = parsePointer(text.slice('request.body'.length));
    return path && { kind: 'body', path };
  }
  const part = REQUEST_PART.exec(text);
  if (part) return { kind: part[1] as 'params' | 'query' | 'headers', name: part[2] as string };
  const header = HEADER.exec(text);
  if (header) return { kind: 'header', name: header[1] as string };
  const link = LINK.exec(text);
  if (link) return { kind: 'link', rel: link[1] as string, name: link[2] as string };
  return undefined;
}

/** Whether the contract's request declares what the source names; always true for the answer and its headers. */
export function isDeclared(source: Source, request: RequestDefinition): boolean {
  switch (source.kind) {
    case 'body':
      return request.body !== undefined;
    case 'params':
    case 'query':
    case 'headers':
      return Object.hasOwn(request[source.kind] ?? {}, source.name);
    default:
      return true;
  }
}

/** The declared part of the request that was most likely meant by a source that is not declared: `request.params.id`. */
export function nearestDeclared(source: Source, request: RequestDefinition): string | undefined {
  if (source.kind !== 'params' && source.kind !== 'query' && source.kind !== 'headers') return undefined;
  const { kind, name } = source;
  const meant = nearest(name, Object.keys(request[kind] ?? {}));
  if (meant !== undefined) return `request.${kind}.${meant}`;
  const other = (['params', 'query', 'headers'] as const).find((part) =>
    Object.hasOwn(request[part] ?? {}, name),
  );
  return other && `request.${other}.${name}`;
}

/** The value a source names: undefined when it is absent. `answer` is the answer, or the item inside `each`. */
export function readSource(
  source: Source,
  answer: unknown,
  context: CallContext,
): { readonly value: unknown } | undefined {
  switch (source.kind) {
    case 'answer':
      return resolvePointer(answer, source.path);
    case 'body':
      return context.request.body === undefined
        ? undefined
        : resolvePointer(context.request.body, source.path);
    case 'id':
      return { value: context.requestId };
    case 'header': {
      const value = context.headers.single(source.name);
      return value === undefined ? undefined : { value };
    }
    case 'link': {
      const value = linkParameter(context.headers, source.rel, source.name);
      return typeof value === 'symbol' ? undefined : { value };
    }
    default: {
      const part = context.request[source.kind];
      return Object.hasOwn(part, source.name) ? { value: part[source.name] } : undefined;
    }
  }
}
