import { fileURLToPath } from 'node:url';
import type { Settings } from '../config/index.js';
import type { AuditRecord } from '../record/index.js';
import { createLogger, type RunningServer, StartError, startServer } from '../server/index.js';
import { DEMO_CALLS, type DemoCall, startSampleUpstream } from '../tooling/index.js';
import type { Arguments } from './command.js';
import { type AgentSaw, callAsAgent, deviations } from './demo-call.js';
import type { Exit } from './exit-codes.js';
import type { Io } from './io.js';
import { load } from './load.js';
import { proveOrReport } from './proof.js';
import { showResponse } from './show-http.js';
import { sideBySide } from './side-by-side.js';
import { stopSignal } from './stop-signal.js';
import { painter } from './style.js';

/** Beside the program, so that the demo runs from any folder. */
const CONFIG = fileURLToPath(new URL('../../../config/demo.yaml', import.meta.url));
const CONTRACTS = fileURLToPath(new URL('../../../schemas', import.meta.url));

/** Upstream, sidecar and calls of `assay demo`. */
export async function runDemo(args: Arguments, io: Io): Promise<Exit> {
  const stopped = stopSignal();
  const upstream = await startSampleUpstream(0);
  try {
    const env = { ...io.env, ASSAY_DEMO_UPSTREAM: upstream.url, ASSAY_DEMO_CONTRACTS: CONTRACTS };
    const loaded = await load({ ...args, values: { config: CONFIG } }, { ...io, env });
    if ('exit' in loaded) return loaded.exit;
    const proven = await proveOrReport(loaded.settings, io);
    if ('exit' in proven) return proven.exit;
    const records = new Map<string, AuditRecord>();
    const sidecar = await startOnFreePort(loaded.settings, records);
    try {
      const exit = await showCalls(sidecar.agentUrl, records, io);
      if (args.flags.has('once')) return exit;
      io.out(tryIt(sidecar));
      await stopped;
      return exit;
    } finally {
      await sidecar.close();
    }
  } finally {
    await upstream.close();
  }
}

/** On the configured addresses, or on free ones where somebody else has them. */
async function startOnFreePort(
  settings: Settings,
  records: Map<string, AuditRecord>,
): Promise<RunningServer> {
  const options = {
    proven: true,
    logger: createLogger('silent'),
    onRecord: (record: AuditRecord) => void records.set(record.request_id, record),
  };
  try {
    return await startServer(settings, options);
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== 'EADDRINUSE') throw error;
    return startServer(settings, { ...options, freePorts: true });
  }
}

async function showCalls(base: string, records: Map<string, AuditRecord>, io: Io): Promise<Exit> {
  let good = 0;
  for (const [i, call] of DEMO_CALLS.entries()) {
    const sent = call.upstream(new Date());
    const saw = await callAsAgent(base, call);
    const record = records.get(saw.requestId);
    const wrong = deviations(call, saw, record);
    if (wrong.length === 0) good++;
    io.out(showCall(`${i + 1}/${DEMO_CALLS.length}`, call, sent, saw, record, wrong, io));
  }
  const paint = painter(io.color.out);
  const all = DEMO_CALLS.length;
  io.out(
    good === all
      ? `${paint('green', 'OK')}: ${good} calls, each gave exactly what it should\n`
      : `${paint('red', 'UNEXPECTED')}: ${all - good} of ${all} calls gave something else\n`,
  );
  return good === all ? 'OK' : 'FAILED';
}

function showCall(
  position: string,
  call: DemoCall,
  sent: Uint8Array,
  saw: AgentSaw,
  record: AuditRecord | undefined,
  wrong: readonly string[],
  io: Io,
): string {
  const paint = painter(io.color.out);
  const panels = sideBySide(
    { title: 'the upstream sent', lines: showResponse(sent) },
    { title: 'the agent got', lines: showResponse(saw.bytes) },
    io.columns,
  );
  const verdict = wrong.length === 0 ? paint('green', 'OK') : paint('red', `UNEXPECTED: ${wrong.join('; ')}`);
  return [
    paint('bold', `[${position}] ${call.title}`),
    `  ${call.method} ${call.path}`,
    `${panels}  for the operator: ${operatorText(record)}`,
    `  ${verdict}`,
    '',
    '',
  ].join('\n');
}

function operatorText(record: AuditRecord | undefined): string {
  if (record === undefined) return 'no record';
  const { operator_code: code, stage, fault, attempts, answer } = record;
  if (code === null) {
    const [given, read] = [answer?.bytes ?? 0, attempts.at(-1)?.wire_bytes ?? 0];
    return `accepted; ${given.toLocaleString('en-US')} bytes given of ${read.toLocaleString('en-US')} read`;
  }
  const at = fault?.instance === undefined ? '' : ` at ${JSON.stringify(fault.instance)}`;
  const rule = fault?.rule === undefined ? '' : `, rule ${JSON.stringify(fault.rule)}`;
  return `${code}, stage ${stage}${at}${rule} (assay explain ${code})`;
}

function tryIt(sidecar: RunningServer): string {
  const picked = DEMO_CALLS.filter((call, i) => DEMO_CALLS.findIndex((c) => c.tool === call.tool) === i);
  const refused = DEMO_CALLS.find(
    (call) => call.expect.outcome === 'failure' && call.expect.code === 'INVALID_RESPONSE',
  );
  const lines = [...picked, ...(refused === undefined ? [] : [refused])].map(
    (call) => `  curl -i '${sidecar.agentUrl}${call.path}'   # ${call.title}`,
  );
  return [
    '',
    'The sidecar stays up. Try:',
    ...lines,
    ...(sidecar.adminUrl === undefined ? [] : [`  curl ${sidecar.adminUrl}/status`]),
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}
