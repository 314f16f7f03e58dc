import { basename, dirname, extname, join } from 'node:path';
import { MAX_LINE_BYTES, readLine } from './audit-line.js';
import { type FileOps, readRange } from './file-ops.js';

const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds since the epoch, `YYYY-MM-DD`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A rotated file: `audit-2025-03-01.jsonl`, or `audit-2025-03-01.2.jsonl` where the day has several. */
export interface RotatedFile {
  readonly path: string;
  readonly day: string;
  readonly number: number;
}

/** Rotated files beside the current one, in the order of their names. */
export async function rotatedFiles(ops: FileOps, current: string): Promise<readonly RotatedFile[]> {
  const dir = dirname(current);
  const extension = extname(current);
  const stem = `${basename(current, extension)}-`;
  const found: RotatedFile[] = [];
  for (const name of await ops.list(dir)) {
    if (!name.startsWith(stem) || !name.endsWith(extension)) continue;
    const match = /^(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,5}))?$/.exec(
      name.slice(stem.length, name.length - extension.length),
    );
    if (match === null) continue;
    found.push({ path: join(dir, name), day: match[1] ?? '', number: Number(match[2] ?? 0) });
  }
  return found.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1));
}

/**
 * The same in the order of the chain: by the sequence number of their first lines, since a clock that was set back
 * gives names that are not in order. A file whose first line cannot be read keeps its place among the names.
 */
export async function filesInChainOrder(ops: FileOps, current: string): Promise<readonly RotatedFile[]> {
  const keyed: { file: RotatedFile; seq: number }[] = [];
  for (const file of await rotatedFiles(ops, current)) {
    keyed.push({ file, seq: (await firstSeq(ops, file.path)) ?? keyed.at(-1)?.seq ?? 0 });
  }
  return keyed.sort((a, b) => a.seq - b.seq).map(({ file }) => file);
}

/** Sequence number of the first line of a file, null where it has none. */
export async function firstSeq(ops: FileOps, path: string): Promise<number | null> {
  const file = await ops.open(path, 'read');
  try {
    const start = await readRange(file, 0, MAX_LINE_BYTES + 1);
    const end = start.indexOf(0x0a);
    const line = end < 0 ? null : readLine(start.subarray(0, end));
    return line === null || line === 'unchained' ? null : line.seq;
  } finally {
    await file.close();
  }
}

/** The name under which the current file leaves: that of its day, with the next number where the day has one already. */
export async function rotatedName(ops: FileOps, current: string, day: string): Promise<string> {
  const extension = extname(current);
  const stem = join(dirname(current), basename(current, extension));
  const taken = (await rotatedFiles(ops, current))
    .filter((file) => file.day === day)
    .map((file) => file.number);
  const number = taken.length === 0 ? 0 : Math.max(...taken) + 1;
  return `${stem}-${day}${number === 0 ? '' : `.${number}`}${extension}`;
}

/**
 * Removes the rotated files whose day ended more than `retainMs` ago: only from the oldest on, without a gap, so
 * that what stays is one chain. Gives how many went.
 */
export async function removeExpired(
  ops: FileOps,
  current: string,
  retainMs: number,
  now: number,
): Promise<number> {
  let removed = 0;
  for (const file of await filesInChainOrder(ops, current)) {
    const ended = Date.parse(`${file.day}T00:00:00Z`) + DAY_MS;
    // A name with a day that no calendar has is not one of ours: NaN compares false, and it stays.
    if (!(ended <= now - retainMs)) break;
    await ops.remove(file.path);
    removed++;
  }
  if (removed > 0) await ops.syncDir(dirname(current));
  return removed;
}
