import type { Endpoint, Settings } from '../config/index.js';
import { newRequestId } from '../envelope/index.js';
import {
  type AuditRecord,
  type AuditSink,
  openAuditFile,
  openQuarantine,
  type Quarantine,
} from '../record/index.js';
import { createPipeline } from '../route/index.js';
import { UpstreamClient, type UpstreamPlan } from '../upstream/index.js';
import { type AdminServer, createAdminServer } from './admin-server.js';
import { type AgentServer, createAgentServer } from './agent-server.js';
import { StartError } from './listen.js';
import { type CallLog, callLog, createLogger, type Logger, logBug, logTrouble } from './log.js';
import { describeSettings } from './status.js';
import { VERSION } from './version.js';

export interface ServeOptions {
  /** Whether every fixture of every contract was found to behave; `/readyz` is 503 without. */
  readonly proven: boolean;
  /** Default: JSON lines on standard output, at the configured level. */
  readonly logger?: Logger;
  /** Take a free port on each configured host instead of the configured one. */
  readonly freePorts?: boolean;
  /** How long calls in flight may take to finish on close. Default 15 s; the longest `limits.total` and more. */
  readonly drainMs?: number;
  /** Called with the record of every call, before its answer leaves. */
  onRecord?(record: AuditRecord): void;
}

export interface RunningServer {
  /** Base URL of the agent side. */
  readonly agentUrl: string;
  /** Base URL of the admin side; undefined where none is configured. */
  readonly adminUrl: string | undefined;
  /**
   * Readiness off, nothing accepted any more, calls in flight finished, connections to upstreams closed, the audit
   * file flushed and closed. Resolves to false where calls had to be cut at the deadline. May be called twice.
   */
  close(): Promise<boolean>;
}

const DRAIN_MS = 15_000;
const REQUEST_BYTES = 262_144;

/** Starts the sidecar. Rejects with a StartError where a port or a file cannot be had; then nothing is left open. */
export async function startServer(settings: Settings, options: ServeOptions): Promise<RunningServer> {
  const sidecar = new Sidecar(settings, options);
  try {
    await sidecar.start();
  } catch (error) {
    await sidecar.close();
    throw error;
  }
  return sidecar;
}

class Sidecar implements RunningServer {
  readonly #settings: Settings;
  readonly #options: ServeOptions;
  readonly #logger: Logger;
  readonly #startedAt = performance.now();
  readonly #clients = new Map<UpstreamPlan, UpstreamClient>();
  #audit: AuditSink | undefined;
  #calls: CallLog | undefined;
  #quarantine: Quarantine | undefined;
  #agent: AgentServer | undefined;
  #admin: AdminServer | undefined;
  #listening = false;
  #draining = false;
  #closing: Promise<boolean> | undefined;
  agentUrl = '';
  adminUrl: string | undefined;

  constructor(settings: Settings, options: ServeOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#logger = options.logger ?? createLogger(settings.server.log.level);
  }

  async start(): Promise<void> {
    const { routes, server, audit, quarantine, digest } = this.#settings;
    if (audit !== undefined) {
      this.#audit = await opened('audit', audit.file, () =>
        openAuditFile(audit, { onTrouble: (what, error) => logTrouble(this.#logger, 'audit', what, error) }),
      );
    }
    if (quarantine !== undefined) {
      this.#quarantine = await opened('quarantine', quarantine.dir, () =>
        openQuarantine(quarantine, {
          onTrouble: (what, error) => logTrouble(this.#logger, 'quarantine', what, error),
        }),
      );
    }
    const kept = this.#quarantine;
    for (const { upstream } of routes) {
      if (!this.#clients.has(upstream)) this.#clients.set(upstream, new UpstreamClient(upstream));
    }

    const calls = callLog(this.#logger);
    this.#calls = calls;
    const pipeline = createPipeline(routes, {
      send: (upstream) => this.#client(upstream).send,
      now: Date.now,
      newRequestId,
      audit: this.#audit,
      ...(kept === undefined ? {} : { quarantine: (item) => kept.keep(item) }),
      retainBytes: quarantine?.itemBytes ?? 0,
      log: (record) => {
        calls.add(record);
        this.#options.onRecord?.(record());
      },
      bug: (requestId, error) => logBug(this.#log(), requestId, error),
      configDigest: digest,
      version: VERSION,
      acceptRequestId: server.acceptRequestId,
    });

    this.#agent = createAgentServer({
      pipeline,
      bearer: server.bearer,
      pressure: server.pressure,
      bodyBytes: Math.max(REQUEST_BYTES, ...routes.map((route) => route.limits.requestBytes)),
      onRefusedSocket: (requestId, reason) =>
        this.#log().warn({ request_id: requestId, operator_code: 'REQ_PROTOCOL', reason }, 'refused'),
      onBug: (requestId, error) => logBug(this.#log(), requestId, error),
    });
    // The admin side is opened first and closed last, so that whoever watches sees the start and the drain.
    if (server.admin !== undefined) {
      this.#admin = createAdminServer({ notReady: () => this.#notReady(), status: () => this.#status() });
      this.adminUrl = await this.#admin.listen(this.#place(server.admin));
    }
    this.agentUrl = await this.#agent.listen(this.#place(server.listen));
    this.#listening = true;
    this.#logger.info(
      {
        agent: this.agentUrl,
        admin: this.adminUrl,
        version: VERSION,
        config_digest: digest,
        routes: routes.length,
      },
      'listening',
    );
  }

  close(): Promise<boolean> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<boolean> {
    this.#draining = true;
    const inFlight = this.#agent?.inFlight ?? 0;
    if (this.#listening) this.#log().info({ in_flight: inFlight }, 'draining');
    const longest = Math.max(0, ...this.#settings.routes.map((route) => route.limits.totalMs));
    const deadline = this.#options.drainMs ?? Math.max(DRAIN_MS, longest + 1_000);
    const clean = (await this.#agent?.close(deadline)) ?? true;
    // No call is left: nothing can ask an upstream, nor append a record, from here on.
    await Promise.all(
      [...this.#clients.values()].map((client) => (clean ? client.close() : client.destroy())),
    );
    await this.#audit?.close();
    await this.#admin?.close();
    if (this.#listening) this.#log().info({ clean }, 'closed');
    return clean;
  }

  /** The log, after the lines of the calls that ended before. */
  #log(): Logger {
    this.#calls?.flush();
    return this.#logger;
  }

  #place(endpoint: Endpoint): Endpoint {
    return this.#options.freePorts === true ? { host: endpoint.host, port: 0 } : endpoint;
  }

  #client(upstream: UpstreamPlan): UpstreamClient {
    const client = this.#clients.get(upstream);
    if (client === undefined) throw new Error('an upstream that no route names');
    return client;
  }

  #notReady(): string[] {
    const reasons: string[] = [];
    if (!this.#listening) reasons.push('starting');
    if (!this.#options.proven) reasons.push('contracts are not proven on their fixtures');
    if (this.#audit?.writable === false) reasons.push('the audit file is not writable');
    if (this.#draining) reasons.push('draining');
    return reasons;
  }

  #status() {
    return {
      version: VERSION,
      ...describeSettings(this.#settings),
      uptime_s: Math.floor((performance.now() - this.#startedAt) / 1000),
      in_flight: this.#agent?.inFlight ?? 0,
      ready: this.#notReady().length === 0,
    };
  }
}

async function opened<T>(
  part: 'audit' | 'quarantine',
  place: string,
  open: () => Promise<T> | T,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new StartError(part, place, error);
  }
}
