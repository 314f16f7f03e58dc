import { type FileHandle, open } from 'node:fs/promises';
import { filesInChainOrder } from './audit-family.js';
import type { ChainPoint } from './audit-line.js';
import { placedLines, type Source } from './audit-lines.js';
import type { AuditVerdict } from './audit-verdict.js';
import { AuditWalk } from './audit-walk.js';
import { fileState, nodeFileOps, systemCode } from './file-ops.js';

export interface VerifyOptions {
  /** A line that was noted earlier: the chain must contain it. */
  readonly anchor?: ChainPoint;
}

/** While a sidecar runs, its last write can be half done when we read it, and an old file can go: then again, so often. */
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
  if (typeof target !== 'string') {
    return walk(
      target.map((file) => ({ file })),
      options,
    );
  }
  for (let tries = 1; ; tries++) {
    const verdict = await verifyFamily(target, options);
    if (verdict.ok || tries === TRIES || !['torn', 'unreadable'].includes(verdict.reason)) return verdict;
  }
}

async function verifyFamily(current: string, options: VerifyOptions): Promise<AuditVerdict> {
  let handle: FileHandle | null = null;
  try {
    // Opened before the others are looked for: if it is rotated meanwhile, nothing is missed, and nothing read twice.
    handle = await openIfThere(current);
    const identity = handle && fileState(await handle.stat({ bigint: true })).identity;
    const sources: Source[] = [];
    for (const { path } of await filesInChainOrder(nodeFileOps, current)) {
      if (identity !== null && (await nodeFileOps.state(path))?.identity === identity) break;
      sources.push({ file: path });
    }
    if (handle !== null) sources.push({ file: current, handle });
    // Neither: reading it says why.
    else if (sources.length === 0) sources.push({ file: current });
    return await walk(sources, options);
  } catch (error) {
    return unreadable(current, error);
  } finally {
    await handle?.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function walk(sources: readonly Source[], options: VerifyOptions): Promise<AuditVerdict> {
  const walk = new AuditWalk(options.anchor ?? null);
  const lines = placedLines(sources);
  let reading = sources[0]?.file ?? '';
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      reading = next.value.file;
      const broken = await walk.take(next.value, lines);
      if (broken !== null) return broken;
    }
    return walk.end(sources.map(({ file }) => file));
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
