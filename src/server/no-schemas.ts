import type { FastifyServerOptions } from 'fastify';

/**
 * No route here has a schema for Fastify: its serializer turns `null` into `""` and arrays into text. Its compilers of
 * schemas would be loaded all the same, for which a start would wait; in their place stand some that never compile.
 */
export const NO_SCHEMAS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
};

function refuse(): never {
  throw new Error('a route has a schema, and none may have one');
}
