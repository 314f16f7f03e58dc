import type { LinkRules, TypedRequest } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { parseLinks } from '../upstream/index.js';
import type { Exchange } from './exchange.js';
import type { RoutePlan } from './plan.js';
import { readQuery } from './request-query.js';
import type { Proven } from './stages.js';

/**
 * The Link header of an answer, so that its further pages are asked for here: each link built anew from this call's own
 * address and the query of the upstream's link, every parameter of which the contract declares and its schema takes.
 * Whatever is not such a link to the same resource is dropped; undefined where nothing is left.
 */
export function pageLinks({ plan, context, outcome }: Proven, exchange: Exchange): string | undefined {
  const { links: rules } = outcome;
  if (rules === undefined || plan.method !== 'GET') return undefined;
  const here = addressOf(exchange);
  const links = here === undefined ? undefined : parseLinks(context.headers.all('link'));
  if (links === undefined) return undefined;
  const kept: string[] = [];
  // In an order of ours, one link for each relation type: what else could be told apart, the upstream would have said.
  for (const rel of rules.rels) {
    const [link, another] = links.filter((one) => !one.isElsewhere && one.rels.includes(rel));
    // Of two, readers could follow either.
    if (link === undefined || another !== undefined) continue;
    const query = queryOf(link.target, plan, context.request, rules);
    if (query !== undefined) kept.push(`<${here}${query === '' ? '' : `?${query}`}>; rel="${rel}"`);
  }
  return kept.length === 0 ? undefined : kept.join(', ');
}

// RFC 9110 section 7.2: uri-host [ ":" port ]; an IPv6 address stands in brackets.
const HOST = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;
/** What can stand between `<` and `>` as it is. */
const PATH = /^\/[A-Za-z0-9\-._~:/@!$&'()*+,;=%[\]]*$/;

/** How the agent addressed this call, without its query. Clients that page do not resolve relative references. */
function addressOf({ target, headers }: Exchange): string | undefined {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host');
  const host = hosts[0]?.[1] ?? '';
  const [path = ''] = target.split('?', 1);
  if (hosts.length !== 1 || !HOST.test(host) || !PATH.test(path)) return undefined;
  return `http://${host}${path}`;
}

/** The query of a link to another page of the same resource, written anew; undefined for any other link. */
function queryOf(
  target: string,
  plan: RoutePlan,
  request: TypedRequest,
  rules: LinkRules,
): string | undefined {
  const { origin, basePath } = plan.upstream;
  const own = plan.segments.map((segment) =>
    'literal' in segment ? segment.literal : encodeURIComponent(String(request.params[segment.param])),
  );
  const base = `${origin}${basePath}/${own.join('/')}`;
  // RFC 8288 section 3.2 and RFC 3986 section 5: relative references start at the address that was asked.
  if (!URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  if (url.origin !== new URL(origin).origin || url.username !== '' || url.password !== '') return undefined;
  if (!url.pathname.startsWith(`${basePath}/`)) return undefined;
  const segments = url.pathname.slice(basePath.length + 1).split('/');
  if (![own, ...rules.paths].some((path) => isPath(segments, path))) return undefined;
  const query = readQuery(url.search.slice(1), plan.contract.request.query);
  return query instanceof Fault ? undefined : query.text;
}

/** @param path segments on the wire; undefined stands for any one */
function isPath(segments: readonly string[], path: readonly (string | undefined)[]): boolean {
  if (segments.length !== path.length) return false;
  return path.every((wanted, i) => {
    const segment = segments[i] ?? '';
    return wanted === undefined ? segment !== '' : same(segment, wanted);
  });
}

/** RFC 3986 section 6.2.2: what is escaped may be escaped or not. */
function same(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return decodeURIComponent(a) === decodeURIComponent(b);
  } catch {
    return false;
  }
}
