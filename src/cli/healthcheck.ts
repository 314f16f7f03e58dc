import { request } from 'node:http';
import type { Endpoint } from '../config/index.js';
import { CONFIG_OPTION, type Command } from './command.js';

const TIMEOUT_MS = 3_000;

export const healthcheck: Command = {
  name: 'healthcheck',
  summary: 'ask the running sidecar whether it is ready',
  description: [
    'Asks /readyz of the admin listener that the configuration names, and exits 0 when the answer is 200, else 1 with the reasons. Meant for HEALTHCHECK of a container.',
  ],
  options: [
    CONFIG_OPTION,
    {
      name: 'url',
      value: 'URL',
      what: 'the admin address, as http://127.0.0.1:9090; the configuration is not read',
    },
  ],
  exits: ['NOT_READY', 'CONFIG'],
  async run(args, io) {
    let url = args.values.url;
    if (url === undefined) {
      const { places } = await import('./load.js');
      const { endpointText } = await import('../server/index.js');
      const found = await places(args, io);
      if ('exit' in found) return found.exit;
      const { admin } = found;
      if (admin === undefined) {
        io.err('assay healthcheck: the configuration has no admin listener\n  = set server.admin\n');
        return 'CONFIG';
      }
      url = `http://${endpointText(reachable(admin))}`;
    } else if (!URL.canParse(url) || new URL(url).protocol !== 'http:') {
      io.err(`assay healthcheck: '${url}' is no http:// address\n`);
      return 'USAGE';
    }
    const { status, text } = await get(new URL('/readyz', url));
    if (status === 200) {
      io.out('ready\n');
      return 'OK';
    }
    io.err(`not ready: ${text}\n`);
    return 'NOT_READY';
  },
};

/** A listener on every address is reached through the loopback. */
function reachable({ host, port }: Endpoint): Endpoint {
  if (host === '0.0.0.0') return { host: '127.0.0.1', port };
  if (host === '::') return { host: '::1', port };
  return { host, port };
}

function get(url: URL): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve({ status: 0, text: `${url.host} does not answer (${error.code ?? error.message})` });
    const call = request(url, { signal: AbortSignal.timeout(TIMEOUT_MS), agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < 4_096) body += chunk;
      });
      response.on('error', failed);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: reasons(body) }));
    });
    call.on('error', failed);
    call.end();
  });
}

function reasons(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (
      parsed !== null &&
      typeof parsed === 'object' &&
      'reasons' in parsed &&
      Array.isArray(parsed.reasons)
    ) {
      return parsed.reasons.join(', ');
    }
  } catch {
    // Not the sidecar's answer; said below.
  }
  return 'what answers there is not an admin listener';
}
