import type { ChainPoint } from './audit-line.js';
import type { AuditSink } from './audit-record.js';
import type { FileOps } from './file-ops.js';
import type { LockTimes } from './owner-lock.js';

/** Async mode writes what is queued after so many milliseconds at the latest: what a killed process can lose. */
export const AUDIT_FLUSH_MS = 25;
/** Async mode syncs what is written after so many milliseconds at the latest: what a lost machine can lose on top. */
export const AUDIT_SYNC_MS = 1_000;

export interface AuditFileOptions {
  /** Path of the current file; rotated ones stand beside it. */
  readonly file: string;
  /**
   * `durable`: `append` resolves true once the record is on disk. `async`: at once, as long as the queue has room; see
   * AUDIT_FLUSH_MS and AUDIT_SYNC_MS for what can be lost.
   */
  readonly durability: 'async' | 'durable';
  /** Rotated files go when their day ended so many milliseconds ago; undefined: never. */
  readonly retainMs?: number | undefined;
  /** Records in memory, queued or under way; beyond that `append` resolves false. Default 10,000. */
  readonly maxPending?: number | undefined;
}

/** What a test puts in the place of the world. */
export interface AuditFileDeps {
  readonly ops?: FileOps;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly lockTimes?: LockTimes;
  /** Milliseconds from a failure to the first retry, and the most that doubling makes of it. */
  readonly retryMs?: { readonly first: number; readonly most: number };
  /** Told when writing stops, works again, or something beside it fails: for the operator's log. */
  readonly onTrouble?: (what: AuditTrouble, error: unknown) => void;
}

export type AuditTrouble = 'unwritable' | 'recovered' | 'lost' | 'rotation' | 'retention';

export interface AuditFile extends AuditSink {
  /** The last line written: kept elsewhere from time to time, it anchors the chain (docs/audit.md). */
  readonly head: ChainPoint;
  /** Records in memory, queued or under way. */
  readonly pending: number;
}
