import type {
  BindDefinition,
  CheckDefinition,
  ContractDefinition,
  FreshDefinition,
  RequestDefinition,
} from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { compileBind } from './bind.js';
import type { Check } from './check.js';
import { compileFresh } from './fresh.js';

/** The kinds of checks: the member that tells a kind, and what compiles it. A new kind is one line here. */
const KINDS = {
  bind: (definition, pointer, request) => compileBind(definition as BindDefinition, pointer, request),
  fresh: (definition, pointer) => compileFresh(definition as FreshDefinition, pointer),
} as const satisfies Record<string, CompileKind>;

type CompileKind = (
  definition: CheckDefinition,
  pointer: string,
  request: RequestDefinition,
) => Check | Problem[];

/**
 * The checks of every alternative of a contract, in order (outer index: alternative), or everything that is wrong
 * with them.
 */
export function compileChecks(
  definition: ContractDefinition,
): { readonly checks: readonly (readonly Check[])[] } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const checks = definition.responses.map((response, r) => {
    const ids = new Set<string>();
    const pointer = `/responses/${r}/checks`;
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
          remedy: 'write bind: /id with equals, or fresh: { header: date, within: 60s }',
        });
        return [];
      }
      const compiled = KINDS[kind](check, at, definition.request);
      if (Array.isArray(compiled)) {
        problems.push(...compiled);
        return [];
      }
      return [compiled];
    });
  });
  return problems.length > 0 ? { problems } : { checks };
}
