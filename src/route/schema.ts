import { type Alternative, badHeader, type SelectOutcome } from '../contract/index.js';
import { Fault, type RelatedFinding } from '../fault/index.js';
import type { Exchange } from './exchange.js';
import { Conforming, type Scanned } from './stages.js';
import { retryAfter } from './transport.js';

/** Most further findings that a record holds. */
const MAX_RELATED = 8;

/** Stage 6: exactly one alternative accepts; it decides whether the answer is a result or a declared failure. */
export function schema(scanned: Scanned, exchange: Exchange): Conforming | Fault {
  const accepting: Alternative[] = [];
  for (const alternative of scanned.candidates) {
    const verdict = alternative.body === 'none' ? true : alternative.accepts(scanned.document);
    if (verdict instanceof Fault) return verdict;
    if (verdict === true) accepting.push(alternative);
  }
  const [alternative, another] = accepting;
  if (alternative === undefined) return noAlternative(scanned);
  if (another !== undefined) {
    return new Fault('CON_AMBIGUOUS', { schema: pointerOf(alternative), note: `also ${pointerOf(another)}` });
  }
  exchange.alternative = alternative.index;
  if (alternative.headers !== undefined) {
    const fault = badHeader(alternative.headers, scanned.context.headers, alternative.index);
    if (fault !== undefined) return fault;
  }
  const { outcome } = alternative;
  if (outcome.kind === 'failure') {
    const code = outcome.code(scanned.document, scanned.context);
    if (code instanceof Fault) return code;
    return new Fault('CON_DECLARED_FAILURE', {
      agent: code,
      schema: pointerOf(alternative),
      ...(code === 'RATE_LIMITED'
        ? retryAfter(scanned.plan, scanned.context.headers, scanned.context.now)
        : {}),
    });
  }
  return conforming(scanned, alternative.index, outcome);
}

function conforming(scanned: Scanned, index: number, outcome: SelectOutcome): Conforming {
  return new Conforming(scanned.plan, scanned.context, index, outcome, scanned.document);
}

/** The findings of the alternative that came closest: the one with the fewest. */
function noAlternative({ candidates, document }: Scanned): Fault {
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) {
    return refused(only.first(document), () => only.explain(document));
  }
  const explained = candidates.map((alternative) => alternative.explain(document));
  const [closest = []] = explained.toSorted((a, b) => a.length - b.length);
  return refused(closest[0], () => closest);
}

/** @param all the findings, `first` among them; only asked for by who reads more than the first */
function refused(first: RelatedFinding | undefined, all: () => readonly RelatedFinding[]): Fault {
  let related: readonly RelatedFinding[] | undefined;
  return new Fault('CON_NO_ALTERNATIVE', {
    ...(first === undefined ? {} : { instance: first.instance, schema: first.schema, rule: first.rule }),
    get related() {
      related ??= all().slice(1, 1 + MAX_RELATED);
      return related.length === 0 ? undefined : related;
    },
  });
}

function pointerOf(alternative: Alternative): string {
  return `/responses/${alternative.index}`;
}
