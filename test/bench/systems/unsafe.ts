/**
 * What people write who trust the upstream: Fastify, undici, JSON.parse, Ajv with the same schema, and the wanted members
 * picked by hand. Nothing is logged and nothing recorded.
 */
import Fastify from 'fastify';
import { Pool } from 'undici';
import { validators } from '../unsafe-path.js';
import { told } from './listen.js';

const [, , upstream = ''] = process.argv;
const pool = new Pool(upstream);
const app = Fastify({ logger: false });

for (const [{ tool, pick }, validate] of validators()) {
  app.get<{ Params: { ending: string } }>(`/${tool}/:ending`, async (request, reply) => {
    const path = `/${tool}/${encodeURIComponent(request.params.ending)}`;
    const { statusCode, body } = await pool.request({ method: 'GET', path });
    if (statusCode !== 200) {
      await body.dump();
      return reply.code(502).send({ error: 'status' });
    }
    let answer: unknown;
    try {
      answer = await body.json();
    } catch {
      return reply.code(422).send({ error: 'syntax' });
    }
    return validate(answer) ? pick(answer) : reply.code(422).send({ error: 'schema' });
  });
}
await app.listen({ host: '127.0.0.1', port: 0 });
told(app.server);
