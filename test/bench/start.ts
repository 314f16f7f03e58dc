import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { bar } from './bars.js';
import { type Child, start } from './child.js';
import type { Bar, BenchOptions, Part } from './part.js';
import { CLI, ROOT, scriptPath } from './paths.js';
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

/** `serve` is what is shipped; `unproven` the same without the run of the fixtures, which nobody serves with. */
const WAYS = ['serve', 'unproven'] as const;
type Way = (typeof WAYS)[number];

interface StartSample {
  readonly seconds: number;
  /** User and system time until then; null where there is no /proc. */
  readonly cpuSeconds: number | null;
  readonly rssBytes: number | null;
}

export interface StartCell {
  readonly routes: number;
  readonly fixtures: number;
  readonly way: Way;
  readonly rounds: readonly StartSample[];
}

export interface StartFigures {
  readonly cells: readonly StartCell[];
}

export async function measureStart(options: BenchOptions): Promise<Part> {
  const cells: StartCell[] = [];
  for (const routes of options.quick ? [1] : WANTED.keys()) {
    cells.push(...(await withFolder((folder) => measure(folder, routes, options))));
  }
  const figures: StartFigures = { cells };
  return { name: 'start', text: startText(figures), bars: startBars(figures), figures };
}

async function measure(
  folder: string,
  routes: number,
  { rounds, progress }: BenchOptions,
): Promise<StartCell[]> {
  progress(`start: writing ${routes} contracts`);
  const listed = writeContracts(folder, routes);
  const fixtures = countFixtures(join(folder, 'schemas'));
  const samples: Record<Way, StartSample[]> = { serve: [], unproven: [] };
  for (let round = 0; round < (routes >= 1_000 ? Math.min(rounds, 3) : rounds); round++) {
    for (const way of WAYS) {
      progress(`start: ${routes} routes, ${way}, round ${round + 1}`);
      samples[way].push(await measureOnce(folder, listed, way));
    }
  }
  return WAYS.map((way) => ({ routes, fixtures, way, rounds: samples[way] }));
}

type Listed = readonly { readonly tool: string; readonly path: string }[];

async function measureOnce(folder: string, routes: Listed, way: Way): Promise<StartSample> {
  const [listen, admin] = [await freePort(), await freePort()];
  const config = writeConfig({ folder, upstream: 'http://127.0.0.1:9', listen, admin, routes });
  const began = performance.now();
  const child = launch(way, config);
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

function launch(way: Way, config: string): Child {
  if (way === 'serve') return start(process.execPath, [CLI, 'serve', '--config', config]);
  return start(process.execPath, [scriptPath('unproven'), config]);
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

function countFixtures(schemas: string): number {
  return readdirSync(schemas, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /fixtures.+\.yaml$/.test(file),
  ).length;
}

function startText({ cells }: StartFigures): string {
  const rows = cells.map((cell) => [
    `${cell.routes}, ${cell.way}`,
    String(cell.way === 'serve' ? cell.fixtures : 0),
    spreadText(over(cell, 'seconds')),
    spreadText(over(cell, 'cpuSeconds')),
    spreadText(over(cell, 'rssBytes', 1_048_576)),
  ]);
  return `\
From the start of the process to the first 200 of \`/readyz\`. Each route has a contract of its own, a renamed copy of a shipped one
with all its fixtures. **serve** is \`assay serve\` as it is shipped: it compiles every contract and runs every fixture
before it listens; the bars are judged on it. **unproven** compiles the same and runs no fixture, to tell what the proof adds.

${table(['routes, way', 'fixtures run', 'seconds', 'CPU seconds', 'memory MiB'], rows)}`;
}

function startBars({ cells }: StartFigures): Bar[] {
  return cells
    .filter(({ way }) => way === 'serve')
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
