import { spreadOf } from './statistics.js';

/** A sample is at least so long. */
const SAMPLE_NS = 2_000_000;

/**
 * Nanoseconds of each way of doing something, by round. In a round all ways take turns in short samples, so that what the
 * machine does beside weighs on all of them; the figure of a round is the median of its samples.
 */
export function sampled<W extends string>(
  ways: Readonly<Record<W, () => void>>,
  { rounds, seconds, quick }: { readonly rounds: number; readonly seconds: number; readonly quick: boolean },
): Readonly<Record<W, readonly number[]>> {
  const names = Object.keys(ways) as W[];
  const repeats = new Map(names.map((name) => [name, warmUp(ways[name], quick)]));
  const figures = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const samples = new Map(names.map((name) => [name, [] as number[]]));
    const end = performance.now() + seconds * 1_000;
    do {
      for (const name of names) samples.get(name)?.push(sample(ways[name], repeats.get(name) ?? 1));
    } while (performance.now() < end);
    for (const name of names) figures.get(name)?.push(spreadOf(samples.get(name) ?? []).median);
  }
  return Object.fromEntries(figures) as Record<W, number[]>;
}

/** Until it is compiled as well as it gets. Returns how often it fits into a sample. */
export function warmUp(run: () => void, quick: boolean): number {
  const end = performance.now() + (quick ? 1 : 300);
  let fastest = Number.POSITIVE_INFINITY;
  do fastest = Math.min(fastest, sample(run, 1));
  while (performance.now() < end);
  return quick ? 1 : Math.max(1, Math.ceil(SAMPLE_NS / fastest));
}

/** Nanoseconds of one run, over so many. */
export function sample(run: () => void, times: number): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) run();
  return Number(process.hrtime.bigint() - start) / times;
}
