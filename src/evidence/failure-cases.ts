import type { FailureCases, FailureRules } from '../contract/index.js';
import type { AgentCode } from '../fault/index.js';
import { Fault, type Problem } from '../fault/index.js';
import type { Expression } from './expression.js';
import { compileVocabulary, type RuleScope, tooCostly, unusedReads } from './vocabulary.js';

/**
 * The cases of a failure, tried in order: the first that holds gives its code. Where none holds the answer is refused,
 * and so it is where a case before that cannot be decided.
 *
 * @param pointer JSON Pointer of the failure in contract.yaml
 */
export function compileFailureCases(
  definition: FailureCases,
  pointer: string,
  scope: RuleScope,
): FailureRules | Problem[] {
  const vocabulary = compileVocabulary(definition, pointer, scope);
  if (Array.isArray(vocabulary)) return vocabulary;
  const problems: Problem[] = [];
  const cases: { readonly code: AgentCode; readonly expression: Expression; readonly at: string }[] = [];
  for (const [i, { when, code }] of definition.cases.entries()) {
    const at = `${pointer}/cases/${i}`;
    const expression = vocabulary.compile(when, `${at}/when`);
    if (Array.isArray(expression)) {
      problems.push(...expression);
      continue;
    }
    const costly = tooCostly(scope, (i === 0 ? vocabulary.steps : 0) + expression.steps, `${at}/when`);
    if (costly !== undefined) problems.push(costly);
    cases.push({ code, expression, at });
  }
  if (problems.length > 0) return problems;
  const unused = unusedReads(
    vocabulary,
    cases.map(({ expression }) => expression),
    pointer,
  );
  if (unused.length > 0) return unused;
  return {
    reads: vocabulary.paths,
    code(value, context) {
      const values = vocabulary.values(value, context);
      if (values === undefined) return new Fault('CON_THREW', { schema: pointer });
      for (const { code, expression, at } of cases) {
        const holds = expression.holds(values);
        if (holds === true) return code;
        if (holds === undefined) return new Fault('CON_THREW', { schema: `${at}/when` });
      }
      return new Fault('CON_UNMAPPED_FAILURE', { schema: `${pointer}/cases` });
    },
  };
}
