import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { bar } from './bars.js';
import { start } from './child.js';
import type { Bar, BenchOptions, Part } from './part.js';
import { CLI, ROOT } from './paths.js';
import { ready } from './ready.js';
import { type Spread, spreadOf } from './statistics.js';
import { spreadText, table } from './table.js';
import { usageOf } from './usage.js';
import { freePort, withFolder, writeConfig } from './workspace.js';

/** Seconds to ready that are wanted, by number of routes. */
const WANTED: ReadonlyMap<number, number> = new Map([
  [1, 0.5],
  [100, 3],
  [1_000, 15],
]);

/**
 * `alike`: the shipped contracts, copied under other names. `unlike`: the same, each schema file with a title of its own,
 * so that nothing which is compiled for one contract serves another.
 */
type Kind = 'alike' | 'unlike';

interface StartSample {
  readonly seconds: number;
  /** User and system time until then; null where there is no /proc. */
  readonly cpuSeconds: number | null;
  readonly rssBytes: number | null;
}

export interface StartCell {
  readonly routes: number;
  readonly fixtures: number;
  readonly kind: Kind;
  readonly rounds: readonly StartSample[];
}

export interface StartFigures {
  readonly cells: readonly StartCell[];
}

export async function measureStart(options: BenchOptions): Promise<Part> {
  const cells: StartCell[] = [];
  for (const routes of options.quick ? [1] : WANTED.keys()) {
    for (const kind of routes === 1 ? (['alike'] as const) : (['alike', 'unlike'] as const)) {
      cells.push(await withFolder((folder) => measure(folder, routes, kind, options)));
    }
  }
  const figures: StartFigures = { cells };
  return { name: 'start', text: startText(figures), bars: startBars(figures), figures };
}

async function measure(
  folder: string,
  routes: number,
  kind: Kind,
  { rounds, progress }: BenchOptions,
): Promise<StartCell> {
  progress(`start: writing ${routes} contracts`);
  const listed = writeContracts(folder, routes);
  if (kind === 'unlike') entitle(join(folder, 'schemas'));
  const fixtures = countFixtures(join(folder, 'schemas'));
  const samples: StartSample[] = [];
  for (let round = 0; round < (routes >= 1_000 ? Math.min(rounds, 3) : rounds); round++) {
    progress(`start: ${routes} routes, ${kind}, round ${round + 1}`);
    samples.push(await measureOnce(folder, listed));
  }
  return { routes, fixtures, kind, rounds: samples };
}

type Listed = readonly { readonly tool: string; readonly path: string }[];

async function measureOnce(folder: string, routes: Listed): Promise<StartSample> {
  const [listen, admin] = [await freePort(), await freePort()];
  const config = writeConfig({ folder, upstream: 'http://127.0.0.1:9', listen, admin, routes });
  const began = performance.now();
  const child = start(process.execPath, [CLI, 'serve', '--config', config]);
  try {
    await ready(`http://127.0.0.1:${admin}/readyz`, child, 200);
    const seconds = (performance.now() - began) / 1_000;
    const usage = usageOf(child.pid);
    return {
      seconds,
      cpuSeconds: usage === undefined ? null : usage.cpuUs / 1e6,
      rssBytes: usage?.rssBytes ?? null,
    };
  } finally {
    await child.stop();
  }
}

/** Copies the shipped contracts, in turn and each time under another name, until there are so many. */
function writeContracts(folder: string, count: number): Listed {
  const { routes } = parse(readFileSync(join(ROOT, 'config', 'assay.yaml'), 'utf8')) as {
    readonly routes: Listed;
  };
  return Array.from({ length: count }, (_, index) => {
    const shipped = routes[index % routes.length];
    if (shipped === undefined) throw new Error('config/assay.yaml has no routes');
    const tool = `${shipped.tool}_${index + 1}`;
    const home = join(folder, 'schemas', tool, '1');
    cpSync(join(ROOT, 'schemas', shipped.tool, '1'), home, { recursive: true });
    const file = join(home, 'contract.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^tool: .*$/m, `tool: ${tool}`));
    return { tool, path: `/${index + 1}${shipped.path}` };
  });
}

/** Gives every schema file a title that no other one has. */
function entitle(schemas: string): void {
  const files = readdirSync(schemas, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.schema.json'),
  );
  for (const [index, name] of files.entries()) {
    const file = join(schemas, name);
    const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...schema, title: `Schema ${index + 1}` }, null, 2));
  }
}

function countFixtures(schemas: string): number {
  return readdirSync(schemas, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /fixtures.+\.yaml$/.test(file),
  ).length;
}

function startText({ cells }: StartFigures): string {
  const rows = cells.map((cell) => [
    cell.routes === 1 ? '1' : `${cell.routes}, ${cell.kind}`,
    String(cell.fixtures),
    spreadText(over(cell, 'seconds')),
    spreadText(over(cell, 'cpuSeconds')),
    spreadText(over(cell, 'rssBytes', 1_048_576)),
  ]);
  return `\
From the start of \`assay serve\` to the first 200 of \`/readyz\`. Each route has a contract of its own, a renamed copy of a shipped
one with all its fixtures, and every fixture is run before it listens. Schemas that contracts write alike are compiled
once. Between **alike** contracts these are all; of **unlike** ones each schema file has a title of its own, so that only the
schemas of path parameters are shared. The bars are judged on alike ones.

${table(['routes, contracts', 'fixtures run', 'seconds', 'CPU seconds', 'memory MiB'], rows)}`;
}

function startBars({ cells }: StartFigures): Bar[] {
  return cells
    .filter(({ kind }) => kind === 'alike')
    .map((cell) =>
      bar(
        `start to ready, ${cell.routes} ${cell.routes === 1 ? 'route' : 'routes'}`,
        '<',
        WANTED.get(cell.routes) ?? Number.NaN,
        over(cell, 'seconds'),
        ' s',
      ),
    );
}

function over({ rounds }: StartCell, name: keyof StartSample, per = 1): Spread {
  return spreadOf(rounds.map((sample) => (sample[name] ?? Number.NaN) / per));
}
