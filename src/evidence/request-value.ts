import type { Environment } from '@marcbachmann/cel-js';
import { ABSENT, type CallContext, type ContractViews, type RequestDefinition } from '../contract/index.js';
import type { Extent } from './expression-cost.js';
import { engineType, type TypedView, typeOfView, UNFIT } from './value-type.js';

/** What the engine tells types of values by: the request, and its three parts of named values. */
class RequestValue {}
class ParamsValue {}
class QueryValue {}
class HeadersValue {}

const PARTS = { params: ParamsValue, query: QueryValue, headers: HeadersValue } as const;
type Part = keyof typeof PARTS;
const PART_NAMES: readonly Part[] = ['params', 'query', 'headers'];

/** `request` in rules: `request.id`, `request.params.NAME`, `request.query.NAME`, `request.headers.NAME`. */
export interface RequestNames {
  readonly extents: ReadonlyMap<string, Extent>;
  /** The value for the engine; UNFIT where something in it is. */
  value(context: CallContext): unknown;
}

/** Declares `request` in an environment, with the types that the contract's schemas give its parts. */
export function declareRequest(
  environment: Environment,
  request: RequestDefinition,
  views: ContractViews,
): RequestNames {
  const extents = new Map<string, Extent>([['request.id', { kind: 'text', length: 64 }]]);
  const parts = PART_NAMES.map((part) => {
    const fields = new Map<string, TypedView>();
    for (const name of Object.keys(request[part] ?? {})) {
      const typed = fieldOf(part, name, request, views);
      if (typed === undefined) continue;
      fields.set(name, typed);
      extents.set(`request.${part}.${name}`, typed.extent);
    }
    const types = Object.fromEntries([...fields].map(([name, { type }]) => [name, engineType(type)]));
    environment.registerType(`assay.request.${part}`, { ctor: PARTS[part], fields: types });
    return { part, fields };
  });
  const fields = Object.fromEntries(PART_NAMES.map((part) => [part, `assay.request.${part}`]));
  environment.registerType('assay.request', { ctor: RequestValue, fields: { ...fields, id: 'string' } });
  environment.registerVariable('request', 'assay.request');
  return {
    extents,
    value(context) {
      const value = new RequestValue() as Record<string, unknown>;
      value.id = context.requestId;
      for (const { part, fields } of parts) {
        const values = new PARTS[part]() as Record<string, unknown>;
        for (const [name, typed] of fields) {
          const sent = Object.hasOwn(context.request[part], name) ? context.request[part][name] : ABSENT;
          const converted = typed.convert(sent);
          if (converted === UNFIT) return UNFIT;
          values[name] = converted;
        }
        value[part] = values;
      }
      return value;
    },
  };
}

/** Undefined where the schema is wrong, which is reported where it stands. */
function fieldOf(
  part: Part,
  name: string,
  request: RequestDefinition,
  views: ContractViews,
): TypedView | undefined {
  const view = views.parameter(part, name);
  if (view === undefined) return undefined;
  const required = part === 'query' ? request.required_query : request.required_headers;
  const canBeAbsent = part !== 'params' && !(required ?? []).includes(name);
  // TypedRequest: headers are handed on as the text they are.
  const typed = typeOfView(view, `request.${part}.${name}`, canBeAbsent, part === 'headers');
  return 'message' in typed ? undefined : typed;
}

/** `now`: when the head of the answer arrived. */
export function nowValue({ now }: CallContext): Date {
  return new Date(now);
}
