import type { Endpoint, ListenerSettings, Settings } from '../config/index.js';
import { newRequestId } from '../envelope/index.js';
import {
  type AuditRecord,
  type AuditSink,
  openAuditFile,
  openQuarantine,
  type Quarantine,
} from '../record/index.js';
import { createPipeline, type PipelineDeps } from '../route/index.js';
import { UpstreamClient, type UpstreamPlan } from '../upstream/index.js';
import { type AdminServer, createAdminServer } from './admin-server.js';
import { type AgentServer, createAgentServer, type Load } from './agent-server.js';
import { challengeOf } from './agent-token.js';
import { StartError } from './listen.js';
import { type CallLog, callLog, createLogger, type Logger, logBug, logTrouble } from './log.js';
import { describeSettings, type Status } from './status.js';
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
  /** Base URLs of the upstreams that have a listener of their own, by upstream. */
  readonly ownUrls: ReadonlyMap<string, string>;
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
  readonly #load: Load = { inFlight: 0 };
  readonly #agents: AgentServer[] = [];
  #admin: AdminServer | undefined;
  #listening = false;
  #draining = false;
  #closing: Promise<boolean> | undefined;
  agentUrl = '';
  readonly ownUrls = new Map<string, string>();
  adminUrl: string | undefined;

  constructor(settings: Settings, options: ServeOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#logger = options.logger ?? createLogger(settings.server.log.level);
  }

  async start(): Promise<void> {
    const { routes, listeners, server, audit, quarantine, digest } = this.#settings;
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
    const deps: PipelineDeps = {
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
      challenge: challengeOf(server.carriers),
    };
    // The admin side is opened first and closed last, so that whoever watches sees the start and the drain.
    if (server.admin !== undefined) {
      this.#admin = createAdminServer({ notReady: () => this.#notReady(), status: () => this.#status() });
      this.adminUrl = await this.#admin.listen(this.#place(server.admin));
    }
    for (const listener of listeners) {
      const url = await this.#listen(listener, deps);
      if (listener.upstream === undefined) this.agentUrl = url;
      else this.ownUrls.set(listener.upstream, url);
    }
    this.#listening = true;
    this.#logger.info(
      {
        agent: this.agentUrl,
        ...(this.ownUrls.size === 0 ? {} : { own_listeners: Object.fromEntries(this.ownUrls) }),
        admin: this.adminUrl,
        version: VERSION,
        config_digest: digest,
        routes: routes.length,
      },
      'listening',
    );
  }

  #listen({ endpoint, upstream, routes, mounts }: ListenerSettings, deps: PipelineDeps): Promise<string> {
    const { bearer, carriers, pressure } = this.#settings.server;
    const agent = createAgentServer({
      pipeline: createPipeline(routes, deps, mounts),
      upstream,
      shape: upstream === undefined ? undefined : mounts[0],
      load: this.#load,
      bearer,
      carriers,
      pressure,
      bodyBytes: Math.max(REQUEST_BYTES, ...routes.map((route) => route.limits.requestBytes)),
      onRefusedSocket: (requestId, reason) =>
        this.#log().warn({ request_id: requestId, operator_code: 'REQ_PROTOCOL', reason }, 'refused'),
      onBug: (requestId, error) => logBug(this.#log(), requestId, error),
    });
    this.#agents.push(agent);
    return agent.listen(this.#place(endpoint));
  }

  close(): Promise<boolean> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<boolean> {
    this.#draining = true;
    if (this.#listening) this.#log().info({ in_flight: this.#load.inFlight }, 'draining');
    const longest = Math.max(0, ...this.#settings.routes.map((route) => route.limits.totalMs));
    const deadline = this.#options.drainMs ?? Math.max(DRAIN_MS, longest + 1_000);
    const drained = await Promise.all(this.#agents.map((agent) => agent.close(deadline)));
    const clean = drained.every((all) => all);
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
      in_flight: this.#load.inFlight,
      listeners: [
        { upstream: null, url: this.agentUrl },
        ...[...this.ownUrls].map(([upstream, url]) => ({ upstream, url })),
      ],
      ready: this.#notReady().length === 0,
      ...this.#breakers(),
    };
  }

  #breakers(): Pick<Status, 'breakers'> {
    const breakers = [...this.#clients].flatMap(([{ name }, { breaker }]) =>
      breaker === undefined ? [] : [{ upstream: name, ...breaker }],
    );
    return breakers.length === 0 ? {} : { breakers };
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
