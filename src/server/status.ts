import type { Settings } from '../config/index.js';
import type { BreakerStatus } from '../upstream/index.js';

/** What `/status` tells: what runs here, by name and digest. No secret, no header, no address with credentials. */
export interface Status {
  readonly version: string;
  readonly config_digest: string;
  readonly uptime_s: number;
  readonly in_flight: number;
  /** Where agents call; `upstream`: whose own it is, null for `server.listen`. */
  readonly listeners: readonly { readonly upstream: string | null; readonly url: string }[];
  readonly ready: boolean;
  /** Circuit breakers, of the upstreams that have one. */
  readonly breakers?: readonly ({ readonly upstream: string } & BreakerStatus)[];
  readonly contracts: readonly { readonly name: string; readonly version: string; readonly digest: string }[];
  readonly routes: readonly RouteStatus[];
}

export interface RouteStatus {
  readonly tool: string;
  readonly method: string;
  /** With the mount: what the agent calls. */
  readonly path: string;
  readonly upstream: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly contract: string;
  readonly answer: 'envelope' | 'data';
}

/** The parts of the status that do not change while the settings are in force. */
export function describeSettings(settings: Settings): Pick<Status, 'config_digest' | 'contracts' | 'routes'> {
  const contracts = new Map(settings.routes.map(({ contract }) => [contract.name, contract]));
  return {
    config_digest: settings.digest,
    contracts: [...contracts.values()].map(({ name, version, digest }) => ({ name, version, digest })),
    routes: settings.routes.map((route) => ({
      tool: route.tool,
      method: route.method,
      path: route.mount + route.path,
      upstream: route.upstream.name,
      origin: route.upstream.origin,
      contract: route.contract.name,
      answer: route.answer,
    })),
  };
}
