import { Fault } from '../fault/index.js';
import type { IncomingCall } from './call.js';
import { safeSegments } from './path.js';
import type { Router } from './router.js';
import { Admitted } from './stages.js';

/**
 * Stage 1: who calls, what for, and whether there is room. Backtracking of the router is bounded by `maxPathBytes`,
 * the largest limit of any route; the route's own limit is looked at once it is known.
 */
export function admit(call: IncomingCall, router: Router, maxPathBytes: number): Admitted | Fault {
  if (call.shed === true) return new Fault('OVERLOADED', { retryAfter: 1 });
  if (!call.authenticated) return new Fault('REQ_UNAUTHENTICATED');
  if (call.target.length > maxPathBytes) return new Fault('REQ_PATH_TOO_LONG');

  const question = call.target.indexOf('?');
  const rawPath = question < 0 ? call.target : call.target.slice(0, question);
  const segments = safeSegments(rawPath);
  if (segments === undefined) return new Fault('REQ_PATH_UNSAFE');
  const match = router.match(call.method, segments);
  if (match === undefined) return new Fault('REQ_NO_ROUTE');
  if (call.target.length > match.plan.limits.pathBytes) return new Fault('REQ_PATH_TOO_LONG');
  return new Admitted(match.plan, match.params, question < 0 ? '' : call.target.slice(question + 1));
}
