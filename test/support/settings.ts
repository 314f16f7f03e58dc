import type { Settings } from '../../src/config/index.js';
import type { RoutePlan } from '../../src/route/index.js';

/** Settings of a sidecar on free loopback ports, around routes made by a test. */
export function settingsOf(routes: readonly RoutePlan[], server: Partial<Settings['server']> = {}): Settings {
  const endpoint = server.listen ?? { host: '127.0.0.1', port: 0 };
  return {
    server: {
      listen: endpoint,
      admin: { host: '127.0.0.1', port: 0 },
      bearer: undefined,
      carriers: [{ header: 'authorization', scheme: 'bearer' }],
      acceptRequestId: false,
      log: { level: 'silent' },
      pressure: {
        eventLoopDelayMs: 10_000,
        heapBytes: Number.MAX_SAFE_INTEGER,
        rssBytes: Number.MAX_SAFE_INTEGER,
        inFlight: 1_000,
      },
      ...server,
    },
    routes,
    listeners: [{ endpoint, upstream: undefined, routes, mounts: [] }],
    audit: undefined,
    quarantine: undefined,
    digest: 'test',
    contracts: [],
    warnings: [],
  };
}
