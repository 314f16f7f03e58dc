import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Fault } from '../../src/fault/index.js';
import { KEEP, type ScanLimits, type ScanOptions } from '../../src/json/index.js';
import { compileScanPlan, type ScanPlan, scanWhole } from '../../src/json/wasm/index.js';
import { createScanner } from '../json/oracle/scanner.js';
import { bar } from './bars.js';
import { type EngineDocument, engineDocuments } from './engine-documents.js';
import type { Bar, BenchOptions, Part } from './part.js';
import { sample, warmUp } from './sampling.js';
import { ratioOf, type Spread, spreadOf } from './statistics.js';
import { figure, spreadText, table } from './table.js';

/*
 * The scanner against JSON.parse of the same bytes, in one thread and in memory. Every round goes through all systems in
 * turn, in short samples, so that what the machine does beside weighs on all of them; the figure of a round is the
 * median of its samples, and a ratio is of one round.
 */

/** Nothing of the documents is refused for its size. */
const LIMITS: ScanLimits = {
  depth: 1_000,
  members: 100_000,
  items: 1_000_000,
  tokens: 10_000_000,
  nameBytes: 1_000_000,
  stringBytes: 10_000_000,
  numberBytes: 1_000,
};

const SHAPE: ScanOptions = { limits: LIMITS, projection: { members: new Map() } };
const WHOLE: ScanOptions = { limits: LIMITS, projection: KEEP };
/** For documents with integers that a double rounds, which are refused otherwise. */
const WHOLE_AS_TEXT: ScanOptions = { ...WHOLE, numbers: 'string' };

const SYSTEMS = ['parse', 'shape', 'whole', 'wholeParsed', 'plain', 'utf8', 'sha256'] as const;
type System = (typeof SYSTEMS)[number];

const HEADS: Readonly<Record<System, string>> = {
  parse: 'JSON.parse',
  shape: 'scan, keep nothing',
  whole: 'scan, keep all',
  wholeParsed: 'keep all, and parse it',
  plain: 'plain scanner',
  utf8: 'isUtf8',
  sha256: 'SHA-256',
};

interface Row {
  readonly document: string;
  readonly bytes: number;
  readonly numbersAsText: boolean;
  /** Nanoseconds for the whole document, by round. */
  readonly nanoseconds: Readonly<Record<System, readonly number[]>>;
}

/** The engine part of the benchmark. */
export async function measureEngine(options: BenchOptions): Promise<Part> {
  const { documents, missing } = engineDocuments();
  const rows = documents.map((document) => {
    options.progress(`engine: ${document.label}`);
    return measure(document, options);
  });
  const bars = documents.flatMap((document, i) => barsOf(document, rows[i]));
  const text = [tables(rows), ...(missing === undefined ? [] : [missing])].join('\n');
  return { name: 'engine', text, bars, figures: { rows, missing: missing ?? null } };
}

function measure({ label, bodies }: EngineDocument, { rounds, seconds, quick }: BenchOptions): Row {
  const numbersAsText = bodies.some((body) => scanWhole(body, compileScanPlan(WHOLE)) instanceof Fault);
  const run = systems(bodies, numbersAsText ? WHOLE_AS_TEXT : WHOLE);
  const times = new Map<System, number[]>(SYSTEMS.map((system) => [system, []]));
  const repeats = new Map(SYSTEMS.map((system) => [system, warmUp(run[system], quick)]));
  for (let round = 0; round < rounds; round++) {
    const samples = new Map<System, number[]>(SYSTEMS.map((system) => [system, []]));
    const end = performance.now() + seconds * 1_000;
    do {
      for (const system of SYSTEMS) samples.get(system)?.push(sample(run[system], repeats.get(system) ?? 1));
    } while (performance.now() < end);
    for (const system of SYSTEMS) times.get(system)?.push(spreadOf(samples.get(system) ?? []).median);
  }
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  const nanoseconds = Object.fromEntries(times) as Record<System, number[]>;
  return { document: label, bytes, numbersAsText, nanoseconds };
}

function systems(bodies: readonly Buffer[], whole: ScanOptions): Readonly<Record<System, () => void>> {
  const each = (use: (body: Buffer) => unknown) => () => {
    for (const body of bodies) use(body);
  };
  const shape = compileScanPlan(SHAPE);
  const all = compileScanPlan(whole);
  return {
    parse: each((body) => JSON.parse(body.toString())),
    shape: each((body) => accepted(body, shape)),
    whole: each((body) => accepted(body, all)),
    wholeParsed: each((body) => JSON.parse(accepted(body, all).text)),
    plain: each((body) => {
      const scanner = createScanner(whole);
      scanner.write(body);
      return scanner.end();
    }),
    utf8: each((body) => isUtf8(body)),
    sha256: each((body) => createHash('sha256').update(body).digest()),
  };
}

function accepted(body: Buffer, plan: ScanPlan) {
  const result = scanWhole(body, plan);
  if (result instanceof Fault) throw new Error(`refused: ${result.code} at ${result.detail.offset}`);
  return result;
}

/** How many times faster than JSON.parse. */
function ratio({ nanoseconds }: Row, system: System): Spread {
  return ratioOf(nanoseconds.parse, nanoseconds[system]);
}

function barsOf({ label, bar: limit }: EngineDocument, row: Row | undefined): Bar[] {
  if (limit === undefined || row === undefined) return [];
  return (['shape', 'whole'] as const).map((system) =>
    bar(`${label}: ${HEADS[system]}, against JSON.parse`, '>=', limit, ratio(row, system), ' x'),
  );
}

function tables(rows: readonly Row[]): string {
  const ratios = rows.map((row) => [
    name(row),
    figure(row.bytes),
    ...SYSTEMS.slice(1, 5).map((system) => spreadText(ratio(row, system))),
  ]);
  const speeds = rows.map((row) => [
    name(row),
    ...SYSTEMS.map((system) => figure((row.bytes / spreadOf(row.nanoseconds[system]).median) * 1_000)),
  ]);
  return `\
### How many times faster than \`JSON.parse(buffer.toString())\`

${table(['document', 'bytes', ...SYSTEMS.slice(1, 5).map((system) => HEADS[system])], ratios)}
Everything copied in, checked for UTF-8, grammar, duplicates and limits. \`*\`: with \`numbers: string\`, since the document has
numbers that a double cannot hold.

### Megabytes a second

${table(['document', ...SYSTEMS.map((system) => HEADS[system])], speeds)}`;
}

function name({ document, numbersAsText }: Row): string {
  return numbersAsText ? `${document} *` : document;
}
