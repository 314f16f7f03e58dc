import {
  type BindDefinition,
  type CheckDefinition,
  type ContractDefinition,
  ContractViews,
  type FailureRules,
  type FreshDefinition,
  type RequestDefinition,
  type RuleDefinition,
} from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { compileBind } from './bind.js';
import type { Check } from './check.js';
import { compileFailureCases } from './failure-cases.js';
import { compileFresh } from './fresh.js';
import { compileRule } from './rule.js';
import { RuleScope } from './vocabulary.js';

/** The kinds of checks: the member that tells a kind, and what compiles it. A new kind is one line here. */
const KINDS = {
  bind: (definition, pointer, request) => compileBind(definition as BindDefinition, pointer, request),
  fresh: (definition, pointer) => compileFresh(definition as FreshDefinition, pointer),
  rule: (definition, pointer, _request, rules) => compileRule(definition as RuleDefinition, pointer, rules()),
} as const satisfies Record<string, CompileKind>;

type CompileKind = (
  definition: CheckDefinition,
  pointer: string,
  request: RequestDefinition,
  /** What the rules of one alternative share; made when the first one asks for it. */
  rules: () => RuleScope,
) => Check | Problem[];

/** The checks of every alternative (outer index: alternative), in order, and the cases of those that fail by cases. */
export interface CompiledChecks {
  readonly checks: readonly (readonly Check[])[];
  readonly failures: readonly (FailureRules | undefined)[];
}

/**
 * The checks and failure cases of a contract, or everything that is wrong with them.
 *
 * @param schemas files that the contract names, parsed: rules are typed by them
 */
export function compileChecks(
  definition: ContractDefinition,
  schemas: ReadonlyMap<string, unknown> = new Map(),
): CompiledChecks | { readonly problems: readonly Problem[] } {
  const views = new ContractViews({ definition, schemas });
  const problems: Problem[] = [];
  const checks = definition.responses.map((response, r) => {
    const ids = new Set<string>();
    const pointer = `/responses/${r}/checks`;
    let scope: RuleScope | undefined;
    const rules = () => {
      scope ??= new RuleScope(definition.request, views, r);
      return scope;
    };
    if (response.checks !== undefined && response.select === undefined) {
      problems.push({
        pointer,
        rule: 'check-on-failure',
        message: 'checks go with select: a failure has nothing to prove',
        remedy: 'remove the checks, or select a result',
      });
    }
    return (response.checks ?? []).flatMap((check, c): Check[] => {
      const at = `${pointer}/${c}`;
      if (ids.has(check.id)) {
        problems.push({
          pointer: `${at}/id`,
          rule: 'check-id',
          message: `two checks of one alternative are called "${check.id}"`,
          remedy: 'give each check its own id',
        });
      }
      ids.add(check.id);
      const kind = Object.keys(KINDS).find((name) => Object.hasOwn(check, name)) as
        | keyof typeof KINDS
        | undefined;
      if (kind === undefined) {
        problems.push({
          pointer: at,
          rule: 'check-kind',
          message: `a check has one of: ${Object.keys(KINDS).join(', ')}`,
          remedy: 'write bind: /id with equals, fresh: { header: date, within: 60s }, or rule with reads',
        });
        return [];
      }
      const compiled = KINDS[kind](check, at, definition.request, rules);
      if (Array.isArray(compiled)) {
        problems.push(...compiled);
        return [];
      }
      return [compiled];
    });
  });
  const failures = definition.responses.map(({ failure }, r) => {
    if (typeof failure !== 'object' || !('cases' in failure)) return undefined;
    const scope = new RuleScope(definition.request, views, r);
    const compiled = compileFailureCases(failure, `/responses/${r}/failure`, scope);
    if (!Array.isArray(compiled)) return compiled;
    problems.push(...compiled);
    return undefined;
  });
  return problems.length > 0 ? { problems } : { checks, failures };
}
