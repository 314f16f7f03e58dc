import { filesInChainOrder } from './audit-family.js';
import type { ChainPoint } from './audit-line.js';
import { placedLines } from './audit-lines.js';
import type { AuditVerdict } from './audit-verdict.js';
import { AuditWalk } from './audit-walk.js';
import { nodeFileOps, systemCode } from './file-ops.js';

export interface VerifyOptions {
  /** A line that was noted earlier: the chain must contain it. */
  readonly anchor?: ChainPoint;
}

/** A running sidecar rotates and writes while we read; what only looks broken because of that is read again so often. */
const TRIES = 3;

/**
 * Reads a chain from its oldest line to its newest and names the first record that was changed, dropped, inserted or
 * reordered. `target`: the path of the current file, with the rotated ones beside it, or files in their order. What came
 * before the oldest line present is not asked for. docs/audit.md says what this cannot prove. Never rejects for what it
 * reads: a file that cannot be read is `unreadable`.
 */
export async function verifyAudit(
  target: string | readonly string[],
  options: VerifyOptions = {},
): Promise<AuditVerdict> {
  if (typeof target !== 'string') return walk(target, options);
  for (let tries = 1; ; tries++) {
    const before = await family(target);
    if ('ok' in before) return before;
    const verdict = await walk(before.files, options);
    if (verdict.ok || tries === TRIES || !['torn', 'dropped', 'unreadable'].includes(verdict.reason))
      return verdict;
    const after = await family(target);
    if ('ok' in after || after.signature === before.signature) return verdict;
  }
}

/** The files of a chain in their order, and what tells whether they have changed since. */
async function family(
  current: string,
): Promise<{ files: readonly string[]; signature: string } | AuditVerdict> {
  try {
    const files = (await filesInChainOrder(nodeFileOps, current)).map(({ path }) => path);
    const state = await nodeFileOps.state(current);
    if (state !== null || files.length === 0) files.push(current);
    return { files, signature: JSON.stringify([files, state]) };
  } catch (error) {
    return unreadable(current, error);
  }
}

async function walk(files: readonly string[], options: VerifyOptions): Promise<AuditVerdict> {
  const walk = new AuditWalk(options.anchor ?? null);
  const lines = placedLines(files);
  let reading = files[0] ?? '';
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      reading = next.value.file;
      const broken = await walk.take(next.value, lines);
      if (broken !== null) return broken;
    }
    return walk.end(files);
  } catch (error) {
    return unreadable(reading, error);
  } finally {
    await lines.return(undefined);
  }
}

/** A bug of ours is thrown on. */
function unreadable(file: string, error: unknown): AuditVerdict {
  const code = systemCode(error);
  if (code === null) throw error;
  const path = error instanceof Error && 'path' in error ? String(error.path) : file;
  const detail = `the file cannot be read (${code})`;
  return { ok: false, file: path, line: 0, seq: null, reason: 'unreadable', detail, last: null };
}
