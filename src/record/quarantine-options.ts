import type { FileOps } from './file-ops.js';
import type { QuarantinedAnswer, QuarantineEntry } from './quarantine-file.js';
import type { QuarantineItem } from './quarantine-item.js';

export interface QuarantineOptions {
  /** The directory; mode 0700. One sidecar at a time. */
  readonly dir: string;
  /** Of one body; what is over is cut and marked. */
  readonly itemBytes: number;
  /** Of all files together, header lines included. */
  readonly totalBytes: number;
  /** An answer goes when it is so many milliseconds old. */
  readonly retainMs: number;
}

/** What a test puts in the place of the world. */
export interface QuarantineDeps {
  readonly ops?: FileOps;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly maxPending?: number;
  /** Milliseconds in which nothing is taken after a failed write, and the most that doubling makes of it. */
  readonly retryMs?: { readonly first: number; readonly most: number };
  /** Told what failed, for the operator's log: a write, or a removal. */
  readonly onTrouble?: (what: 'write' | 'remove', error: unknown) => void;
}

export interface Quarantine {
  /**
   * Retains a refused answer. Gives its reference, or null where it is not taken: too much is under way, it is larger than
   * everything may be, or the disk failed a moment ago. Never throws, never waits: the write comes later and can still fail,
   * and then `read` of the reference gives null. The body is copied.
   */
  keep(item: QuarantineItem): string | null;
  /** Retained answers, oldest first, those under way included. */
  list(): Promise<readonly QuarantineEntry[]>;
  /** One answer with its body; null where it is not there (any more), or its file is not whole. */
  read(ref: string): Promise<QuarantinedAnswer | null>;
  /** Bytes of all files, those under way included: never above totalBytes. */
  readonly usedBytes: number;
  readonly count: number;
  /** Writes what is under way. After it, `keep` gives null. */
  close(): Promise<void>;
}
