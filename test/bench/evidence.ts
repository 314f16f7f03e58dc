import { isDeepStrictEqual } from 'node:util';
import type { CallContext, Contract } from '../../src/contract/index.js';
import { successReply } from '../../src/envelope/index.js';
import { Fault } from '../../src/fault/index.js';
import {
  compileScanPlan,
  createPlannedScanner,
  DEFAULT_SCAN_LIMITS,
  type ScanPlan,
  scanWhole,
} from '../../src/json/index.js';
import { assembleContract } from '../../src/route/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';
import { bar } from './bars.js';
import { type BenchBody, BODIES } from './bodies.js';
import type { Bar, BenchOptions } from './part.js';
import { sampled } from './sampling.js';
import { ratioOf, spreadOf } from './statistics.js';
import { figure, spreadText, table } from './table.js';
import { type Validate, validators } from './unsafe-path.js';
import { contractOf } from './workspace.js';

/*
 * From the bytes of an answer to those of the agent's, in memory: scan, projection, JSON.parse of what is kept, Ajv,
 * selection, result schema and envelope, against JSON.parse of everything, the same Ajv schema, a pick by hand and
 * JSON.stringify. No digest, no record and no network on either side.
 */

/** What a socket gives at a time; an answer that is larger comes in such pieces. */
const CHUNK_BYTES = 65_536;

export interface EvidenceRow {
  readonly body: string;
  readonly bytes: number;
  /** Nanoseconds of one answer, by round. */
  readonly nanoseconds: Readonly<Record<'assay' | 'unsafe', readonly number[]>>;
}

export function measureEvidence(options: BenchOptions): {
  readonly rows: readonly EvidenceRow[];
  readonly text: string;
  readonly bars: readonly Bar[];
} {
  const validate = validators();
  const rows = BODIES.map((body): EvidenceRow => {
    options.progress(`evidence: ${body.label}`);
    const ways = { assay: evidencePath(body), unsafe: unsafePath(body, validate.get(body)) };
    const [evidence, picked] = [JSON.parse(String(ways.assay())), JSON.parse(String(ways.unsafe()))];
    if (!isDeepStrictEqual(evidence.data, picked)) throw new Error(`${body.label}: the two differ`);
    return { body: body.label, bytes: body.bytes.length, nanoseconds: sampled(ways, options) };
  });
  return { rows, text: evidenceText(rows), bars: rows.flatMap(barsOf) };
}

function unsafePath({ bytes, pick }: BenchBody, validate: Validate = () => false): () => Buffer {
  return () => {
    const answer: unknown = JSON.parse(bytes.toString());
    if (!validate(answer)) throw new Error('refused');
    return Buffer.from(JSON.stringify(pick(answer)));
  };
}

function evidencePath(body: BenchBody): () => string {
  const assembled = assembleContract({ name: body.tool, definition: contractOf(body), schemas: new Map() });
  if ('problems' in assembled) throw new Error(JSON.stringify(assembled.problems));
  const { contract } = assembled;
  const group = contract.byStatus.get(200);
  const [alternative] = group?.alternatives ?? [];
  if (group === undefined || alternative?.outcome.kind !== 'select') throw new Error('no result');
  const { outcome } = alternative;
  const plan = compileScanPlan({
    limits: DEFAULT_SCAN_LIMITS,
    projection: group.projection,
    caseInsensitiveNames: contract.caseInsensitiveNames,
    numbers: contract.numbers,
  });
  const context: CallContext = {
    request: { params: { ending: 1 }, query: {}, headers: {} },
    requestId: 'req.bench000',
    headers: new ResponseHeaders([]),
    now: 0,
  };
  const chunks = chunksOf(body.bytes);
  return () => {
    const answer: unknown = JSON.parse(keptText(chunks, plan));
    if (alternative.accepts(answer) !== true) throw new Error('refused by the schema');
    const selection = outcome.select(answer, context);
    if (selection instanceof Fault) throw new Error(selection.code);
    if (contract.result.validate(selection.data) !== undefined)
      throw new Error('refused by the result schema');
    return reply(contract, context, selection);
  };
}

function reply(
  contract: Contract,
  { requestId }: CallContext,
  selection: { readonly data: unknown },
): string {
  return successReply(contract.tool, requestId, selection, 'envelope').body;
}

function keptText(chunks: readonly Buffer[], plan: ScanPlan): string {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) {
    const whole = scanWhole(first, plan);
    if (whole instanceof Fault) throw new Error(whole.code);
    return whole.text;
  }
  const scanner = createPlannedScanner(plan);
  for (const chunk of chunks) scanner.write(chunk);
  const result = scanner.end();
  if (result instanceof Fault) throw new Error(result.code);
  const { buffer, byteOffset, byteLength } = result.kept;
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

/** Bars by body: `>=` times as fast, or `<=` times as long. */
const WANTED: Readonly<Record<string, readonly ['>=' | '<=', number]>> = {
  '109 B': ['<=', 1.3],
  '21 KB': ['>=', 2],
  '1 MB': ['>=', 2],
};

function barsOf({ body, nanoseconds: { assay, unsafe } }: EvidenceRow): Bar[] {
  const [relation, limit] = WANTED[body] ?? [];
  if (relation === undefined || limit === undefined) return [];
  return relation === '>='
    ? [
        bar(
          `evidence path, ${body}, times as fast as the unsafe path`,
          '>=',
          limit,
          ratioOf(unsafe, assay),
          ' x',
        ),
      ]
    : [
        bar(
          `evidence path, ${body}, times as long as the unsafe path`,
          '<=',
          limit,
          ratioOf(assay, unsafe),
          ' x',
        ),
      ];
}

function evidenceText(rows: readonly EvidenceRow[]): string {
  const microseconds = (nanoseconds: readonly number[]): string =>
    figure(spreadOf(nanoseconds).median / 1_000);
  return `\
### From the answer's bytes to the agent's, in memory

Scan, projection, \`JSON.parse\` of what is kept, Ajv, selection, result schema and envelope; against \`JSON.parse\` of everything, Ajv with
the same schema, a pick by hand and \`JSON.stringify\`. What is larger than 64 KiB is scanned in such pieces.

${table(
  ['body', 'evidence path, us', 'unsafe path, us', 'times as fast'],
  rows.map(({ body, nanoseconds: { assay, unsafe } }) => [
    body,
    microseconds(assay),
    microseconds(unsafe),
    spreadText(ratioOf(unsafe, assay)),
  ]),
)}`;
}
