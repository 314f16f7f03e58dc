import { join } from 'node:path';
import { type FixtureDefinition, loadContract } from '../config/index.js';
import type { Contract, ContractDefinition, ResponseDefinition } from '../contract/index.js';
import { defaultMediaType } from '../contract/index.js';
import { ENVELOPE_PROFILE, newRequestId } from '../envelope/index.js';
import type { Diagnostic } from '../fault/index.js';
import type { AuditRecord, AuditSink } from '../record/index.js';
import {
  type AgentAnswer,
  assembleContract,
  createPipeline,
  type IncomingCall,
  type RouteLimits,
  type RoutePlan,
} from '../route/index.js';
import { VERSION } from '../server/index.js';
import { Cancellation } from '../upstream/index.js';
import { type GivenBytes, givenAnswer } from './given-answer.js';
import { fixturePlan } from './run-fixture.js';

/** What the agent asked, as values before any escaping. */
export type ToolCall = NonNullable<FixtureDefinition['request']>;

/** What came back, from wherever it came. */
export interface ToolBytes {
  readonly bytes: GivenBytes;
  /** The HTTP status that the bytes stand for. Default: that of the contract's first alternative with a result. */
  readonly status?: number;
  /** Headers that the bytes stand for. Default: content-type alone. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Default: that of the status's alternatives, where they have only one. */
  readonly mediaType?: string;
}

/** What the agent may see, and what the operator has to know. */
export interface ToolAnswer {
  readonly outcome: AgentAnswer['outcome'];
  /** The envelope as JSON text. */
  readonly envelope: string;
  readonly record: AuditRecord;
  /** What was thrown, where the call ended INTERNAL. */
  readonly bugs: readonly unknown[];
}

export interface ToolOptions {
  /** Take the place of the usual limits. */
  readonly limits?: Partial<RouteLimits>;
  /** Where each record is kept before its answer is given. Default: nowhere. */
  readonly audit?: AuditSink;
  /** Digest of the configuration, for the record. Default: none. */
  readonly configDigest?: string;
  /** Milliseconds since the epoch. Default: the clock. */
  readonly now?: () => number;
}

/** One tool's contract, for bytes that did not come over HTTP. */
export interface Tool {
  readonly contract: Contract;
  /**
   * Runs the bytes through the very stages that an upstream's answer goes through. Never rejects; one sentence where what
   * was given says too little to start.
   */
  answer(call: ToolCall, given: ToolBytes): Promise<ToolAnswer | { readonly problem: string }>;
}

/**
 * The tool whose contract stands in a folder (`schemas/review_status/1`), under the usual limits; or everything that is
 * wrong with it. A contract that demands signatures needs a route with keys (toolOfRoute).
 */
export function openTool(
  folder: string,
  options: ToolOptions = {},
): Tool | { readonly diagnostics: readonly Diagnostic[] } {
  const loaded = loadContract(folder);
  if (!('source' in loaded)) return loaded;
  const assembled = assembleContract(loaded.source);
  if ('problems' in assembled) return { diagnostics: loaded.diagnostics(assembled.problems) };
  if (assembled.signatures !== undefined) {
    const diagnostic: Diagnostic = {
      file: join(folder, 'contract.yaml'),
      line: 1,
      column: 1,
      frame: '',
      pointer: '',
      rule: 'no-keys',
      message: 'the contract demands signatures, and nothing here has their keys',
      remedy: 'Name a configuration whose route has them.',
    };
    return { diagnostics: [diagnostic] };
  }
  return new ContractTool(fixturePlan(assembled), loaded.source.definition, options);
}

/** The tool of a configured route, with its limits and keys. It answers with the envelope, whatever the route's shape is. */
export function toolOfRoute(
  route: RoutePlan,
  definition: ContractDefinition,
  options: ToolOptions = {},
): Tool {
  return new ContractTool(route, definition, options);
}

class ContractTool implements Tool {
  readonly #plan: RoutePlan;
  readonly #definition: ContractDefinition;
  readonly #options: ToolOptions;

  constructor(plan: RoutePlan, definition: ContractDefinition, options: ToolOptions) {
    this.#plan = {
      ...plan,
      limits: { ...plan.limits, ...options.limits },
      // There is nobody to ask again.
      retry: { ...plan.retry, attempts: 1 },
      answer: 'envelope',
      profile: ENVELOPE_PROFILE,
      statuses: {},
    };
    this.#definition = definition;
    this.#options = options;
  }

  get contract(): Contract {
    return this.#plan.contract;
  }

  async answer(call: ToolCall, given: ToolBytes): Promise<ToolAnswer | { readonly problem: string }> {
    const plan = this.#plan;
    const status = given.status ?? usualStatus(this.#definition);
    const headers = this.#headers(given, status);
    const incoming = incomingCall(plan, call);
    if ('problem' in headers) return headers;
    if ('problem' in incoming) return incoming;
    const cancellation = new Cancellation();
    const { audit, now = Date.now, configDigest = '' } = this.#options;
    let record: AuditRecord | undefined;
    const bugs: unknown[] = [];
    const pipeline = createPipeline([plan], {
      send: () => async () => givenAnswer(status, headers, given.bytes, cancellation),
      now,
      newRequestId,
      audit,
      retainBytes: 0,
      log: (logged) => {
        record = logged();
      },
      bug: (_id, error) => bugs.push(error),
      configDigest,
      version: VERSION,
      acceptRequestId: false,
    });
    const { body, outcome } = await pipeline({ ...incoming, cancellation });
    if (record === undefined) throw new Error('no record was made of the call');
    return { outcome, envelope: body, record, bugs };
  }

  #headers(
    { headers = {}, mediaType }: ToolBytes,
    status: number,
  ): readonly (readonly [string, string])[] | { readonly problem: string } {
    const lines = Object.entries(headers).flatMap(([name, values]) =>
      [values].flat().map((value) => [name.toLowerCase(), value] as const),
    );
    if (mediaType !== undefined) return [...lines, ['content-type', mediaType]];
    if (lines.some(([name]) => name === 'content-type')) return lines;
    const types = new Set(
      this.#definition.responses
        .filter((response) => [response.status].flat().includes(status) && hasBody(response))
        .map((response) => response.media_type ?? defaultMediaType(response)),
    );
    const [type] = types;
    if (types.size > 1) {
      return {
        problem: `status ${status} has several media types: say which of ${[...types].join(', ')} it is`,
      };
    }
    return type === undefined ? lines : [...lines, ['content-type', type]];
  }
}

function hasBody({ schema, parse }: ResponseDefinition): boolean {
  return schema !== undefined || parse !== undefined;
}

function usualStatus({ responses }: ContractDefinition): number {
  const usual = responses.find(({ select }) => select !== undefined) ?? responses[0];
  return [usual?.status ?? 200].flat()[0] ?? 200;
}

/** The call on the wire: encoded as clients do it, so that nothing of it is believed before the request stage. */
function incomingCall(plan: RoutePlan, call: ToolCall): IncomingCall | { readonly problem: string } {
  const params = call.params ?? {};
  const names = [...plan.contract.request.params.keys()];
  const missing = names.find((name) => !Object.hasOwn(params, name));
  if (missing !== undefined) return { problem: `there is no value for the parameter ${missing}` };
  const unknown = Object.keys(params).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    return { problem: `the contract has no parameter ${unknown}; ${known}` };
  }
  const path = plan.segments
    .map((one) => ('literal' in one ? one.literal : encodeURIComponent(String(params[one.param]))))
    .join('/');
  const query = Object.entries(call.query ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`),
  );
  const headers = Object.entries(call.headers ?? {});
  const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
  if (body !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['content-type', 'application/json']);
  }
  return {
    method: plan.method,
    target: `${plan.mount}/${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers,
    body: body ?? new Uint8Array(),
    authenticated: true,
  };
}
