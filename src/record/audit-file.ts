import type { AuditFile, AuditFileDeps, AuditFileOptions, AuditTrouble } from './audit-options.js';
import { AuditWriter } from './audit-writer.js';
import { ChainFile } from './chain-file.js';
import { nodeFileOps } from './file-ops.js';
import { LOCK_TIMES } from './owner-lock.js';

const RETRY_MS = { first: 100, most: 5_000 };

/**
 * Opens the audit file for one process: hash-chained JSON lines (docs/audit.md), one writer, group commit. Rejects with
 * LockHeldError (another process owns it), NotAnAuditFileError, or the system's error; later failures never throw but show
 * in `append` and `writable`, and end by themselves when the disk takes writes again.
 */
export async function openAuditFile(options: AuditFileOptions, deps: AuditFileDeps = {}): Promise<AuditFile> {
  const { ops = nodeFileOps, now = Date.now, lockTimes = LOCK_TIMES, retryMs = RETRY_MS } = deps;
  const onTrouble = (what: AuditTrouble, error: unknown): void => {
    try {
      deps.onTrouble?.(what, error);
    } catch {
      // A listener that throws must not stop the audit.
    }
  };
  const { file, retainMs } = options;
  const chain = await ChainFile.open({ file, retainMs, ops, now, lockTimes, onTrouble });
  return new AuditWriter(chain, options, { now, lockTimes, onTrouble, retryMs });
}
