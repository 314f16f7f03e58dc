import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { ROOT } from './paths.js';

/** The machine and what runs on it, taken before anything is measured. */
export interface Environment {
  readonly time: string;
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly processors: number;
  readonly memoryBytes: number;
  /** Processes that wanted a processor, averaged over the minute before; beside a benchmark it should be near zero. */
  readonly loadBefore: number;
  /** Commit, with `+` where files differ from it; null where git does not tell. */
  readonly commit: string | null;
}

/** Above this, other work ran beside the benchmark, and figures spread. */
const QUIET_LOAD = 0.5;

export function environment(): Environment {
  const all = cpus();
  return {
    time: new Date().toISOString(),
    node: process.version,
    system: `${type()} ${release()}`,
    processor: all[0]?.model ?? 'unknown',
    processors: all.length,
    memoryBytes: totalmem(),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
    commit: commit(),
  };
}

export function isQuiet({ loadBefore }: Environment): boolean {
  return loadBefore <= QUIET_LOAD;
}

export function environmentText(place: Environment): string {
  const { time, node, system, processor, processors, memoryBytes, loadBefore } = place;
  const noise = isQuiet(place)
    ? 'The machine was quiet before.'
    : `**Noisy**: the load average before was ${loadBefore}, so other work took its share of the processors; ratios still say something, absolutes do not.`;
  return `\
${time.slice(0, 16).replace('T', ' ')} UTC, commit ${place.commit ?? 'unknown'}, Node ${node.slice(1)}, ${system}, ${processors} x ${processor}, ${Math.round(memoryBytes / 2 ** 30)} GiB. ${noise}
Ratios are of one run and hold; absolutes are of this machine and drift.
`;
}

function commit(): string | null {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return null;
  }
}
