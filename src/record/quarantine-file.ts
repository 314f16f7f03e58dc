import { join } from 'node:path';
import { sha256Hex } from './digest.js';
import { cut } from './fault-record.js';
import { type FileOps, nodeFileOps, readRange, systemCode } from './file-ops.js';
import type { QuarantineItem } from './quarantine-item.js';
import { ENDING, isRef } from './quarantine-name.js';

/** What is kept of the response headers: UTF-16 units of names and values together. */
const HEADER_UNITS = 16 * 1024;
/** More than a header line can have: every unit kept escaped to six bytes. */
const MAX_HEADER_BYTES = 128 * 1024;

/** First line of a retained answer's file, JSON; the body's bytes follow its line feed. */
export interface QuarantineEntry {
  readonly ref: string;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly request_id: string;
  readonly tool: string;
  readonly status: number;
  /** Operator code. */
  readonly code: string;
  readonly instance: string | null;
  /** The body went on after what is kept. */
  readonly truncated: boolean;
  readonly body_bytes: number;
  /** Over what is kept. */
  readonly body_sha256: string;
  /** Header lines after those kept were left out: they were too long together. */
  readonly headers_truncated: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface QuarantinedAnswer extends QuarantineEntry {
  readonly body: Buffer;
}

/** The bytes of a file: one JSON line, and at most `itemBytes` of the body as they are. */
export function encodeAnswer(ref: string, item: QuarantineItem, itemBytes: number): Buffer {
  const body = item.body.subarray(0, itemBytes);
  const headers: (readonly [string, string])[] = [];
  let units = 0;
  for (const [name, value] of item.headers) {
    // The brackets, quotes and commas of a line count as well.
    units += name.length + value.length + 8;
    if (units > HEADER_UNITS) break;
    headers.push([name, value]);
  }
  const entry: QuarantineEntry = {
    ref,
    time: new Date(item.time).toISOString(),
    request_id: cut(item.requestId, 256),
    tool: cut(item.tool, 256),
    status: item.status,
    code: cut(item.code, 64),
    instance: item.instance === null ? null : cut(item.instance, 1_024),
    truncated: item.truncated || body.length < item.body.length,
    body_bytes: body.length,
    body_sha256: sha256Hex(body),
    headers_truncated: headers.length < item.headers.length,
    headers,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(entry)}\n`), body]);
}

/** Everything of one retained answer; null where it is not there (any more), or not whole. */
export async function readQuarantined(
  dir: string,
  ref: string,
  ops: FileOps = nodeFileOps,
): Promise<QuarantinedAnswer | null> {
  const bytes = await readStart(dir, ref, ops, null);
  if (bytes === null) return null;
  const entry = parseEntry(ref, bytes);
  if (entry === null) return null;
  const body = bytes.subarray(bytes.indexOf(0x0a) + 1);
  if (body.length !== entry.body_bytes || sha256Hex(body) !== entry.body_sha256) return null;
  return { ...entry, body };
}

/** The first line of one retained answer; null where it is not there (any more), or cannot be read. */
export async function readQuarantineEntry(
  dir: string,
  ref: string,
  ops: FileOps,
): Promise<QuarantineEntry | null> {
  const bytes = await readStart(dir, ref, ops, MAX_HEADER_BYTES);
  return bytes === null ? null : parseEntry(ref, bytes);
}

/**
 * The retained answers of a directory, oldest first, without their bodies. Needs no ownership: a command can look while
 * the sidecar runs. Rejects with the system's error where the directory cannot be read.
 */
export async function listQuarantined(
  dir: string,
  ops: FileOps = nodeFileOps,
): Promise<readonly QuarantineEntry[]> {
  const refs = (await ops.list(dir)).map(refOfName).filter((ref) => ref !== null);
  const entries: QuarantineEntry[] = [];
  for (const ref of refs.sort()) {
    const entry = await readQuarantineEntry(dir, ref, ops);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

/** The reference that a file name stands for; null where it is not one of ours. */
export function refOfName(name: string): string | null {
  const ref = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : '';
  return isRef(ref) ? ref : null;
}

export function pathOf(dir: string, ref: string): string {
  return join(dir, `${ref}${ENDING}`);
}

async function readStart(
  dir: string,
  ref: string,
  ops: FileOps,
  most: number | null,
): Promise<Buffer | null> {
  if (!isRef(ref)) return null;
  const path = pathOf(dir, ref);
  // A symbolic link or a directory of that name is not ours.
  if ((await ops.entryState(path))?.regular !== true) return null;
  try {
    const file = await ops.open(path, 'read');
    try {
      const { size } = await file.state();
      return await readRange(file, 0, most === null ? size : Math.min(size, most));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function parseEntry(ref: string, bytes: Buffer): QuarantineEntry | null {
  const end = bytes.indexOf(0x0a);
  if (end < 0) return null;
  try {
    const entry: QuarantineEntry = JSON.parse(bytes.toString('utf8', 0, end));
    return entry.ref === ref && Array.isArray(entry.headers) && typeof entry.body_bytes === 'number'
      ? entry
      : null;
  } catch {
    return null;
  }
}
