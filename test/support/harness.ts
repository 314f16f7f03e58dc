import type { ContractDefinition, ContractSource } from '../../src/contract/index.js';
import { ENVELOPE_PROFILE } from '../../src/envelope/index.js';
import type { AnswerVerifier, KeyRing } from '../../src/evidence/index.js';
import { DEFAULT_SCAN_LIMITS } from '../../src/json/index.js';
import type { AuditRecord, AuditSink } from '../../src/record/index.js';
import {
  type AgentAnswer,
  type Assembled,
  assembleContract,
  createPipeline,
  type IncomingCall,
  type Mount,
  type PathSegment,
  type Pipeline,
  type PipelineDeps,
  type QuarantineItem,
  type RouteLimits,
  type RoutePlan,
} from '../../src/route/index.js';
import { DEFAULT_TRANSPORT_LIMITS, UpstreamClient } from '../../src/upstream/index.js';

/** Limits small enough that a test sees them trip quickly. */
export const TEST_LIMITS: RouteLimits = {
  ...DEFAULT_TRANSPORT_LIMITS,
  scan: DEFAULT_SCAN_LIMITS,
  requestBytes: 65_536,
  pathBytes: 4_096,
};

/** A small contract of the usual kind: an open answer, a closed result, bound to the request. */
export const THING: ContractDefinition = {
  tool: 'thing',
  version: '1.0.0',
  purpose: 'One thing by its number.',
  request: { params: { id: { type: 'integer', minimum: 1 } } },
  responses: [
    {
      status: 200,
      schema: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          name: { type: 'string', minLength: 1, maxLength: 64 },
        },
      },
      select: { id: '/id', name: '/name' },
      checks: [{ id: 'same_thing', bind: '/id', equals: '{request.params.id}' }],
    },
    { status: 202, failure: 'UPSTREAM_UNAVAILABLE' },
    { status: [204, 404], failure: 'NOT_FOUND' },
  ],
  result: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      name: { type: 'string', maxLength: 64 },
    },
  },
};

/** A definition as a source, with its schemas written in place. */
export function sourceOf(definition: ContractDefinition): ContractSource {
  const major = definition.version.split('.')[0] ?? '0';
  return { name: `${definition.tool}@${major}`, definition, schemas: new Map() };
}

export interface PlanOptions
  extends Partial<Omit<RoutePlan, 'contract' | 'checks' | 'upstream' | 'limits' | 'segments'>> {
  readonly origin: string;
  readonly contract?: ContractDefinition;
  readonly limits?: Partial<RouteLimits>;
  readonly upstream?: Partial<RoutePlan['upstream']>;
  /** What the signatures that the contract demands are verified with. */
  readonly keys?: KeyRing;
}

/** A route without configuration file: `GET /things/{id}` of THING unless the options say otherwise. */
export function planOf(options: PlanOptions): RoutePlan {
  const { origin, contract: definition = THING, limits, upstream, keys, ...rest } = options;
  const assembled = assembleContract(sourceOf(definition));
  if ('problems' in assembled) throw new Error(JSON.stringify(assembled.problems, null, 1));
  const signatures = verifierOf(assembled, keys ?? new Map());
  const path = rest.path ?? '/things/{id}';
  const merged = { ...TEST_LIMITS, ...limits };
  return {
    tool: assembled.contract.tool,
    method: 'GET',
    path,
    segments: path
      .slice(1)
      .split('/')
      .map((text): PathSegment => (text.startsWith('{') ? { param: text.slice(1, -1) } : { literal: text })),
    mount: '',
    upstream: {
      name: 'test',
      origin,
      basePath: '',
      headers: new Map(),
      codings: ['gzip', 'br'],
      connections: 16,
      connectMs: merged.connectMs,
      headerBytes: merged.headerBytes,
      ...upstream,
    },
    contract: assembled.contract,
    checks: assembled.checks,
    ...(signatures === undefined ? {} : { signatures }),
    limits: merged,
    retry: { attempts: 1, withinMs: 0, on: new Set() },
    answer: 'envelope',
    profile: ENVELOPE_PROFILE,
    statuses: {},
    ...rest,
  };
}

function verifierOf({ signatures }: Assembled, keys: KeyRing): AnswerVerifier | undefined {
  const bound = signatures?.withKeys(keys);
  if (bound !== undefined && 'problems' in bound) throw new Error(JSON.stringify(bound.problems, null, 1));
  return bound;
}

/** An audit sink that keeps its records in memory, or refuses them. */
export class MemoryAudit implements AuditSink {
  readonly records: AuditRecord[] = [];
  writable = true;

  async append(record: AuditRecord | (() => AuditRecord)): Promise<boolean> {
    if (this.writable) this.records.push(typeof record === 'function' ? record() : record);
    return this.writable;
  }

  async close(): Promise<void> {}
}

export interface Outcome {
  readonly answer: AgentAnswer;
  /** The answer's body as text. */
  readonly text: string;
  /** The record of the call, as logged. */
  readonly record: AuditRecord;
}

export interface Harness {
  readonly pipeline: Pipeline;
  readonly audit: MemoryAudit;
  readonly bugs: unknown[];
  readonly quarantined: QuarantineItem[];
  /** Runs one call; `GET` without body unless the options say otherwise. */
  call(target: string, options?: Partial<IncomingCall>): Promise<Outcome>;
  close(): Promise<void>;
}

/** The real pipeline over real upstream connections, everything it tells kept for assertions. */
export function harness(
  plans: readonly RoutePlan[],
  deps: Partial<PipelineDeps> = {},
  mounts: readonly Mount[] = [],
): Harness {
  const clients = new Map(plans.map((plan) => [plan.upstream, new UpstreamClient(plan.upstream)]));
  const audit = new MemoryAudit();
  const bugs: unknown[] = [];
  const logged: AuditRecord[] = [];
  const quarantined: QuarantineItem[] = [];
  let ids = 0;
  const outside: PipelineDeps = {
    send: (upstream) => {
      const client = clients.get(upstream);
      if (client === undefined) throw new Error('no client');
      return client.send;
    },
    now: Date.now,
    newRequestId: () => `req.test${String(++ids).padStart(8, '0')}`,
    audit,
    quarantine: (item) => `q${quarantined.push(item)}`,
    retainBytes: 1024,
    log: (record) => logged.push(record()),
    bug: (_id, error) => bugs.push(error),
    configDigest: 'config',
    version: '0.0.0-test',
    acceptRequestId: false,
    ...deps,
  };
  const pipeline = createPipeline(plans, outside, mounts);
  return {
    pipeline,
    audit,
    bugs,
    quarantined,
    async call(target, options = {}) {
      const before = logged.length;
      const answer = await pipeline({
        method: 'GET',
        target,
        headers: [],
        body: new Uint8Array(),
        authenticated: true,
        ...options,
      });
      const record = logged[before];
      if (record === undefined || logged.length !== before + 1) throw new Error('not exactly one record');
      return { answer, text: Buffer.from(answer.body).toString(), record };
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}
