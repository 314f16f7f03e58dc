import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Endpoint, PressureSettings, TokenCarrier } from '../config/index.js';
import { type AgentReply, newRequestId } from '../envelope/index.js';
import type { OperatorCode } from '../fault/index.js';
import type { AnswerShape, IncomingCall, Pipeline } from '../route/index.js';
import { agentTokenCheck } from './agent-token.js';
import { cancelledOnClose, hasSoundHost, headerLines } from './arrival.js';
import { constantAnswer, wireBytes } from './constant-answer.js';
import { listenOptions, listenUrl, StartError } from './listen.js';
import { type AgentTimeouts, DEFAULT_TIMEOUTS, quietFastify } from './quiet-fastify.js';
import { readBody } from './read-body.js';

export type { AgentTimeouts } from './quiet-fastify.js';

/** How long a broken connection may go on sending before it is cut. */
const LINGER_MS = 500;

/** Calls between arrival and answer, over all listeners that share it. */
export interface Load {
  inFlight: number;
}

export interface AgentServerOptions {
  readonly pipeline: Pipeline;
  /** Whose own the listener is; undefined: it is `server.listen`. */
  readonly upstream?: string | undefined;
  /** How that upstream's clients are answered where there is no call. Default: the envelope. */
  readonly shape?: AnswerShape | undefined;
  /** Default: one of its own. */
  readonly load?: Load;
  /** Token that calls must carry; undefined: none. */
  readonly bearer: string | undefined;
  /** Where it may stand. */
  readonly carriers: readonly TokenCarrier[];
  readonly pressure: PressureSettings;
  /** Largest request body in bytes that is read; the largest of the routes' limits. */
  readonly bodyBytes: number;
  readonly timeouts?: Partial<AgentTimeouts>;
  /** Milliseconds between two looks at memory and event-loop delay. Default 1000. */
  readonly pressureSampleMs?: number;
  /** Something arrived that is no HTTP call; `reason` is the parser's code, never its bytes. */
  onRefusedSocket?(requestId: string, reason: string): void;
  /** What was thrown where nothing should throw. */
  onBug?(requestId: string, error: unknown): void;
}

/** The agent side: a listener that hands every HTTP request, whatever its method and target, to the pipeline. */
export interface AgentServer {
  /** Starts listening; gives the base URL. Rejects with a StartError. */
  listen(endpoint: Endpoint): Promise<string>;
  /** Calls between arrival and answer. */
  readonly inFlight: number;
  /**
   * Stops accepting and waits for the calls in flight; after `deadlineMs` their connections are closed, which aborts
   * them. Resolves, when none is left, to whether all of them got their answer.
   */
  close(deadlineMs: number): Promise<boolean>;
}

export function createAgentServer(options: AgentServerOptions): AgentServer {
  return new FastifyAgentServer(options);
}

class FastifyAgentServer implements AgentServer {
  readonly #options: AgentServerOptions;
  readonly #app: FastifyInstance;
  readonly #isUnderPressure: () => boolean;
  readonly #authenticated: (headers: IncomingCall['headers']) => boolean;
  /** Requests per connection that are not answered. */
  readonly #pending = new WeakMap<Duplex, Set<IncomingMessage>>();
  readonly #refused = new WeakSet<Duplex>();
  /** Connections that have not sent a request yet: Node counts them as busy when it closes. */
  readonly #silent = new Set<Duplex>();
  readonly #idle = new Set<() => void>();
  readonly #load: Load;
  #inFlight = 0;
  #draining = false;

  constructor(options: AgentServerOptions) {
    this.#options = options;
    this.#authenticated = agentTokenCheck(options.bearer, options.carriers);
    this.#load = options.load ?? { inFlight: 0 };
    const { app, isUnderPressure } = quietFastify(options, {
      connection: (socket) => this.#connected(socket),
      call: (request, target, response) => void this.#call(request, target, response),
      connect: (request, socket) => this.#connect(request, socket),
      refuse: (error, socket) => this.#refuseSocket(error, socket),
      bug: (error, reply) => this.#bug(reply, error),
    });
    this.#app = app;
    this.#isUnderPressure = isUnderPressure;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  async listen(endpoint: Endpoint): Promise<string> {
    try {
      await this.#app.listen(listenOptions(endpoint));
    } catch (error) {
      await this.#app.close();
      throw new StartError('agent', endpoint, error, this.#options.upstream);
    }
    return listenUrl(this.#app.server.address());
  }

  async close(deadlineMs: number): Promise<boolean> {
    this.#draining = true;
    const grace = setTimeout(
      () => {
        for (const socket of this.#silent) socket.destroy();
      },
      Math.min(this.#options.timeouts?.silentMs ?? DEFAULT_TIMEOUTS.silentMs, deadlineMs),
    );
    let late = false;
    const timer = setTimeout(() => {
      late = this.#inFlight > 0;
      this.#app.server.closeAllConnections();
    }, deadlineMs);
    await this.#app.close();
    clearTimeout(timer);
    clearTimeout(grace);
    // A call whose connection is gone may still be on its way to its record.
    if (this.#inFlight > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
    return !late;
  }

  async #call(request: IncomingMessage, target: string, response: ServerResponse): Promise<void> {
    this.#arrived(request);
    try {
      const headers = headerLines(request);
      if (!hasSoundHost(request, headers)) {
        const requestId = newRequestId();
        this.#options.onRefusedSocket?.(requestId, 'HOST');
        send(response, this.#constant('REQ_PROTOCOL', requestId), true);
        return;
      }
      const authenticated = this.#authenticated(headers);
      const shed = this.#mustShed();
      // The body of a call that is refused at once is not kept in memory.
      const reading = readBody(request, authenticated && !shed ? this.#options.bodyBytes : 0);
      const body = reading instanceof Promise ? await reading : reading;
      if (body.kind === 'lost') {
        request.socket.destroy();
        return;
      }
      const answer = await this.#options.pipeline({
        method: request.method ?? '',
        target,
        headers,
        body: body.kind === 'whole' ? body.bytes : null,
        authenticated,
        shed,
        cancellation: cancelledOnClose(response),
      });
      send(response, answer, this.#draining || (body.kind === 'over' && !body.drained));
    } catch (error) {
      const requestId = newRequestId();
      this.#options.onBug?.(requestId, error);
      if (response.headersSent) response.destroy();
      else send(response, this.#constant('INTERNAL', requestId), true);
    } finally {
      this.#pending.get(request.socket)?.delete(request);
      this.#left();
    }
  }

  /** CONNECT (RFC 9110 section 9.3.6) leaves Node's request cycle; it is recorded and refused as any other method. */
  async #connect(request: IncomingMessage, socket: Duplex): Promise<void> {
    this.#entered();
    socket.on('error', () => {});
    try {
      const headers = headerLines(request);
      const answer = await this.#options.pipeline({
        method: 'CONNECT',
        target: request.url ?? '',
        headers,
        body: new Uint8Array(0),
        authenticated: this.#authenticated(headers),
        shed: this.#mustShed(),
        cancellation: cancelledOnClose(socket),
      });
      endSocket(socket, wireBytes(answer));
    } catch (error) {
      const requestId = newRequestId();
      this.#options.onBug?.(requestId, error);
      endSocket(socket, wireBytes(this.#constant('INTERNAL', requestId)));
    } finally {
      this.#left();
    }
  }

  #constant(code: OperatorCode, requestId: string): AgentReply {
    return constantAnswer(code, requestId, this.#options.shape);
  }

  #mustShed(): boolean {
    return this.#load.inFlight > this.#options.pressure.inFlight || this.#isUnderPressure();
  }

  /** Bytes that are no HTTP/1.1, or that came too late. */
  #refuseSocket(error: Error & { code?: string }, socket: Duplex): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    // The agent host went away: nothing arrived that could be refused.
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    this.#options.onRefusedSocket?.(requestId, error.code ?? 'UNKNOWN');
    // Behind a complete request that waits for its answer, these bytes would be read as that answer.
    const waiting = [...(this.#pending.get(socket) ?? [])].some((request) => request.complete);
    if (!socket.writable || waiting) {
      socket.destroy();
      return;
    }
    endSocket(socket, wireBytes(this.#constant('REQ_PROTOCOL', requestId)));
  }

  /** Fastify itself failed before the call was handed over. */
  #bug(reply: FastifyReply, error: unknown): FastifyReply {
    const requestId = newRequestId();
    this.#options.onBug?.(requestId, error);
    send(reply.hijack().raw, this.#constant('INTERNAL', requestId), true);
    return reply;
  }

  #connected(socket: Duplex): void {
    this.#silent.add(socket);
    socket.once('close', () => this.#silent.delete(socket));
  }

  #arrived(request: IncomingMessage): void {
    this.#entered();
    this.#silent.delete(request.socket);
    const pending = this.#pending.get(request.socket);
    if (pending === undefined) this.#pending.set(request.socket, new Set([request]));
    else pending.add(request);
  }

  #entered(): void {
    this.#inFlight++;
    this.#load.inFlight++;
  }

  #left(): void {
    this.#inFlight--;
    this.#load.inFlight--;
    if (this.#inFlight > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

/** Head and body go out in one write. */
function send(response: ServerResponse, { status, headers, body }: AgentReply, close: boolean): void {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  lines.push('content-length', String(Buffer.byteLength(body)));
  if (close) lines.push('connection', 'close');
  response.writeHead(status, lines).end(body);
}

function endSocket(socket: Duplex, bytes: Buffer): void {
  socket.end(bytes);
  // RFC 9112 section 9.6: closing at once could reset the connection before the answer is read.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
