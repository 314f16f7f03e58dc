import type { StatusGroup } from '../contract/index.js';
import { compileScanPlan, KEEP, type ScanPlan } from '../json/index.js';
import type { RoutePlan } from './plan.js';

/** How the documents of one route are scanned: limits and projection, compiled for the scanner. */
export interface ScanPlans {
  readonly answers: ReadonlyMap<StatusGroup, ScanPlan>;
  readonly body: ScanPlan;
}

const compiled = new WeakMap<RoutePlan, ScanPlans>();

/** The scan plans of a route; made once, which the pipeline does for every route when it starts. */
export function scanPlans(plan: RoutePlan): ScanPlans {
  const known = compiled.get(plan);
  if (known !== undefined) return known;
  const { contract, limits } = plan;
  const groups = new Set(contract.byStatus.values());
  const plans: ScanPlans = {
    answers: new Map(
      [...groups].map((group) => [
        group,
        compileScanPlan({
          limits: limits.scan,
          projection: group.projection,
          caseInsensitiveNames: contract.caseInsensitiveNames,
          numbers: contract.numbers,
        }),
      ]),
    ),
    body: compileScanPlan({ limits: limits.scan, projection: KEEP }),
  };
  compiled.set(plan, plans);
  return plans;
}
