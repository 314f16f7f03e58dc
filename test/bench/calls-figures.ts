import type { Ending } from './bodies.js';
import type { SystemName } from './systems.js';

/** One measurement: some seconds of load. */
export interface Sample {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the measured system with all its threads; null where there is no /proc. */
  readonly cpuUsPerRequest: number | null;
  /** Resident memory right after. */
  readonly rssBytes: number | null;
}

/** One system, body, ending and number of connections; a sample a round. */
export interface Cell {
  readonly body: string;
  readonly bytes: number;
  readonly system: SystemName;
  readonly ending: Ending;
  readonly connections: number;
  readonly rounds: readonly Sample[];
}

export interface CallsFigures {
  readonly generator: string;
  /** Null where it is not installed. */
  readonly nginx: string | null;
  readonly seconds: number;
  readonly cells: readonly Cell[];
  /** Answers of another status than wanted, and connections that failed: a figure beside them counts for nothing. */
  readonly problems: readonly string[];
}

/** At this number of connections answers are refused too, and the bars are judged. */
export const JUDGED_CONNECTIONS = 32;
