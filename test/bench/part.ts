/** One part of the benchmark, measured. */
export interface Part {
  readonly name: PartName;
  /** How it was measured and what came of it: Markdown that reads well in a terminal, headings from level 3. */
  readonly text: string;
  readonly bars: readonly Bar[];
  /** The same for a program. */
  readonly figures: object;
}

export const PARTS = ['engine', 'calls', 'large', 'start'] as const;
export type PartName = (typeof PARTS)[number];

/** A figure that is wanted, and the one that was reached. */
export interface Bar {
  readonly what: string;
  /** `>= 1.3` */
  readonly wanted: string;
  readonly reached: number;
  /** Over the rounds. */
  readonly min: number;
  readonly max: number;
  readonly met: boolean;
}

export interface BenchOptions {
  /** Length of one measurement. */
  readonly seconds: number;
  /** How often each is repeated. */
  readonly rounds: number;
  /** A short look at whether everything runs: few cells, one round; its figures mean nothing. */
  readonly quick: boolean;
  /** Tells a person who waits what is measured now. */
  progress(text: string): void;
}
