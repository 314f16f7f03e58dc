import { Fault } from '../fault/index.js';
import type { Exchange } from './exchange.js';
import { pageLinks } from './page-links.js';
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
export function select(proven: Proven, exchange: Exchange): Selected | Fault {
  const selection = proven.outcome.select(proven.document, proven.context);
  if (selection instanceof Fault) return selection;
  const links = proven.outcome.links === undefined ? undefined : pageLinks(proven, exchange);
  return new Selected(proven.plan, links === undefined ? selection : { ...selection, links });
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
