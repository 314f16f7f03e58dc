import type {
  CallContext,
  ContractDefinition,
  JsonSchema,
  ReadsDefinition,
  RuleDefinition,
  TypedRequest,
} from '../../src/contract/index.js';
import { type Check, compileChecks } from '../../src/evidence/index.js';
import type { Problem } from '../../src/fault/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';

export const NOW = Date.UTC(2026, 11, 1, 12, 0, 0);

/** An answer with a member of each kind that a rule can read. */
export const ANSWER: JsonSchema = {
  type: 'object',
  required: ['id', 'ratio', 'name', 'done', 'at', 'tags', 'scores', 'lines', 'nested', 'note', 'who'],
  properties: {
    id: { type: 'integer' },
    ratio: { type: 'number' },
    name: { type: 'string', maxLength: 100 },
    free: { type: 'string' },
    done: { type: 'boolean' },
    at: { type: 'string', format: 'date-time' },
    ended: { type: ['string', 'null'], format: 'date-time' },
    attempt: { type: 'integer' },
    note: { type: ['string', 'null'], maxLength: 50 },
    who: { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 10 }] },
    tags: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 30 } },
    scores: { type: 'array', maxItems: 50, items: { type: 'number' } },
    unbounded: { type: 'array', items: { type: 'integer' } },
    mixed: { type: 'array', maxItems: 5, items: { type: ['integer', 'string'] } },
    pair: { type: 'array', maxItems: 2, prefixItems: [{ type: 'integer' }, { type: 'string' }] },
    state: { enum: ['open', 'closed'] },
    many: { type: ['integer', 'string'] },
    anything: true,
    lines: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['start', 'end', 'price', 'sku'],
        properties: {
          start: { type: 'integer' },
          end: { type: 'integer' },
          price: { type: 'integer' },
          sku: { type: 'string', maxLength: 20 },
          off: { type: 'integer' },
        },
      },
    },
    nested: {
      type: 'object',
      required: ['deep'],
      properties: { deep: { type: 'integer' }, maybe: { type: 'integer' } },
    },
    closed: { type: 'object', additionalProperties: false, properties: { size: { type: 'integer' } } },
  },
};

/** An answer that ANSWER accepts. */
export const VALUE = {
  id: 7,
  ratio: 0.5,
  name: 'octocat',
  done: true,
  at: '2026-12-01T11:59:00Z',
  tags: ['a', 'b'],
  scores: [1, 2.5],
  note: null,
  who: null,
  lines: [
    { start: 1, end: 2, price: 5, sku: 'x-1' },
    { start: 2, end: 4, price: 7, sku: 'x-2' },
  ],
  nested: { deep: 3 },
};

export const REQUEST: ContractDefinition['request'] = {
  params: { number: { type: 'integer' }, owner: { type: 'string', pattern: '^[a-z]{1,39}$' } },
  query: {
    page: { type: 'integer' },
    per_page: { type: 'integer' },
    label: { type: 'array', maxItems: 3, items: { type: 'string', pattern: '^[a-z]{1,9}$' } },
    'sort-by': { type: 'string', enum: ['a', 'b'] },
  },
  required_query: ['per_page'],
  headers: { 'x-tenant': { type: 'integer' } },
  body: {
    media_type: 'application/json',
    required: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['amount'],
      properties: { amount: { type: 'integer' }, memo: { type: 'string', maxLength: 9 } },
    },
  },
};

export function definitionOf(
  check: Omit<RuleDefinition, 'id'>,
  schema: JsonSchema = ANSWER,
): ContractDefinition {
  return {
    tool: 'x',
    version: '1.0.0',
    purpose: 'x',
    request: REQUEST,
    responses: [{ status: 200, schema, select: { id: '/id' }, checks: [{ id: 'r', ...check }] }],
    result: true,
  };
}

export function contextOf(
  request: Partial<TypedRequest> = {},
  headers: readonly (readonly [string, string])[] = [],
): CallContext {
  return {
    request: {
      params: { number: 7, owner: 'octocat' },
      query: { per_page: 10 },
      headers: {},
      body: { amount: 12 },
      ...request,
    },
    requestId: 'req.12345678',
    headers: new ResponseHeaders(headers),
    now: NOW,
  };
}

/** A rule that must compile. */
export function ruleOf(rule: string, reads: ReadsDefinition, each?: string, schema?: JsonSchema): Check {
  const made = compileChecks(definitionOf({ rule, reads, ...(each === undefined ? {} : { each }) }, schema));
  if ('problems' in made) throw new Error(JSON.stringify(made.problems, undefined, 1));
  return made.checks[0]?.[0] as Check;
}

export function problemsOf(
  rule: string,
  reads: ReadsDefinition,
  each?: string,
  schema?: JsonSchema,
): readonly Problem[] {
  const made = compileChecks(definitionOf({ rule, reads, ...(each === undefined ? {} : { each }) }, schema));
  return 'problems' in made ? made.problems : [];
}
