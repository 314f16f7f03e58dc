import type { Test } from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { isAgentCode } from '../../src/fault/index.js';
import type { PipelineDeps, RouteLimits } from '../../src/route/index.js';
import { type Harness, harness, type Outcome, planOf } from '../support/harness.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';
import { contractOf, GOOD, NOW, type Signed, type SignedKind, type Signing } from './signed-answers.js';

export type Lines = readonly (readonly [string, string])[];

/** How the bytes of an answer leave the upstream. */
export type Framing = 'length' | 'chunked' | 'dripped';

export function steps({ lines, body }: Signed, framing: Framing = 'length', status = '200 OK'): Step[] {
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  const bytes = Buffer.from(body);
  if (framing === 'length') {
    head.push(`content-length: ${bytes.length}`);
    return [{ send: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]) }, { close: true }];
  }
  head.push('transfer-encoding: chunked');
  const size = framing === 'chunked' ? 16_384 : 7;
  const parts: Step[] = [{ send: `${head.join('\r\n')}\r\n\r\n` }];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push({
      send: Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    });
    if (framing === 'dripped') parts.push({ sleep_ms: 1 });
  }
  return [...parts, { send: '0\r\n\r\n' }, { close: true }];
}

export const JSON_TYPE: Lines = [['content-type', 'application/json']];

export interface Options {
  readonly contract?: ContractDefinition;
  readonly framing?: Framing;
  readonly status?: string;
  readonly limits?: Partial<RouteLimits>;
  readonly target?: string;
  readonly deps?: Partial<PipelineDeps>;
  readonly lines?: Lines;
  readonly close?: boolean;
}

/** One call over sockets, its answer made by `make` when the upstream's address is known. */
export async function call(
  t: Test,
  kind: Pick<SignedKind, 'signature' | 'keys'>,
  make: (signing: Signing) => Signed | Promise<Signed>,
  options: Options = {},
): Promise<Outcome & { readonly run: Harness }> {
  let script: readonly Step[] = [];
  const upstream = await playUpstream(() => script);
  const signing: Signing = {
    body: Buffer.from(GOOD),
    method: 'GET',
    targetUri: `${upstream.url}/things/1`,
    status: Number((options.status ?? '200').split(' ')[0]),
  };
  const made = await make(signing);
  script = steps(
    { ...made, lines: [...(options.lines ?? JSON_TYPE), ...made.lines] },
    options.framing,
    options.status,
  );
  const plan = planOf({
    origin: upstream.url,
    contract: options.contract ?? contractOf(kind.signature),
    keys: kind.keys,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const run = harness([plan], { now: () => NOW, ...options.deps });
  t.teardown(async () => {
    await run.close();
    await upstream.close();
  });
  const outcome = await run.call(options.target ?? '/things/1');
  t.equal(upstream.requests.length, 1, 'one request');
  t.same(run.bugs, []);
  return { ...outcome, run };
}

export function accepted(t: Test, { record, text }: Outcome, name = 'signed name', title = 'accepted'): void {
  t.equal(record.operator_code, null, title);
  t.same((JSON.parse(text) as { data?: unknown }).data, { id: 1, name }, title);
}

export function refused(
  t: Test,
  { record, text, run }: Outcome & { run: Harness },
  code: string,
  title: string,
): void {
  t.equal(record.operator_code, code, title);
  t.equal(record.stage, 'scan', title);
  t.equal(record.agent_code, 'INVALID_RESPONSE', title);
  t.ok(isAgentCode(record.agent_code));
  t.notOk(text.includes('signed name'), `${title}: nothing of the answer`);
  t.equal(run.quarantined.length, 1, `${title}: kept for the operator`);
  t.equal(record.fault?.rule, 'signed', `${title}: the record names the signature`);
}
