import { CONFIG_OPTION, type Command } from './command.js';
import { stopSignal } from './stop-signal.js';

export const serve: Command = {
  name: 'serve',
  summary: 'run the sidecar',
  description: [
    'Loads the configuration and every contract, runs the fixtures of every contract (a contract that does not do what its fixtures claim stops the start), and listens. The log goes to standard output, one JSON line per call.',
    'SIGTERM or SIGINT: /readyz turns to 503, no new connection is accepted, calls in flight finish, the audit file is flushed, and it exits 0. A second signal ends it at once.',
  ],
  options: [CONFIG_OPTION],
  exits: ['CONFIG', 'FIXTURES', 'RUNTIME', 'INTERRUPTED'],
  async run(args, io) {
    const stopped = stopSignal();
    const [{ load }, { proveOrReport }, { start }] = await Promise.all([
      import('./load.js'),
      import('./proof.js'),
      import('./start.js'),
    ]);
    const loaded = await load(args, io);
    if ('exit' in loaded) return loaded.exit;
    const proven = await proveOrReport(loaded.settings, io);
    if ('exit' in proven) return proven.exit;
    const server = await start(loaded.settings, { proven: true }, io);
    if (server === undefined) return 'RUNTIME';
    await stopped;
    return (await server.close()) ? 'OK' : 'RUNTIME';
  },
};
