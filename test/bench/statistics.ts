/** One figure measured in several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Median, smallest and largest of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/**
 * The spread of `a[i] / b[i]`: both of one round, measured within seconds of each other, so that what the machine did
 * beside weighs on both.
 */
export function ratioOf(a: readonly number[], b: readonly number[]): Spread {
  return spreadOf(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}
