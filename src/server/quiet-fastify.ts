import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { PressureSettings } from '../config/index.js';
import { NO_SCHEMAS } from './no-schemas.js';

/** Milliseconds; what an agent host may take to send its call, and how long an idle connection is kept. */
export interface AgentTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How long a connection that has not sent a request may still do so once the server drains. */
  readonly silentMs: number;
}

export const DEFAULT_TIMEOUTS: AgentTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 72_000,
  silentMs: 200,
};

/**
 * Bytes of request line and headers. Well above any path limit, so that a path that is too long is the pipeline's to
 * refuse and to record.
 */
const HEADER_BYTES = 65_536;

export interface QuietOptions {
  readonly pressure: PressureSettings;
  readonly bodyBytes: number;
  readonly timeouts?: Partial<AgentTimeouts>;
  readonly pressureSampleMs?: number;
}

export interface QuietHandlers {
  connection(socket: Duplex): void;
  /** Any request but CONNECT; `target` is as on the wire, the body is not read yet. Answers it; may neither throw nor reject. */
  call(request: IncomingMessage, target: string, response: ServerResponse): void;
  connect(request: IncomingMessage, socket: Duplex): Promise<void>;
  /** Bytes that are no HTTP/1.1, or that came too late. */
  refuse(error: Error & { readonly code?: string }, socket: Duplex): void;
  bug(error: unknown, reply: FastifyReply): FastifyReply;
}

export interface QuietFastify {
  readonly app: FastifyInstance;
  /** Whether memory or the delay of the event loop were beyond their limits when they were last looked at. */
  isUnderPressure(): boolean;
}

/**
 * A Fastify instance that says nothing by itself: everything for which Fastify or Node's HTTP server has an answer of
 * its own - bad URLs, unknown routes and methods, content types, body sizes, a missing Host, expectations, pressure,
 * closing, parser errors, time-outs - is turned off or handed to one of `handlers`.
 */
export function quietFastify(options: QuietOptions, handlers: QuietHandlers): QuietFastify {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    http: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: Math.max(20, Math.min(1_000, timeouts.headersMs, timeouts.requestMs)),
      // Node would answer by itself; hasSoundHost looks at it.
      requireHostHeader: false,
    },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // Every target is one route: the router never reads what the agent wrote, and so has nothing to say of it.
    rewriteUrl: () => '/',
    frameworkErrors: (error, _request, reply) => handlers.bug(error, reply),
    clientErrorHandler: handlers.refuse,
  });
  listenTo(app, options.bodyBytes, handlers);

  app.setErrorHandler((error, _request, reply) => handlers.bug(error, reply));
  app.setNotFoundHandler((_request, reply) => handlers.bug(new Error('the catch-all did not match'), reply));
  let isUnderPressure = (): boolean => false;
  // In a scope of its own: its hook answers 503 by itself. The call asks isUnderPressure instead, so that the pipeline
  // answers and records it.
  app.register(async (scope) => {
    await scope.register(underPressure, {
      maxEventLoopDelay: options.pressure.eventLoopDelayMs,
      maxHeapUsedBytes: options.pressure.heapBytes,
      maxRssBytes: options.pressure.rssBytes,
      sampleInterval: options.pressureSampleMs ?? 1_000,
    });
    isUnderPressure = () => scope.isUnderPressure();
  });
  app.register(async (scope) => {
    for (const method of METHODS) {
      if (method !== 'CONNECT' && !scope.supportedMethods.includes(method)) scope.addHttpMethod(method);
    }
    scope.route({
      method: scope.supportedMethods,
      url: '/',
      // Answered in the first hook of the life cycle, before Fastify judges content type and body.
      onRequest: (request, reply) => {
        // What Fastify would add to the reply is known, wanted by nobody, and a good part of what a call costs.
        reply.hijack();
        handlers.call(request.raw, request.originalUrl, reply.raw);
      },
      handler: async (_request, reply) => handlers.bug(new Error('not answered in onRequest'), reply),
    });
  });
  return { app, isUnderPressure: () => isUnderPressure() };
}

function listenTo(app: FastifyInstance, bodyBytes: number, handlers: QuietHandlers): void {
  const { server } = app;
  // Otherwise Node drops header lines beyond the first thousand without a word; HEADER_BYTES is the limit.
  server.maxHeadersCount = 0;
  server.on('connection', handlers.connection);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // RFC 9110 section 10.1.1: a final answer instead of 100 where the declared length is refused anyway.
    if (Number(request.headers['content-length'] ?? 0) <= bodyBytes) response.writeContinue();
    app.routing(request, response);
  });
  // RFC 9110 section 10.1.1: other expectations may be ignored; Node would answer 417 by itself.
  server.on('checkExpectation', app.routing);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => void handlers.connect(request, socket));
}
