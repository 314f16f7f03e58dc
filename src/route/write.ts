import type { AgentCode, Fault } from '../fault/index.js';
import { isSafe } from '../upstream/index.js';
import type { Exchange } from './exchange.js';
import type { RoutePlan } from './plan.js';

/** Whether a call of the route may change something at the upstream: by its method, or as the configuration says. */
export function isWrite({ readOnly, method }: RoutePlan): boolean {
  return readOnly === undefined ? !isSafe(method) : !readOnly;
}

/** Agent codes that say that nothing of the call counts, which nobody knows once a write has left. */
const AS_IF_NOTHING: ReadonlySet<AgentCode> = new Set([
  'UPSTREAM_UNAVAILABLE',
  'INVALID_RESPONSE',
  'INTERNAL',
]);

/** Whether the last attempt, which ended with this fault, may have changed something without anybody knowing. */
export function leavesOpen({ writeLeft }: Exchange, fault: Fault): boolean {
  // Where the upstream itself said no, it said so.
  return writeLeft && fault.code !== 'CON_DECLARED_FAILURE' && AS_IF_NOTHING.has(fault.agent);
}

/**
 * A write that left and got no valid answer, or one that could not be recorded, may have happened: the agent must not
 * be told that it did not. What a later attempt was told, even a plain no, is not about the one before it.
 */
export function unlessUnknown(exchange: Exchange, fault: Fault): Fault {
  return exchange.writeOpen || leavesOpen(exchange, fault) ? fault.as('OUTCOME_UNKNOWN') : fault;
}
