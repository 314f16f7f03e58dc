import type { Problem } from '../fault/index.js';
import { type Bundle, writtenAt } from './bundle.js';
import { allowedTypes, conjunction, requiredNames } from './conjunction.js';
import type { ContractDefinition, JsonSchema, ResponseDefinition } from './definition.js';
import { isNode } from './keywords.js';
import { below, type Place, problemAt } from './place.js';
import { nearest } from './shape-sentence.js';
import { compileTextPattern, type TextPattern } from './text-pattern.js';

/** How the body of an alternative becomes a document. */
export interface BodyKind {
  readonly kind: 'json' | 'ndjson' | 'text';
  /** ndjson: most lines, where the contract says; the route's limit on items holds besides. */
  readonly maxLines?: number;
  /** text */
  readonly pattern?: TextPattern;
}

const JSON_BODY: BodyKind = { kind: 'json' };

/** What `parse` says; undefined where it cannot be taken, which then is in the problems. */
export function bodyKind(
  { parse }: ResponseDefinition,
  place: Place,
  problems: Problem[],
): BodyKind | undefined {
  if (parse === undefined) return JSON_BODY;
  if (parse === 'ndjson') return { kind: 'ndjson' };
  if ('ndjson' in parse) return { kind: 'ndjson', maxLines: parse.ndjson.max };
  const pattern = compileTextPattern(parse.pattern);
  if ('match' in pattern) return { kind: 'text', pattern };
  const { rule, message, remedy } = pattern;
  const at = below(place, 'parse', 'pattern');
  problems.push(problemAt(at, { rule, message: `the pattern ${message}`, remedy }));
  return undefined;
}

/** The media type of an alternative that gives none. */
export function defaultMediaType({ parse }: ResponseDefinition): string {
  if (parse === undefined) return 'application/json';
  return typeof parse === 'object' && 'pattern' in parse ? 'text/plain' : 'application/x-ndjson';
}

/**
 * The definition, each text alternative without a schema with the one that its pattern says by itself: a closed object
 * with a text for each named group, all of them required but those that not every match has.
 */
export function withParsedSchemas(definition: ContractDefinition): ContractDefinition {
  if (definition.responses.every((response) => !needsSchema(response))) return definition;
  const responses = definition.responses.map((response) =>
    needsSchema(response) ? { ...response, schema: schemaOfPattern(response.parse.pattern) } : response,
  );
  return { ...definition, responses };
}

type TextResponse = ResponseDefinition & { readonly parse: { readonly pattern: string } };

function needsSchema(response: ResponseDefinition): response is TextResponse {
  const { parse, schema } = response;
  return schema === undefined && typeof parse === 'object' && 'pattern' in parse;
}

function schemaOfPattern(text: string): JsonSchema {
  const pattern = compileTextPattern(text);
  if (!('match' in pattern)) return { type: 'object' };
  const properties = pattern.groups.map(({ name, maxLength }) => [
    name,
    { type: 'string', ...(maxLength === undefined ? {} : { maxLength }) },
  ]);
  const required = pattern.groups.filter(({ always }) => always).map(({ name }) => name);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
  };
}

/** Where the schema is about another document than the one that the body becomes. */
export function misparsed(
  body: BodyKind,
  response: ResponseDefinition,
  bundled: Bundle | undefined,
  place: Place,
): Problem[] {
  if (body.kind === 'json') return [];
  if (bundled === undefined) {
    if (response.schema !== undefined) return [];
    const remedy = 'add schema: { type: array, items: ... }, where items is the schema of one line';
    const message = 'parse: ndjson has no schema to read its lines with';
    return [problemAt(below(place, 'parse'), { rule: 'parse-schema', message, remedy })];
  }
  const { nodes } = conjunction(bundled, [bundled.root]);
  const types = allowedTypes(nodes);
  const [given, what, remedy] =
    body.kind === 'ndjson'
      ? ['array', 'the array of its lines', 'write type: array, and the schema of one line under items']
      : ['object', 'an object of its named groups', 'write type: object, or leave the schema out'];
  if (types !== undefined && !types.has(given)) {
    const message = `the body is read as ${what}, and the schema takes ${[...types].join(' or ')}`;
    const at = bundled.placeOf(bundled.root, 'type') ?? below(place, 'schema');
    return [problemAt(at, { rule: 'parse-schema', message, remedy })];
  }
  return body.pattern === undefined ? [] : strangers(body.pattern, bundled, nodes);
}

/** A JWS whose payload takes the place of the document is JSON: nothing of another body would be left to read. */
export function unsigned(
  { signatures }: ContractDefinition,
  response: ResponseDefinition,
  place: Place,
): Problem[] {
  const { parse, unsigned: isUnsigned } = response;
  const replaces = signatures?.some((one) => 'jws' in one && one.jws.covers === 'document') ?? false;
  if (parse === undefined || isUnsigned === true || !replaces) return [];
  const message = 'a signature covers: document takes the place of the body, which is then JSON';
  const remedy = 'remove parse, or use covers: body or covers: digest';
  return [problemAt(below(place, 'parse'), { rule: 'parse-signed', message, remedy, atKey: true })];
}

/** Members that the schema names and no group gives. */
function strangers(pattern: TextPattern, bundled: Bundle, nodes: Iterable<object>): Problem[] {
  const groups = pattern.groups.map(({ name }) => name);
  const named = new Set(requiredNames(nodes as Iterable<Record<string, unknown>>));
  for (const node of nodes) {
    if (isNode(node) && isNode(node.properties))
      for (const name of Object.keys(node.properties)) named.add(name);
  }
  return [...named]
    .filter((name) => !groups.includes(name))
    .map((name) => {
      const meant = nearest(name, groups);
      const message = `the schema names "${name}", and the pattern has no group of that name (${writtenAt(bundled, [bundled.root])})`;
      const remedy = meant === undefined ? `the groups are ${groups.join(', ')}` : `did you mean "${meant}"?`;
      const at = bundled.placeOf(bundled.root) ?? { document: undefined, path: [] };
      return problemAt(at, { rule: 'parse-schema', message, remedy });
    });
}
