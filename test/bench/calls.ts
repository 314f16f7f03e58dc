import { isDeepStrictEqual } from 'node:util';
import { type BenchBody, BODIES, bodyBytes, ENDINGS, type Ending, SMALL } from './bodies.js';
import { type CallsFigures, type Cell, JUDGED_CONNECTIONS, type Sample } from './calls-figures.js';
import { callsBars, callsText } from './calls-report.js';
import { type Load, type LoadGenerator, loadGenerator } from './load.js';
import { nginxVersion } from './nginx.js';
import type { BenchOptions, Part } from './part.js';
import { pathOf } from './paths.js';
import {
  availableSystems,
  JUDGES,
  type RunningSystem,
  type SystemName,
  startSystems,
  stopSystems,
} from './systems.js';
import { type Usage, usageOf } from './usage.js';
import { withFolder } from './workspace.js';

const CONNECTIONS = [1, JUDGED_CONNECTIONS, 128];
const WARM_UP_SECONDS = 2;

export async function measureCalls(options: BenchOptions): Promise<Part> {
  const figures = await withFolder((folder) => measure(folder, options));
  return { name: 'calls', text: callsText(figures), bars: callsBars(figures), figures };
}

async function measure(folder: string, options: BenchOptions): Promise<CallsFigures> {
  const generator = loadGenerator(folder);
  const cells: Cell[] = [];
  const problems: string[] = [];
  for (const body of options.quick ? [SMALL] : BODIES) {
    options.progress(`starting the systems for ${body.label}`);
    // New processes for each body, so that what one left in memory is not told of another.
    const systems = await startSystems({ folder, names: availableSystems() });
    try {
      for (const one of options.quick ? BODIES : [body]) await checkAnswers(one, systems);
      cells.push(...(await measureBody(body, systems, generator, options, problems)));
    } finally {
      await stopSystems(systems);
    }
  }
  return {
    generator: generator.name,
    nginx: nginxVersion() ?? null,
    seconds: options.seconds,
    cells,
    problems,
  };
}

/** Everyone gives what is wanted before anyone is measured, and the two that judge give the same. */
async function checkAnswers(body: BenchBody, systems: readonly RunningSystem[]): Promise<void> {
  for (const { name, base } of systems) {
    for (const ending of ENDINGS) {
      const response = await fetch(base + pathOf(body, ending));
      const got = Buffer.from(await response.arrayBuffer());
      const judges = JUDGES.includes(name);
      const wanted = judges && ending !== 'accepted' ? 422 : 200;
      const isRight =
        response.status === wanted &&
        (judges
          ? wanted === 422 || isDeepStrictEqual(dataOf(name, got), body.pick(JSON.parse(String(body.bytes))))
          : got.equals(bodyBytes(body, ending)));
      if (!isRight) {
        throw new Error(
          `${name} answers ${response.status} to ${body.label}, ${ending}: ${got.subarray(0, 200)}`,
        );
      }
    }
  }
}

function dataOf(name: SystemName, answer: Buffer): unknown {
  const value = JSON.parse(String(answer)) as { readonly data: unknown };
  return name === 'assay' ? value.data : value;
}

interface Lane {
  readonly system: RunningSystem;
  readonly ending: Ending;
  readonly samples: Sample[];
}

async function measureBody(
  body: BenchBody,
  systems: readonly RunningSystem[],
  generator: LoadGenerator,
  options: BenchOptions,
  problems: string[],
): Promise<Cell[]> {
  const { seconds, rounds, quick, progress } = options;
  const cells: Cell[] = [];
  const warmUp = new Set<string>();
  for (const connections of quick ? [JUDGED_CONNECTIONS] : CONNECTIONS) {
    const lanes = lanesOf(systems, connections, quick);
    for (const { system, ending } of quick ? [] : lanes) {
      const key = `${system.name} ${ending}`;
      if (warmUp.has(key)) continue;
      warmUp.add(key);
      progress(`${body.label}: warming up ${key}`);
      await generator.run(system.base + pathOf(body, ending), JUDGED_CONNECTIONS, WARM_UP_SECONDS);
    }
    for (let round = 0; round < rounds; round++) {
      progress(`${body.label}, ${connections} connections: round ${round + 1} of ${rounds}`);
      for (const { system, ending, samples } of turned(lanes, round)) {
        const before = usageOf(system.pid);
        const load = await generator.run(system.base + pathOf(body, ending), connections, seconds);
        samples.push(sample(load, before, usageOf(system.pid)));
        const wanted = JUDGES.includes(system.name) && ending !== 'accepted' ? load.requests : 0;
        if (load.refused !== wanted || load.errors > 0 || load.requests === 0) {
          problems.push(
            `${system.name}, ${body.label} ${ending}, ${connections} connections: of ${load.requests} answers ${load.refused} had a status from 400 on and ${wanted} should; ${load.errors} connections failed`,
          );
        }
      }
    }
    for (const { system, ending, samples } of lanes) {
      cells.push({
        body: body.label,
        bytes: body.bytes.length,
        system: system.name,
        ending,
        connections,
        rounds: samples,
      });
    }
  }
  return cells;
}

function lanesOf(systems: readonly RunningSystem[], connections: number, quick: boolean): Lane[] {
  const endings = connections === JUDGED_CONNECTIONS ? ENDINGS : (['accepted'] as const);
  const judges = quick ? ['assay'] : JUDGES;
  return endings.flatMap((ending) =>
    systems
      .filter(({ name }) => ending === 'accepted' || judges.includes(name))
      .map((system) => ({ system, ending, samples: [] })),
  );
}

/** Each round starts with another lane, so that none is always the first or behind the same one. */
function turned<T>(items: readonly T[], by: number): T[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}

function sample(load: Load, before: Usage | undefined, after: Usage | undefined): Sample {
  const cpuUs = before === undefined || after === undefined ? null : after.cpuUs - before.cpuUs;
  return {
    requestsPerSecond: load.requests / load.seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    cpuUsPerRequest: cpuUs === null ? null : cpuUs / load.requests,
    rssBytes: after?.rssBytes ?? null,
  };
}
