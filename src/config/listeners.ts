import type { Mount, RoutePlan } from '../route/index.js';
import { collide, isLoopback } from './endpoint.js';
import type { Report } from './report.js';
import type { Endpoint, ListenerSettings, ServerSettings } from './settings.js';
import type { Upstream } from './upstreams.js';

/**
 * The listeners of the agent side, each with what is found there: `server.listen` for every upstream without one of
 * its own. No two addresses may collide, and what other machines reach needs `agent_auth` (`hasAuth`: the file has
 * it, be it well shaped or not).
 */
export function readListeners(
  server: ServerSettings,
  upstreams: ReadonlyMap<string, Upstream>,
  routes: readonly RoutePlan[],
  hasAuth: boolean,
  report: Report,
): readonly ListenerSettings[] {
  const apart = new Set<string>();
  const own: ListenerSettings[] = [];
  const taken: [key: string, endpoint: Endpoint][] = [['server.listen', server.listen]];
  if (server.admin !== undefined) taken.push(['server.admin', server.admin]);
  for (const [name, upstream] of upstreams) {
    if (!upstream.isApart) continue;
    apart.add(name);
    const { listen: endpoint } = upstream;
    if (endpoint === undefined) continue;
    checkAddress(endpoint, taken, hasAuth, report.at(name, 'listen'));
    taken.push([`upstreams.${name}.listen`, endpoint]);
    own.push(
      Object.freeze({
        endpoint,
        upstream: name,
        routes: Object.freeze(routes.filter((route) => route.upstream.name === name)),
        mounts: Object.freeze([mountOf(upstream)]),
      }),
    );
  }
  const shared: ListenerSettings = {
    endpoint: server.listen,
    upstream: undefined,
    routes: Object.freeze(routes.filter((route) => !apart.has(route.upstream.name))),
    mounts: Object.freeze([...upstreams.values()].filter(({ isApart }) => !isApart).map(mountOf)),
  };
  return Object.freeze([Object.freeze(shared), ...own]);
}

function mountOf({ mount, profile, statuses, answerHeaders }: Upstream): Mount {
  return Object.freeze({
    path: mount,
    profile,
    statuses,
    ...(answerHeaders === undefined ? {} : { answerHeaders }),
  });
}

function checkAddress(
  endpoint: Endpoint,
  taken: readonly (readonly [key: string, endpoint: Endpoint])[],
  hasAuth: boolean,
  report: Report,
): void {
  if (!isLoopback(endpoint) && !hasAuth) {
    const remedy = 'Add agent_auth: { bearer: { secret: ASSAY_TOKEN } } to server, or listen on 127.0.0.1.';
    report.problem('open-listener', 'is reachable from other machines without agent_auth', remedy);
  }
  const other = taken.find(([, address]) => collide(address, endpoint));
  if (other !== undefined) {
    report.problem('same-address', `opens the same port as ${other[0]}`, 'Give it another port.');
  }
}
