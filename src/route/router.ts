import type { RoutePlan } from './plan.js';

/** A route and the raw values of its parameters. */
export interface RouteMatch {
  readonly plan: RoutePlan;
  readonly params: ReadonlyMap<string, string>;
}

interface Node {
  readonly literals: Map<string, Node>;
  param: Node | undefined;
  readonly plans: Map<string, RoutePlan>;
}

/**
 * Matches raw path segments as they stand on the wire, without decoding: a `%2F` is part of its segment. A literal
 * wins over a parameter, and is given up again if the rest of the path only fits the parameter.
 */
export class Router {
  readonly #root = newNode();

  constructor(plans: readonly RoutePlan[]) {
    for (const plan of plans) this.#add(plan);
  }

  #add(plan: RoutePlan): void {
    let node = this.#root;
    for (const literal of plan.mount.split('/').slice(1)) node = literalChild(node, literal);
    for (const segment of plan.segments) {
      if ('literal' in segment) {
        node = literalChild(node, segment.literal);
      } else {
        node.param ??= newNode();
        node = node.param;
      }
    }
    this.#serve(node, plan);
    // The path `/` is the mount itself, which clients write with its slash and without.
    if (plan.segments.length === 0) this.#serve(literalChild(node, ''), plan);
  }

  #serve({ plans }: Node, plan: RoutePlan): void {
    if (plans.has(plan.method)) throw new Error(`two routes for ${plan.method} ${plan.mount}${plan.path}`);
    plans.set(plan.method, plan);
  }

  match(method: string, segments: readonly string[]): RouteMatch | undefined {
    const values: string[] = [];
    const plan = find(this.#root, method, segments, 0, values);
    if (plan === undefined) return undefined;
    const params = new Map<string, string>();
    for (const segment of plan.segments) {
      if ('param' in segment) params.set(segment.param, values[params.size] as string);
    }
    return { plan, params };
  }
}

function find(
  node: Node,
  method: string,
  segments: readonly string[],
  at: number,
  values: string[],
): RoutePlan | undefined {
  if (at === segments.length) return node.plans.get(method);
  const segment = segments[at] as string;
  const literal = node.literals.get(segment);
  const found = literal && find(literal, method, segments, at + 1, values);
  if (found !== undefined) return found;
  if (node.param === undefined || segment === '') return undefined;
  values.push(segment);
  const viaParam = find(node.param, method, segments, at + 1, values);
  if (viaParam === undefined) values.pop();
  return viaParam;
}

function literalChild(node: Node, literal: string): Node {
  let child = node.literals.get(literal);
  if (child === undefined) {
    child = newNode();
    node.literals.set(literal, child);
  }
  return child;
}

function newNode(): Node {
  return { literals: new Map(), param: undefined, plans: new Map() };
}
