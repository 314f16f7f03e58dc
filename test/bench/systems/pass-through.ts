/** @fastify/http-proxy as its documentation starts it: every byte is passed on unchecked. Nothing is logged. */
import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';
import { told } from './listen.js';

const [, , upstream = ''] = process.argv;
const app = Fastify({ logger: false });
app.register(proxy, { upstream });
await app.listen({ host: '127.0.0.1', port: 0 });
told(app.server);
