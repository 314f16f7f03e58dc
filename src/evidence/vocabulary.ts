import {
  type CallContext,
  type ContractViews,
  ITEM,
  type ReadPath,
  type ReadsDefinition,
  type RequestDefinition,
  type SchemaView,
} from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { formatPointer, parsePointer } from '../json/index.js';
import { compileExpression, type Expression } from './expression.js';
import type { Extent } from './expression-cost.js';
import { baseEnvironment, TIMESTAMP } from './expression-functions.js';
import { arrayOf, compileRead, type Read, see } from './reads.js';
import { declareRequest, nowValue, type RequestNames } from './request-value.js';
import { engineType, UNFIT } from './value-type.js';

/** Words that CEL has a meaning for already. */
const TAKEN: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in', 'now', 'request', 'optional']);

/** Most steps that the rules of one alternative take together: about twenty milliseconds. */
export const MAX_STEPS = 200_000;

/** What all rules of one alternative share. */
export class RuleScope {
  readonly request: RequestDefinition;
  readonly views: ContractViews;
  /** Of the answer; undefined where its body is not read, or its schema is not sound. */
  readonly view: SchemaView | undefined;
  #left = MAX_STEPS;

  constructor(request: RequestDefinition, views: ContractViews, alternative: number) {
    this.request = request;
    this.views = views;
    this.view = views.answer(alternative);
  }

  /** Whether rules of so many steps may still be added. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/** The names that a rule, or the cases of a failure, can use. */
export interface Vocabulary {
  readonly reads: readonly Read[];
  readonly paths: readonly ReadPath[];
  /** What it takes to get the values of one answer or item ready, in steps as of expressions. */
  readonly steps: number;
  /** Of `each`; absent where the rule is about the answer as a whole. */
  readonly each?: { readonly path: readonly string[]; readonly maxItems: number };
  compile(text: string, pointer: string): Expression | Problem[];
  /** What the names stand for in one answer, or one item of it; undefined where that cannot be told. */
  values(answer: unknown, context: CallContext): Readonly<Record<string, unknown>> | undefined;
}

/**
 * @param pointer JSON Pointer of what holds `reads` (and `each`) in contract.yaml
 */
export function compileVocabulary(
  definition: { readonly reads: ReadsDefinition; readonly each?: string },
  pointer: string,
  scope: RuleScope,
): Vocabulary | Problem[] {
  const each = eachOf(definition.each, scope);
  if (each !== undefined && 'message' in each)
    return [{ pointer: `${pointer}/each`, rule: 'check-rule', ...each }];
  const around: ReadPath = each === undefined ? [] : [...each.path, ITEM];
  const readScope = {
    request: scope.request,
    views: scope.views,
    view: each === undefined ? scope.view : each.item,
    around,
  };
  const problems: Problem[] = [];
  const environment = baseEnvironment().clone();
  const extents = new Map<string, Extent>();
  const request: RequestNames = declareRequest(environment, scope.request, scope.views);
  for (const [name, extent] of request.extents) extents.set(name, extent);
  environment.registerVariable('now', TIMESTAMP);
  const reads: Read[] = [];
  for (const [name, read] of Object.entries(definition.reads)) {
    const at = pointer + formatPointer(['reads', name]);
    const made = compileRead(name, read, at, readScope);
    if ('message' in made) {
      problems.push(made);
      continue;
    }
    try {
      if (TAKEN.has(name)) throw new Error('taken');
      environment.registerVariable(name, engineType(made.type));
    } catch {
      const message = `"${name}" has a meaning in CEL already`;
      problems.push({ pointer: at, atKey: true, rule: 'check-read', message, remedy: 'choose another name' });
      continue;
    }
    reads.push(made);
    extents.set(name, made.extent);
  }
  if (problems.length > 0) return problems;
  const declared = new Set([...reads.map(({ name }) => name), 'now', 'request']);
  let needsRequest = false;
  return {
    reads,
    paths: [...(each === undefined ? [] : [around]), ...reads.flatMap((read) => read.paths)],
    steps: reads.reduce((sum, { extent }) => sum + (extent.kind === 'list' ? 2 + 4 * extent.items : 2), 8),
    ...(each === undefined ? {} : { each }),
    compile(text, at) {
      const expression = compileExpression(text, at, { environment, declared, extents });
      if (!Array.isArray(expression)) needsRequest ||= expression.used.has('request');
      return expression;
    },
    values(answer, context) {
      const values: Record<string, unknown> = { now: nowValue(context) };
      if (needsRequest) values.request = request.value(context);
      for (const read of reads) values[read.name] = read.value(answer, context);
      return Object.values(values).includes(UNFIT) ? undefined : values;
    },
  };
}

/** Every read is used by one of the expressions, and one of them is of the answer; else what to change. */
export function unusedReads(
  { reads }: Vocabulary,
  expressions: readonly Expression[],
  pointer: string,
): Problem[] {
  const problems = reads
    .filter(({ name }) => !expressions.some(({ used }) => used.has(name)))
    .map(({ name }) => ({
      pointer: pointer + formatPointer(['reads', name]),
      atKey: true,
      rule: 'unused-read',
      message: `no rule here uses "${name}"`,
      remedy: 'use it, or remove it',
    }));
  if (reads.some(({ isEvidence }) => isEvidence)) return problems;
  const message = 'the rule looks at nothing of the answer';
  return [
    ...problems,
    {
      pointer: `${pointer}/reads`,
      atKey: true,
      rule: 'check-rule',
      message,
      remedy: 'read a value of the answer, or say it in a schema of the request',
    },
  ];
}

/** A rule that takes too many steps; undefined where the alternative can afford it. */
export function tooCostly(scope: RuleScope, steps: number, pointer: string): Problem | undefined {
  if (scope.spend(steps)) return undefined;
  const figure = steps.toLocaleString('en-US');
  const message = `the rule can take ${figure} steps, and those of one alternative ${MAX_STEPS.toLocaleString('en-US')} together`;
  const remedy =
    'lower maxItems and maxLength of what it goes through, or go through fewer lists within lists';
  return { pointer, rule: 'rule-cost', message, remedy };
}

function eachOf(
  text: string | undefined,
  scope: RuleScope,
):
  | { readonly path: readonly string[]; readonly maxItems: number; readonly item: SchemaView }
  | { readonly message: string; readonly remedy: string }
  | undefined {
  if (text === undefined) return undefined;
  const path = parsePointer(text);
  if (path === undefined)
    return { message: `"${text}" is not a JSON Pointer`, remedy: 'write "" for the whole answer or /items' };
  const seen = see(scope.view, path, text);
  if ('message' in seen) return seen;
  const list = arrayOf(seen.view, text);
  return 'message' in list ? list : { path, ...list };
}
