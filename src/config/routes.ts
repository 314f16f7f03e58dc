import { nearest } from '../contract/index.js';
import type { Assembled, PathSegment, RoutePlan } from '../route/index.js';
import { isSafe, type RetryPolicy } from '../upstream/index.js';
import type { ConfigDefinition, RouteDefinition, Sound } from './definition.js';
import type { ContractLibrary } from './library.js';
import { DEFAULT_LIMITS, mergeLimits, routeLimits } from './limits.js';
import { readTemplate, shapeOf } from './path-template.js';
import type { Report } from './report.js';
import { readRetry } from './retry.js';
import type { TokenCarrier } from './settings.js';
import { bindSignatures } from './signature-keys.js';
import type { Upstream } from './upstreams.js';

type Route = Sound<RouteDefinition>;

/**
 * The routes of a configuration, in its order; one with a problem is left out. `names`: every upstream that the file
 * has, be it sound or not; `carriers`: where the agent's token may stand.
 */
export async function readRoutes(
  written: Sound<ConfigDefinition['routes']> | undefined,
  names: ReadonlySet<string>,
  upstreams: ReadonlyMap<string, Upstream>,
  library: ContractLibrary,
  carriers: readonly TokenCarrier[],
  report: Report,
): Promise<readonly RoutePlan[]> {
  const plans: RoutePlan[] = [];
  const served = new Map<string, number>();
  const tools = new Map<string, readonly [index: number, route: Route]>();
  for (const [index, route] of (written ?? []).entries()) {
    if (route === undefined) continue;
    const at = report.at(index);
    const upstream = readUpstream(route, names, upstreams, at.at('upstream'));
    const segments = route.path === undefined ? undefined : readTemplate(route.path, at.at('path'));
    if (upstream !== undefined && segments !== undefined) {
      checkPlace(route, segments, upstream, served, index, at.at('path'));
    }
    // Of a name that is no contract nothing follows about the tool.
    if (route.contract !== undefined && library.has(route.contract)) {
      checkTool(route, tools, index, at);
    }
    const assembled =
      route.contract === undefined ? undefined : await library.assembled(route.contract, at.at('contract'));
    if (assembled !== undefined && segments !== undefined) checkParams(segments, assembled, at.at('path'));
    if (assembled !== undefined && upstream !== undefined) {
      checkHeaders(upstream, assembled, at.at('contract'));
      checkToken(carriers, assembled, at.at('contract'));
    }
    const signatures = upstream && assembled && bindSignatures(assembled, upstream.keys, at.at('contract'));
    checkAnswer(route, library, at.at('answer'));
    const limits = mergeLimits(upstream?.limits ?? DEFAULT_LIMITS, route.limits, at.at('limits'));
    const retry =
      route.retry === undefined
        ? upstream?.retry
        : readRetry(route.retry, 'route', upstream?.headerNames ?? NO_NAMES, at.at('retry'));
    if (retry !== undefined) checkRepeats(route, retry, at.at('retry'));

    const { tool, method, path } = route;
    if (!upstream || !segments || !assembled || !retry || !tool || !method || !path) continue;
    if (assembled.signatures !== undefined && signatures === undefined) continue;
    const plan: RoutePlan = {
      tool,
      method,
      path,
      segments,
      mount: upstream.mount,
      upstream: upstream.plan,
      contract: assembled.contract,
      checks: assembled.checks,
      ...(signatures === undefined ? {} : { signatures }),
      limits: routeLimits(limits),
      // An attempt that starts after the call's deadline would be cut at once.
      retry: Object.freeze({ ...retry, withinMs: Math.min(retry.withinMs, limits.total) }),
      ...(route.read_only === undefined ? {} : { readOnly: route.read_only }),
      answer: route.answer ?? 'envelope',
      profile: upstream.profile,
      statuses: upstream.statuses,
      ...(upstream.answerHeaders === undefined ? {} : { answerHeaders: upstream.answerHeaders }),
    };
    plans.push(Object.freeze(plan));
  }
  return Object.freeze(plans);
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A retry that no call of the route could ever make is a mistake, or a wish that was not understood. */
function checkRepeats({ method, read_only, retry }: Route, policy: RetryPolicy, report: Report): void {
  if (retry === undefined || policy.attempts === 1 || method === undefined) return;
  if (read_only ?? isSafe(method)) return;
  if (policy.idempotencyKey !== undefined) return;
  report.problem(
    'never-repeated',
    `has no effect: a ${method} may change something, and is only repeated with an idempotency key`,
    'Add idempotency_key: NAME where the upstream honours one, write read_only: true where the call changes nothing, or remove it.',
  );
}

function readUpstream(
  route: Route,
  names: ReadonlySet<string>,
  upstreams: ReadonlyMap<string, Upstream>,
  report: Report,
): Upstream | undefined {
  const { upstream: name } = route;
  if (name === undefined || names.has(name)) return upstreams.get(name ?? '');
  const meant = nearest(name, names);
  const remedy = meant === undefined ? `Write one of ${[...names].join(', ')}.` : `Did you mean "${meant}"?`;
  report.problem('unknown-upstream', 'is not a name of upstreams', remedy);
  return undefined;
}

/** Two routes of one method, mount and shape would take the same calls. A literal beside a parameter is told apart. */
function checkPlace(
  { method }: Route,
  segments: readonly PathSegment[],
  { mount, isApart, plan }: Upstream,
  served: Map<string, number>,
  index: number,
  report: Report,
): void {
  if (method === undefined) return;
  const key = `${isApart ? plan.name : ''} ${method} ${mount}/${shapeOf(segments)}`;
  const other = served.get(key);
  if (other === undefined) served.set(key, index);
  else {
    const remedy = 'Remove one of them, or tell them apart by method or by a literal segment.';
    report.problem('same-route', `takes the same calls as routes[${other}]`, remedy);
  }
}

/** A tool is one contract in one shape, on however many routes: what the agent gets of it never varies. */
function checkTool(
  route: Route,
  tools: Map<string, readonly [index: number, route: Route]>,
  index: number,
  report: Report,
): void {
  const { tool, contract } = route;
  if (tool === undefined || contract === undefined) return;
  const named = contract.split('@')[0];
  if (named !== tool) {
    report
      .at('tool')
      .problem(
        'tool-mismatch',
        'is not the tool of its contract',
        `Write tool: ${named}, or name another contract.`,
      );
  }
  const [first, other] = tools.get(tool) ?? [index, route];
  tools.set(tool, [first, other]);
  if (other.contract !== contract) {
    const remedy = 'Give both routes the same contract, or the second one a tool of its own.';
    report
      .at('contract')
      .problem('tool-varies', `is not the contract that routes[${first}] has for the same tool`, remedy);
  } else if ((other.answer ?? 'envelope') !== (route.answer ?? 'envelope')) {
    const remedy = 'Give both routes the same answer.';
    report
      .at('answer')
      .problem('tool-varies', `is not the one that routes[${first}] has for the same tool`, remedy);
  }
}

function checkParams(segments: readonly PathSegment[], { contract }: Assembled, report: Report): void {
  const inPath = new Set(segments.flatMap((segment) => ('param' in segment ? [segment.param] : [])));
  const declared = contract.request.params;
  const missing = [...declared.keys()].filter((name) => !inPath.has(name)).map(braced);
  const extra = [...inPath].filter((name) => !declared.has(name)).map(braced);
  if (missing.length > 0) {
    const remedy = `Put ${missing.join(' and ')} into the path, or take it out of the contract's request.params.`;
    report.problem(
      'missing-param',
      `lacks ${missing.join(' and ')}, which ${contract.name} declares`,
      remedy,
    );
  }
  if (extra.length > 0) {
    const remedy = `Declare it in the contract's request.params, which has ${[...declared.keys()].map(braced).join(', ') || 'none'}.`;
    report.problem(
      'unknown-param',
      `has ${extra.join(' and ')}, which ${contract.name} does not declare`,
      remedy,
    );
  }
}

/** A header of the agent must never stand where the configuration put its own. */
function checkHeaders({ plan, headerNames }: Upstream, { contract }: Assembled, report: Report): void {
  const both = [...contract.request.headers.keys()].filter((name) => headerNames.has(name));
  if (both.length === 0) return;
  const message = `forwards ${both.join(' and ')} of the agent, which upstreams.${plan.name}.headers sets itself`;
  report.problem(
    'header-conflict',
    message,
    "Take it out of the contract's request.headers, or out of the upstream's headers.",
  );
}

/** The agent's token is for the sidecar alone: no contract may take it for a parameter and send it on. */
function checkToken(carriers: readonly TokenCarrier[], { contract }: Assembled, report: Report): void {
  const carried = carriers.find(({ header }) => contract.request.headers.has(header));
  if (carried === undefined) return;
  const message = `forwards ${carried.header} of the agent, in which server.agent_auth.carriers looks for its token`;
  const remedy = "Take it out of the contract's request.headers, or out of the carriers.";
  report.problem('token-forwarded', message, remedy);
}

function checkAnswer(route: Route, library: ContractLibrary, report: Report): void {
  if (route.answer !== 'data' || !library.hasDisplayText(route.contract ?? '')) return;
  const message =
    'cannot be data: the contract has fields with text: display, and data has no place for untrusted text';
  report.problem(
    'display-text',
    message,
    'Write answer: envelope, or take those fields out of the contract.',
  );
}

function braced(name: string): string {
  return `{${name}}`;
}
