import type { Settings } from '../../src/config/index.js';
import type { RoutePlan } from '../../src/route/index.js';

/** Settings of a sidecar on free loopback ports, around routes made by a test. */
export function settingsOf(routes: readonly RoutePlan[], server: Partial<Settings['server']> = {}): Settings {
  return {
    server: {
      listen: { host: '127.0.0.1', port: 0 },
      admin: { host: '127.0.0.1', port: 0 },
      bearer: undefined,
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
    audit: undefined,
    quarantine: undefined,
    digest: 'test',
    contracts: [],
    warnings: [],
  };
}
