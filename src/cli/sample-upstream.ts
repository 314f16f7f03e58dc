import type { Command } from './command.js';
import { stopSignal } from './stop-signal.js';

const DEFAULT_LISTEN = '127.0.0.1:9000';

export const sampleUpstream: Command = {
  name: 'sample-upstream',
  summary: "the demo's upstream alone, for a sidecar in another container",
  description: [
    'Answers like GitHub, soundly and unsoundly, on the paths that assay demo calls. It serves constants and asks for no credential; docker-compose.yml puts it behind the sidecar.',
  ],
  options: [
    { name: 'listen', value: 'HOST:PORT', what: `address and port to listen on; default ${DEFAULT_LISTEN}` },
  ],
  exits: ['RUNTIME', 'INTERRUPTED'],
  async run(args, io) {
    const listen = args.values.listen ?? DEFAULT_LISTEN;
    const endpoint = parseListen(listen);
    if (endpoint === undefined) {
      io.err(`assay sample-upstream: '${listen}' is not HOST:PORT\n`);
      return 'USAGE';
    }
    const stopped = stopSignal();
    const { startSampleUpstream } = await import('../tooling/index.js');
    try {
      const upstream = await startSampleUpstream(endpoint.port, endpoint.host);
      io.out(`the sample upstream listens on ${upstream.url}\n`);
      await stopped;
      await upstream.close();
      return 'OK';
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      io.err(`assay sample-upstream: cannot listen on ${listen}: ${String(error.code)}\n`);
      return 'RUNTIME';
    }
  },
};

/** `127.0.0.1:9000`, `localhost:9000`, `[::1]:9000`. */
function parseListen(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}
