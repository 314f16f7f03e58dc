import { writeFileSync } from 'node:fs';
import { bar } from './bars.js';
import { PULL } from './bodies.js';
import { startScript } from './child.js';
import { loadGenerator } from './load.js';
import type { Bar, BenchOptions, Part } from './part.js';
import { scriptPath } from './paths.js';
import { spreadOf } from './statistics.js';
import { startSidecar } from './systems.js';
import { figure, spreadText } from './table.js';
import { usageOf } from './usage.js';
import { withFolder } from './workspace.js';

/** How much more memory one large answer takes, of which next to nothing is kept. */
interface LargeFigures {
  readonly bytes: number;
  /** Resident memory at its most during the answers, less what it was before; by round. Null where there is no /proc. */
  readonly growthBytes: readonly number[] | null;
  readonly secondsPerAnswer: readonly number[];
}

const BYTES = 100_000_000;
const MIB = 1_048_576;
const WARM_UP_SECONDS = 2;
/** Large answers of a round, one after another. */
const CALLS = 5;
/** Limits in the configuration's words, each raised over what the answer has. */
const LIMITS = {
  wire_bytes: '200 MiB',
  decoded_bytes: '200 MiB',
  items: 10_000_000,
  tokens: 100_000_000,
  total: '60s',
};

export async function measureLarge(options: BenchOptions): Promise<Part> {
  const figures = await measure(options);
  return { name: 'large', text: largeText(figures), bars: largeBars(figures), figures };
}

async function measure({ rounds, progress }: BenchOptions): Promise<LargeFigures> {
  const growth: number[] = [];
  const seconds: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`100 MB: round ${round} of ${rounds}`);
    await withFolder(async (folder) => {
      const upstream = await startScript(scriptPath('large-upstream'), [String(BYTES)]);
      const sidecar = await startSidecar({
        folder,
        upstream: `http://127.0.0.1:${upstream.port}`,
        limits: LIMITS,
      });
      try {
        // One that has been at work: a new process grows with whatever it does first.
        await loadGenerator(folder).run(`${sidecar.base}/${PULL.tool}/2`, 32, WARM_UP_SECONDS);
        const before = forgetPeak(sidecar.pid);
        for (let call = 0; call < CALLS; call++)
          seconds.push(await secondsOf(`${sidecar.base}/${PULL.tool}/1`));
        const after = usageOf(sidecar.pid);
        if (before !== undefined && after !== undefined) growth.push(after.peakBytes - before);
      } finally {
        await sidecar.stop();
        await upstream.stop();
      }
    });
  }
  return { bytes: BYTES, growthBytes: growth.length > 0 ? growth : null, secondsPerAnswer: seconds };
}

async function secondsOf(url: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url);
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`the large answer came to ${response.status}: ${answer}`);
  return (performance.now() - began) / 1_000;
}

/** Has the kernel forget the most memory that a process had (man 5 proc, clear_refs); gives what it has now. */
function forgetPeak(pid: number): number | undefined {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return usageOf(pid)?.rssBytes;
  } catch {
    return undefined;
  }
}

function largeText({ bytes, growthBytes, secondsPerAnswer }: LargeFigures): string {
  const growth = growthBytes === null ? '-' : spreadText(spreadOf(growthBytes.map((value) => value / MIB)));
  const speed = spreadOf(secondsPerAnswer.map((seconds) => bytes / 1e6 / seconds));
  return `An answer of ${figure(bytes / 1e6)} MB of which five members are kept, streamed, with limits raised. A sidecar that has served small answers for two seconds gets five such calls, one after another. Its resident
memory grows by ${growth} MiB at most, and the answers pass at ${spreadText(speed)} MB/s.
`;
}

function largeBars({ growthBytes }: LargeFigures): Bar[] {
  if (growthBytes === null) return [];
  const growth = spreadOf(growthBytes.map((value) => value / MIB));
  return [bar('memory that a 100 MB answer takes', '<=', 16, growth, ' MiB')];
}
