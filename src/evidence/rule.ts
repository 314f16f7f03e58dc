import { ABSENT, type CallContext, follow, type RuleDefinition } from '../contract/index.js';
import { Fault, type Problem } from '../fault/index.js';
import { formatPointer } from '../json/index.js';
import type { Check } from './check.js';
import type { Expression } from './expression.js';
import { compileVocabulary, type RuleScope, tooCostly, unusedReads, type Vocabulary } from './vocabulary.js';

/**
 * A sentence in CEL that must be true of the answer, or (`each`) of every item of an array. What cannot be decided - a
 * throw, a value of another kind than the schema says - is refused as such.
 *
 * @param pointer JSON Pointer of the check in contract.yaml
 */
export function compileRule(
  definition: RuleDefinition,
  pointer: string,
  scope: RuleScope,
): Check | Problem[] {
  const vocabulary = compileVocabulary(definition, pointer, scope);
  if (Array.isArray(vocabulary)) return vocabulary;
  const expression = vocabulary.compile(definition.rule, `${pointer}/rule`);
  if (Array.isArray(expression)) return expression;
  const items = vocabulary.each?.maxItems ?? 1;
  const costly = tooCostly(scope, (vocabulary.steps + expression.steps) * items, `${pointer}/rule`);
  const problems = [
    ...unusedReads(vocabulary, [expression], pointer),
    ...(costly === undefined ? [] : [costly]),
  ];
  return problems.length > 0 ? problems : ruleCheck(definition, pointer, vocabulary, expression);
}

function ruleCheck(
  definition: RuleDefinition,
  pointer: string,
  vocabulary: Vocabulary,
  expression: Expression,
): Check {
  const place = onlyPlace(definition);
  const judge = (value: unknown, context: CallContext, instance: string | undefined): Fault | undefined => {
    const values = vocabulary.values(value, context);
    const holds = values === undefined ? undefined : expression.holds(values);
    if (holds === true) return undefined;
    return new Fault(holds === false ? 'CHK_RULE' : 'CHK_RULE_UNDECIDED', {
      rule: definition.id,
      schema: pointer,
      ...(instance === undefined ? {} : { instance }),
    });
  };
  const { each } = vocabulary;
  return {
    id: definition.id,
    reads: vocabulary.paths,
    run(value: unknown, context: CallContext): Fault | undefined {
      if (each === undefined) return judge(value, context, place);
      const list = follow(value, each.path);
      // An array that need not be there has no items.
      if (list === ABSENT || list === null) return undefined;
      if (!Array.isArray(list))
        return new Fault('CHK_RULE_UNDECIDED', {
          rule: definition.id,
          schema: pointer,
          instance: formatPointer(each.path),
        });
      for (const [i, item] of list.entries()) {
        const at = formatPointer([...each.path, String(i)]);
        const fault = judge(item, context, at + (place ?? ''));
        if (fault !== undefined) return fault;
      }
      return undefined;
    },
  };
}

/** Where a rule about a single place of the answer looks; undefined where it compares several. */
function onlyPlace({ reads }: RuleDefinition): string | undefined {
  const places = Object.values(reads).flatMap((read) => {
    if (typeof read === 'string') return read === '' || read.startsWith('/') ? [read] : [];
    return ['count' in read ? read.count : read.each];
  });
  return places.length === 1 ? places[0] : undefined;
}
