import { Fault } from '../fault/index.js';
import { type Conforming, Evidence, Proven, Selected } from './stages.js';

/** Stage 7: every check of the alternative holds, in order. */
export function checks(conforming: Conforming): Proven | Fault {
  const { plan, context, document } = conforming;
  for (const check of plan.checks[conforming.index] ?? []) {
    const fault = check.run(document, context);
    if (fault !== undefined) return fault;
  }
  return new Proven(plan, context, conforming.outcome, document);
}

/** Stage 8: a fresh result of the selected values; the answer's own objects end here. */
export function select(proven: Proven): Selected | Fault {
  const selection = proven.outcome.select(proven.document, proven.context);
  return selection instanceof Fault ? selection : new Selected(proven.plan, selection);
}

/** Stage 9: the last gate before anything is built for the agent. */
export function result(selected: Selected): Evidence | Fault {
  const finding = selected.plan.contract.result.validate(selected.selection.data);
  if (finding !== undefined) {
    return new Fault('CON_RESULT', {
      instance: finding.instance,
      schema: finding.schema,
      rule: finding.rule,
    });
  }
  return new Evidence(selected.plan, selected.selection);
}
