import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BODIES, ENDINGS, type Ending } from './bodies.js';
import { loadGenerator } from './load.js';
import type { BenchOptions } from './part.js';
import { pathOf, scriptPath } from './paths.js';
import { byPlace, type CpuProfile, type SelfTime, selfTimes, totalTimes } from './self-time.js';
import { startSystems, stopSystems } from './systems.js';
import { figure, table } from './table.js';
import { usageOf } from './usage.js';
import { withFolder } from './workspace.js';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 3;
/** Functions that are listed. */
const LISTED = 25;

/**
 * Where the time of the sidecar goes while it serves, function by function, as Markdown.
 *
 * @param what a body's tool, with an ending where it is not accepted: `pull`, `pull/early`
 * @param keep folder for the profile itself, which browsers' developer tools open
 */
export async function profileText(
  what: string,
  options: BenchOptions,
  keep: string | undefined,
): Promise<string> {
  const [tool = '', ending = 'accepted'] = what.split('/');
  const body = BODIES.find((one) => one.tool === tool);
  if (body === undefined || !isEnding(ending)) {
    throw new Error(
      `--profile takes one of ${BODIES.map((one) => one.tool).join(', ')}, and /late or /early`,
    );
  }
  options.progress(`profiling ${what}`);
  const file = keep === undefined ? undefined : join(keep, `${tool}-${ending}.cpuprofile`);
  const found = await profiled(pathOf(body, ending), options.seconds, file);
  return `## ${body.label}, ${ending}, ${CONNECTIONS} connections\n\n${report(found)}`;
}

function isEnding(text: string): text is Ending {
  return (ENDINGS as readonly string[]).includes(text);
}

interface Profiled {
  readonly times: readonly SelfTime[];
  readonly totals: readonly SelfTime[];
  readonly requests: number;
  /** CPU time of the sidecar for one request; the profiler's own is in it. */
  readonly cpuUs: number;
}

async function profiled(path: string, seconds: number, keep: string | undefined): Promise<Profiled> {
  return withFolder(async (folder) => {
    const file = join(folder, 'sidecar.cpuprofile');
    process.env.ASSAY_BENCH_PROFILE = file;
    const profiler = scriptPath('profiler');
    const systems = await startSystems({ folder, names: ['assay'], nodeOptions: ['--import', profiler] });
    let requests = 0;
    let cpuUs = 0;
    try {
      const assay = systems.find(({ name }) => name === 'assay');
      if (assay === undefined) throw new Error('the sidecar did not start');
      const generator = loadGenerator(folder);
      await generator.run(assay.base + path, CONNECTIONS, WARM_UP_SECONDS);
      process.kill(assay.pid, 'SIGUSR2');
      const before = usageOf(assay.pid)?.cpuUs ?? Number.NaN;
      ({ requests } = await generator.run(assay.base + path, CONNECTIONS, seconds));
      cpuUs = ((usageOf(assay.pid)?.cpuUs ?? Number.NaN) - before) / requests;
      process.kill(assay.pid, 'SIGUSR2');
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      // Whoever writes the file does it in one go, and ends after it.
      await stopSystems(systems);
    }
    if (keep !== undefined) copyFileSync(file, keep);
    const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
    return { times: selfTimes(profile), totals: totalTimes(profile), requests, cpuUs };
  });
}

function report({ times, totals, requests, cpuUs }: Profiled): string {
  const all = times.reduce((sum, { us }) => sum + us, 0);
  const columns = (us: number): string[] => [`${figure((us / all) * 100)} %`, figure((us / all) * cpuUs)];
  const head = ['self time', 'CPU us/request'];
  const rows = (list: readonly SelfTime[]) =>
    list.slice(0, LISTED).map(({ what, us }) => [what, ...columns(us)]);
  return `${requests} requests, ${figure(cpuUs)} us of CPU each.

${table(
  ['place', ...head],
  byPlace(times).map(({ where, us }) => [where, ...columns(us)]),
)}
${table(['function', ...head], rows(times))}
${table(['function of ours, with what it calls', 'time', 'CPU us/request'], rows(totals))}`;
}
