import Fastify from 'fastify';
import t from 'tap';
import { NO_SCHEMAS } from '../../src/server/no-schemas.js';

t.test('a route with a schema does not start, one without does', async (t) => {
  const make = () => Fastify({ logger: false, schemaController: NO_SCHEMAS });
  const plain = make();
  plain.get('/', async () => ({ a: null }));
  t.equal((await plain.inject('/')).body, '{"a":null}');

  const string = { type: 'object', properties: { a: { type: 'string' } } };
  for (const schema of [{ response: { 200: string } }, { querystring: string }]) {
    const app = make();
    app.get('/', { schema }, async () => ({ a: null }));
    await t.rejects(Promise.resolve(app.ready()), { message: /a route has a schema/ });
  }
});
