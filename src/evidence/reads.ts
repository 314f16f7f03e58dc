import { Optional } from '@marcbachmann/cel-js';
import {
  ABSENT,
  type CallContext,
  type ContractViews,
  follow,
  ITEM,
  isDeclared,
  nearest,
  nearestDeclared,
  parseSource,
  type ReadDefinition,
  type ReadPath,
  type RequestDefinition,
  readSource,
  type SchemaView,
  type Source,
} from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { parsePointer } from '../json/index.js';
import type { Extent } from './expression-cost.js';
import { typeOfView, UNFIT, type ValueType } from './value-type.js';

/** A value that a rule calls by a name. */
export interface Read {
  readonly name: string;
  readonly type: ValueType;
  readonly extent: Extent;
  /** Places in the answer that it looks at. */
  readonly paths: readonly ReadPath[];
  /** Whether it is of the answer or its headers, and not of the request. */
  readonly isEvidence: boolean;
  /** The value for the engine; UNFIT where it is of another kind than the schema says. */
  value(answer: unknown, context: CallContext): unknown;
}

/** Where reads stand. */
export interface ReadScope {
  readonly request: RequestDefinition;
  readonly views: ContractViews;
  /** What the pointers start at: the answer, or each of its items; undefined where no body is read. */
  readonly view: SchemaView | undefined;
  /** How the answer's places start: the array of `each`. */
  readonly around: ReadPath;
}

/** Makes a read, or says what is wrong with it. */
export function compileRead(
  name: string,
  definition: ReadDefinition,
  pointer: string,
  scope: ReadScope,
): Read | Problem {
  const made =
    typeof definition === 'string'
      ? readOne(definition, scope)
      : 'count' in definition
        ? readCount(definition.count, scope)
        : readList(definition.each, definition.item, scope);
  if (!('message' in made)) return { ...made, name };
  const { below = '', message, remedy } = made;
  return { pointer: pointer + below, rule: 'check-read', message, remedy };
}

interface Trouble {
  readonly below?: string;
  readonly message: string;
  readonly remedy: string;
}

type Made = Omit<Read, 'name'>;

const NOWHERE = 'write a pointer such as /updated_at, header:NAME, or request.body/POINTER';

function readOne(text: string, scope: ReadScope): Made | Trouble {
  const source = parseSource(text);
  if (source === undefined) return { message: `"${text}" is not a source`, remedy: NOWHERE };
  if (source.kind === 'answer') return readAnswer(source.path, text, scope);
  if (!isDeclared(source, scope.request)) {
    const meant = nearestDeclared(source, scope.request);
    const remedy = meant === undefined ? 'declare it in request' : `did you mean ${meant}?`;
    return { message: `the request does not declare ${text}`, remedy };
  }
  return readElsewhere(source, text, scope);
}

function readAnswer(path: readonly string[], text: string, scope: ReadScope): Made | Trouble {
  const seen = see(scope.view, path, text);
  if ('message' in seen) return seen;
  const type = typeOfView(seen.view, text, !seen.certain);
  if ('message' in type) return type;
  return {
    type: type.type,
    extent: type.extent,
    paths: [type.type.isList ? [...scope.around, ...path, ITEM] : [...scope.around, ...path]],
    isEvidence: true,
    value: (answer) => type.convert(follow(answer, path)),
  };
}

/** A value of the request, or what a header of the answer says: text that stands once, or nothing. */
function readElsewhere(source: Source, text: string, scope: ReadScope): Made | Trouble {
  const value = (_answer: unknown, context: CallContext) => {
    const found = readSource(source, undefined, context);
    return found === undefined ? ABSENT : found.value;
  };
  if (source.kind === 'header' || source.kind === 'link' || source.kind === 'id') {
    const isOptional = source.kind !== 'id';
    return {
      type: { scalar: 'string', isList: false, isOptional },
      // Response headers are within the limit header_bytes.
      extent: { kind: 'text', length: source.kind === 'id' ? 64 : 65_536 },
      paths: [],
      isEvidence: isOptional,
      value: isOptional
        ? (answer, context) => optional(value(answer, context))
        : (answer, context) => value(answer, context),
    };
  }
  const known = viewOf(source, text, scope);
  if ('message' in known) return known;
  const type = typeOfView(known.view, text, !known.certain, known.isText);
  if ('message' in type) return type;
  return {
    type: type.type,
    extent: type.extent,
    paths: [],
    isEvidence: false,
    value: (answer, context) => type.convert(value(answer, context)),
  };
}

function viewOf(
  source: Source,
  text: string,
  { request, views }: ReadScope,
): { view: SchemaView; certain: boolean; isText: boolean } | Trouble {
  if (source.kind === 'body') {
    const seen = see(views.body(), source.path, text);
    if ('message' in seen) return seen;
    return { ...seen, certain: seen.certain && request.body?.required === true, isText: false };
  }
  if (source.kind !== 'params' && source.kind !== 'query' && source.kind !== 'headers') return unsound(text);
  const view = views.parameter(source.kind, source.name);
  if (view === undefined) return unsound(text);
  const required = source.kind === 'query' ? request.required_query : request.required_headers;
  const certain = source.kind === 'params' || (required ?? []).includes(source.name);
  // TypedRequest: headers are checked as what their schema says, and handed on as the text they are.
  return { view, certain, isText: source.kind === 'headers' };
}

/** The schema itself is wrong, and reported where it stands. */
function unsound(text: string): Trouble {
  return { message: `nothing is known of ${text}`, remedy: 'correct its schema first' };
}

function readCount(text: string, scope: ReadScope): Made | Trouble {
  const path = parsePointer(text);
  if (path === undefined)
    return { below: '/count', message: `"${text}" is not a JSON Pointer`, remedy: NOWHERE };
  const seen = see(scope.view, path, text);
  if ('message' in seen) return { below: '/count', ...seen };
  const types = [...(seen.view.types ?? [])].filter((type) => type !== 'null');
  if (types.length !== 1 || types[0] !== 'array') {
    const remedy = 'give its schema type: array, or count another place';
    return { below: '/count', message: `${text || 'the answer'} is not surely an array`, remedy };
  }
  const isOptional = !seen.certain || seen.view.types?.has('null') === true;
  return {
    type: { scalar: 'int', isList: false, isOptional },
    extent: { kind: 'plain' },
    paths: [[...scope.around, ...path, ITEM]],
    isEvidence: true,
    value(answer) {
      const list = follow(answer, path);
      if (isOptional && (list === ABSENT || list === null)) return Optional.none();
      if (!Array.isArray(list)) return UNFIT;
      return isOptional ? Optional.of(BigInt(list.length)) : BigInt(list.length);
    },
  };
}

function readList(each: string, item: string, scope: ReadScope): Made | Trouble {
  const [path, leaf] = [parsePointer(each), parsePointer(item)];
  if (path === undefined)
    return { below: '/each', message: `"${each}" is not a JSON Pointer`, remedy: NOWHERE };
  if (leaf === undefined)
    return { below: '/item', message: `"${item}" is not a JSON Pointer`, remedy: NOWHERE };
  const seen = see(scope.view, path, each);
  if ('message' in seen) return { below: '/each', ...seen };
  const list = arrayOf(seen.view, each);
  if ('message' in list) return { below: '/each', ...list };
  const inside = see(list.item, leaf, item);
  if ('message' in inside) return { below: '/item', ...inside };
  if (!inside.certain) {
    const message = `an item need not have ${item}`;
    return { below: '/item', message, remedy: 'require it of every item, or write the rule with each' };
  }
  const type = typeOfView(inside.view, item, false);
  if ('message' in type) return { below: '/item', ...type };
  if (type.type.isList || type.type.isOptional) {
    const message = `${item || 'an item'} is ${type.type.isList ? 'an array' : 'null'} in some items`;
    return { below: '/item', message, remedy: 'read one scalar of each item' };
  }
  const isOptional = !seen.certain || seen.view.types?.has('null') === true;
  const convert = (value: unknown) => {
    if (!Array.isArray(value)) return UNFIT;
    const items = value.map((one) => type.convert(follow(one, leaf)));
    return items.includes(UNFIT) ? UNFIT : items;
  };
  return {
    type: { scalar: type.type.scalar, isList: true, isOptional },
    extent: { kind: 'list', items: list.maxItems, item: type.extent },
    paths: [[...scope.around, ...path, ITEM, ...leaf]],
    isEvidence: true,
    value(answer) {
      const value = follow(answer, path);
      if (!isOptional) return convert(value);
      if (value === ABSENT || value === null) return Optional.none();
      const items = convert(value);
      return items === UNFIT ? UNFIT : Optional.of(items);
    },
  };
}

/** An array that a rule goes through: bounded, and of items that are alike. */
export function arrayOf(
  view: SchemaView,
  text: string,
): { readonly maxItems: number; readonly item: SchemaView } | Trouble {
  const name = text === '' ? 'the answer' : text;
  const types = [...(view.types ?? [])].filter((type) => type !== 'null');
  if (types.length !== 1 || types[0] !== 'array') {
    return { message: `${name} is not surely an array`, remedy: 'give its schema type: array' };
  }
  const where = view.writtenAt === undefined ? '' : ` (${view.writtenAt})`;
  const { maxItems, items } = view;
  if (maxItems === undefined) {
    const message = `${name} can have any number of items, and the rule could take any time`;
    return { message, remedy: `add maxItems to its schema${where}` };
  }
  if (items === undefined) {
    return { message: `nothing is said of every item of ${name}`, remedy: `add items to its schema${where}` };
  }
  return { maxItems, item: items };
}

/** What the schema says of a place, or why nothing can be known of it. */
export function see(
  view: SchemaView | undefined,
  path: readonly string[],
  text: string,
): { readonly view: SchemaView; readonly certain: boolean } | Trouble {
  if (view === undefined) {
    return {
      message: 'no sound schema says what the body holds, so that it is not read',
      remedy: 'add a schema to the alternative',
    };
  }
  const seen = view.at(path);
  if (!('never' in seen)) return seen;
  const meant = nearest(seen.never, seen.names);
  const remedy = meant === undefined ? 'add it to properties there' : `did you mean "${meant}"?`;
  const message = `${text} is never there: the schema is closed and does not name "${seen.never}" (${seen.writtenAt})`;
  return { message, remedy };
}

function optional(value: unknown): unknown {
  return value === ABSENT ? Optional.none() : Optional.of(value);
}
