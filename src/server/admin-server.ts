import Fastify, { type FastifyInstance } from 'fastify';
import type { Endpoint } from '../config/index.js';
import { listenOptions, listenUrl, StartError } from './listen.js';
import { NO_SCHEMAS } from './no-schemas.js';
import type { Status } from './status.js';

export interface AdminServerOptions {
  /** Why the sidecar is not ready, one short sentence each; empty when it is. */
  notReady(): readonly string[];
  status(): Status;
}

/** The operator's listener, apart from the agent's: `/livez`, `/readyz` and `/status`. It tells no secret. */
export interface AdminServer {
  /** Starts listening; gives the base URL. Rejects with a StartError. */
  listen(endpoint: Endpoint): Promise<string>;
  close(): Promise<void>;
}

export function createAdminServer(options: AdminServerOptions): AdminServer {
  const app = buildAdmin(options);
  return {
    async listen(endpoint) {
      try {
        await app.listen(listenOptions(endpoint));
      } catch (error) {
        await app.close();
        throw new StartError('admin', endpoint, error);
      }
      return listenUrl(app.server.address());
    },
    async close() {
      await app.close();
    },
  };
}

function buildAdmin(options: AdminServerOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    requestTimeout: 5_000,
    keepAliveTimeout: 5_000,
    return503OnClosing: false,
    forceCloseConnections: true,
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }));
  app.get('/livez', async () => ({ alive: true }));
  app.get('/readyz', async (_request, reply) => {
    const reasons = options.notReady();
    return reply.code(reasons.length === 0 ? 200 : 503).send({ ready: reasons.length === 0, reasons });
  });
  app.get('/status', async () => options.status());
  return app;
}
