import type { Contract, StatusGroup } from '../contract/index.js';
import type { AnswerVerifier } from '../evidence/index.js';
import { compileScanPlan, KEEP, type Projection, type ScanPlan } from '../json/index.js';
import type { RoutePlan } from './plan.js';

/** How the documents of one route are scanned: limits and projection, compiled for the scanner. */
export interface ScanPlans {
  readonly answers: ReadonlyMap<StatusGroup, ScanPlan>;
  /** One line of ndjson, for the groups that have it. */
  readonly lines: ReadonlyMap<StatusGroup, ScanPlan>;
  /** The payload of a JWS that is the answer; `answers` then has what to keep of the body around it. */
  readonly payloads: ReadonlyMap<StatusGroup, ScanPlan>;
  readonly body: ScanPlan;
}

const compiled = new WeakMap<RoutePlan, ScanPlans>();

/** The scan plans of a route; made once, which the pipeline does for every route when it starts. */
export function scanPlans(plan: RoutePlan): ScanPlans {
  const known = compiled.get(plan);
  if (known !== undefined) return known;
  const { contract, limits, signatures } = plan;
  if (contract.isSigned === true && signatures === undefined)
    throw new Error('a signed contract without keys');
  const groups = new Set(contract.byStatus.values());
  const planFor = (projection: Projection): ScanPlan =>
    compileScanPlan({
      limits: limits.scan,
      projection,
      caseInsensitiveNames: contract.caseInsensitiveNames,
      numbers: contract.numbers,
    });
  const answers = new Map([...groups].map((group) => [group, planFor(group.projection)]));
  const signed = signatures?.envelope === undefined ? [] : signedGroups(contract, signatures);
  const plans: ScanPlans = {
    answers: new Map([
      ...answers,
      ...signed.map((group) => [group, planFor(signatures?.envelope ?? KEEP)] as const),
    ]),
    lines: new Map(
      [...groups].flatMap((group) =>
        group.lines === undefined ? [] : [[group, planFor(group.lines.line)] as const],
      ),
    ),
    payloads: new Map(signed.map((group) => [group, planFor(group.projection)])),
    body: compileScanPlan({ limits: limits.scan, projection: KEEP }),
  };
  compiled.set(plan, plans);
  return plans;
}

/** The groups whose answers have to be signed; a status is, or is not, with all its alternatives. */
function signedGroups({ byStatus }: Contract, signatures: AnswerVerifier): StatusGroup[] {
  const signed = [...byStatus].filter(([status]) => signatures.demands(status));
  return [...new Set(signed.map(([, group]) => group))];
}
