import { isDeepStrictEqual } from 'node:util';
import { ENVELOPE_PROFILE } from '../envelope/index.js';
import { AGENT_CODES, type AgentCode, type Diagnostic } from '../fault/index.js';
import { DEFAULT_SCAN_LIMITS } from '../json/index.js';
import type { AuditRecord } from '../record/index.js';
import { type AgentAnswer, type Assembled, createPipeline, type RoutePlan } from '../route/index.js';
import { DEFAULT_TRANSPORT_LIMITS, type Method } from '../upstream/index.js';
import type { FixtureDefinition, FixtureKind, LoadedFixture } from './fixture.js';
import { fixtureAnswer } from './fixture-answer.js';
import { fixtureCall, fixturePath } from './fixture-call.js';
import { fixtureSignatures } from './fixture-keys.js';
import { findLeak } from './leak.js';

/** What one fixture gave, against what it claims. */
export interface FixtureVerdict {
  readonly file: string;
  readonly title: string;
  /** `contract`: what it says is about the contract as a whole. */
  readonly kind: FixtureKind | 'contract';
  readonly ok: boolean;
  /** One line each, for a person. */
  readonly expected: string;
  readonly got: string;
  /** Nothing ran: the file of a fixture is not sound. */
  readonly diagnostic?: Diagnostic;
  /** Nothing ran: the contract lacks a fixture of this kind. */
  readonly missing?: true;
}

/** The clock of a fixture that gives none. */
const DEFAULT_NOW = '2026-01-01T00:00:00Z';
const REQUEST_ID = 'req.fixture0';

/** What came of a call: the agent's bytes and the operator's record. */
interface Outcome {
  readonly answer: AgentAnswer;
  readonly record: AuditRecord;
  /** What was thrown, where the call ended INTERNAL. */
  readonly bugs: readonly unknown[];
}

/**
 * Runs one fixture through the stages that serve a call, with its answer for the upstream and its clock for ours, and
 * compares what the agent would get, byte for byte, with what the fixture claims.
 */
export async function runFixture(assembled: Assembled, fixture: LoadedFixture): Promise<FixtureVerdict> {
  const { definition, kind, file } = fixture;
  const { expect } = definition;
  const about = { file, title: definition.title, kind, expected: expectedText(expect) };
  const accepts = kind !== 'refuse';
  if (accepts !== 'result' in expect) {
    const member = accepts ? 'result' : 'code';
    return { ...about, ok: false, got: `nothing was run: a fixture under ${kind}/ has expect.${member}` };
  }

  const signatures = fixtureSignatures(assembled, definition.keys);
  if (typeof signatures === 'string') return { ...about, ok: false, got: `nothing was run: ${signatures}` };
  const known = planOf(assembled);
  const plan = signatures === undefined ? known : { ...known, signatures };
  const { params, body: bodyRule } = plan.contract.request;
  const isForm = bodyRule?.form !== undefined;
  const call = fixtureCall(params.keys(), plan.method, definition.request, isForm);
  if (typeof call === 'string') return { ...about, ok: false, got: `nothing was run: ${call}` };

  let record: AuditRecord | undefined;
  const bugs: unknown[] = [];
  const pipeline = createPipeline([plan], {
    send: () => async () => fixtureAnswer(definition.answer, fixture.body),
    now: () => Date.parse(definition.now ?? DEFAULT_NOW),
    newRequestId: () => REQUEST_ID,
    audit: undefined,
    retainBytes: 0,
    log: (logged) => {
      record = logged();
    },
    bug: (_id, error) => bugs.push(error),
    configDigest: 'fixture',
    version: 'fixture',
    acceptRequestId: false,
  });
  const answer = await pipeline(call);
  if (record === undefined) return { ...about, ok: false, got: 'no record was made of the call' };

  const outcome: Outcome = { answer, record, bugs };
  const wrong =
    'result' in expect
      ? notAccepted(expect, outcome, plan.tool)
      : notRefused(expect, outcome, plan.tool, fixture.body);
  return { ...about, ok: wrong === undefined, got: wrong ?? gotText(outcome) };
}

type Accepts = Extract<FixtureDefinition['expect'], { readonly result: unknown }>;
type Refuses = Extract<FixtureDefinition['expect'], { readonly code: unknown }>;

/** Why the call did not give exactly the expected success; undefined when it did. */
function notAccepted(expect: Accepts, outcome: Outcome, tool: string): string | undefined {
  const { answer, record } = outcome;
  if (record.operator_code !== null) return gotText(outcome);
  const text = textOf(answer);
  const envelope = JSON.parse(text) as Record<string, unknown>;
  // Values out of YAML as JSON would give them: the same prototypes, no undefined.
  const wanted: unknown = JSON.parse(
    JSON.stringify({
      tool,
      request_id: REQUEST_ID,
      outcome: 'success',
      data: expect.result,
      ...(expect.untrusted_text === undefined ? {} : { untrusted_text: expect.untrusted_text }),
    }),
  );
  // Written out again it must be the same text: nothing stands between or beside the members.
  if (!isDeepStrictEqual(envelope, wanted) || JSON.stringify(envelope) !== text || answer.status !== 200) {
    return gotText(outcome);
  }
  return undefined;
}

/** Why the call was not refused as expected; undefined when it was. */
function notRefused(
  expect: Refuses,
  outcome: Outcome,
  tool: string,
  upstreamBody: Uint8Array,
): string | undefined {
  const { answer, record } = outcome;
  const { operator_code: code, agent_code: agent, fault } = record;
  if (code !== expect.code || agent === null) return gotText(outcome);
  if (expect.pointer !== undefined && fault?.instance !== expect.pointer) return gotText(outcome);
  if (expect.agent !== undefined && agent !== expect.agent) return gotText(outcome);

  const text = textOf(answer);
  const own = failureText(tool, agent);
  const leak = findLeak(upstreamBody, `${JSON.stringify(answer.headers)}${text}`, own);
  if (leak !== undefined) return `${gotText(outcome)}, with "${leak}" of the upstream in the agent's bytes`;
  if (text !== own) return `${gotText(outcome)}, but the agent was sent ${text}`;
  return undefined;
}

/** The only bytes that a refusal with this code may have. */
function failureText(tool: string, code: AgentCode): string {
  const error = { code, retryable: AGENT_CODES[code].retryable };
  return JSON.stringify({ tool, request_id: REQUEST_ID, outcome: 'failure', error });
}

function expectedText(expect: FixtureDefinition['expect']): string {
  if (!('result' in expect)) {
    return refusalText(expect.code, expect.pointer, expect.agent);
  }
  const text = expect.untrusted_text;
  const untrusted = text === undefined ? '' : `, untrusted_text ${JSON.stringify(text)}`;
  return `success with ${JSON.stringify(expect.result)}${untrusted}`;
}

function gotText({ answer, record, bugs }: Outcome): string {
  const { operator_code: code, agent_code: agent, fault } = record;
  if (code === null) {
    const { data, untrusted_text: text } = JSON.parse(textOf(answer)) as Record<string, unknown>;
    const untrusted = text === undefined ? '' : `, untrusted_text ${JSON.stringify(text)}`;
    return `success with ${JSON.stringify(data)}${untrusted}`;
  }
  const schema = fault?.schema === undefined ? '' : ` (schema ${fault.schema})`;
  const note = fault?.note === undefined ? '' : `: ${fault.note}`;
  const thrown = bugs.map((bug) => `\n${bug instanceof Error ? bug.stack : String(bug)}`).join('');
  return `${refusalText(code, fault?.instance, agent ?? undefined)}${schema}${note}${thrown}`;
}

function refusalText(code: string, pointer: string | undefined, agent: string | undefined): string {
  const at = pointer === undefined ? '' : ` at ${JSON.stringify(pointer)}`;
  return `refusal ${code}${at}${agent === undefined ? '' : `, for the agent ${agent}`}`;
}

function textOf(answer: AgentAnswer): string {
  return Buffer.from(answer.body).toString();
}

const plans = new WeakMap<Assembled, RoutePlan>();

/** One for all fixtures of a contract: how its answers are scanned is then compiled once. */
function planOf(assembled: Assembled): RoutePlan {
  const known = plans.get(assembled);
  if (known !== undefined) return known;
  const plan = fixturePlan(assembled);
  plans.set(assembled, plan);
  return plan;
}

/** A route for the contract alone: a call that may change something where it takes a body, no repeats, usual limits. */
export function fixturePlan({ contract, checks }: Assembled): RoutePlan {
  const params = [...contract.request.params.keys()];
  const method: Method = contract.request.body === undefined ? 'GET' : 'POST';
  const path = fixturePath(params);
  return {
    tool: contract.tool,
    method,
    path,
    segments: [{ literal: path.slice(1).split('/')[0] ?? '' }, ...params.map((param) => ({ param }))],
    mount: '',
    upstream: {
      name: 'fixture',
      origin: 'http://fixture.invalid',
      basePath: '',
      headers: new Map(),
      codings: ['gzip', 'br'],
      connections: 1,
      connectMs: DEFAULT_TRANSPORT_LIMITS.connectMs,
      headerBytes: DEFAULT_TRANSPORT_LIMITS.headerBytes,
    },
    contract,
    checks,
    limits: {
      ...DEFAULT_TRANSPORT_LIMITS,
      scan: DEFAULT_SCAN_LIMITS,
      requestBytes: 262_144,
      pathBytes: 4_096,
    },
    retry: { attempts: 1, withinMs: 0, on: new Set() },
    answer: 'envelope',
    profile: ENVELOPE_PROFILE,
    statuses: {},
  };
}
