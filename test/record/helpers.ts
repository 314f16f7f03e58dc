import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type FileOps, nodeFileOps, type OpenFile } from '../../src/record/file-ops.js';
import type { AuditRecord } from '../../src/record/index.js';

/** A directory that goes with the test. */
export async function scratch(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'assay-record-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export function auditRecord(id: string, time = '2025-03-01T12:00:00.000Z'): AuditRecord {
  return {
    time,
    request_id: id,
    sidecar: '0.1.0',
    tool: 'review_status',
    route: { method: 'GET', path: '/repos/{owner}' },
    request_sha256: 'a'.repeat(64),
    agent: null,
    contract: { name: 'review_status', version: '1.0.0', digest: 'b'.repeat(64) },
    config_digest: 'c'.repeat(64),
    upstream: 'https://api.example.test',
    attempts: [{ status: 200, ms: 12, wire_bytes: 300, decoded_bytes: 300, fault: null }],
    outcome: 'success',
    agent_code: null,
    operator_code: null,
    stage: null,
    fault: null,
    alternative: 0,
    body_sha256: 'd'.repeat(64),
    answer: { status: 200, sha256: 'e'.repeat(64), bytes: 80 },
    quarantine: null,
    stages_us: { forward: 11_000 },
  };
}

/** The lines of a file, without the empty piece after the last line feed. */
export async function linesOf(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export async function writeLines(file: string, lines: readonly string[]): Promise<void> {
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
}

/** Members of each line that say what it is. */
export async function parsedLines(file: string): Promise<Record<string, unknown>[]> {
  return (await linesOf(file)).map((line) => JSON.parse(line));
}

export async function idsIn(file: string): Promise<unknown[]> {
  return (await parsedLines(file)).filter((line) => 'request_id' in line).map((line) => line.request_id);
}

export async function namesIn(dir: string): Promise<string[]> {
  return (await readdir(dir)).sort();
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}

/** The real file system with counters, and with faults where a test sets them. */
export class TestOps implements FileOps {
  writes = 0;
  bytesWritten: number[] = [];
  syncs = 0;
  /** Given the bytes of a write to a file, an error to reject with, or a number of bytes to take at most. */
  onWrite: (path: string, bytes: Uint8Array) => Error | number | null = () => null;
  onSync: (path: string) => Error | null = () => null;
  onOpen: (path: string, how: string) => Error | null = () => null;
  onRename: (from: string) => Error | null = () => null;
  onRemove: (path: string) => Error | null = () => null;
  /** Awaited before each write to an audit file or an answer. */
  gate: () => Promise<void> = async () => undefined;

  async open(path: string, how: 'append' | 'create' | 'read'): Promise<OpenFile> {
    fail(this.onOpen(path, how));
    const file = await nodeFileOps.open(path, how);
    if (path.includes('.lock')) return file;
    return {
      read: (into, position) => file.read(into, position),
      state: () => file.state(),
      truncate: (size) => file.truncate(size),
      close: () => file.close(),
      datasync: async () => {
        this.syncs++;
        fail(this.onSync(path));
        await file.datasync();
      },
      write: async (bytes) => {
        await this.gate();
        this.writes++;
        const verdict = this.onWrite(path, bytes);
        if (verdict instanceof Error) throw verdict;
        const wrote = await file.write(verdict === null ? bytes : bytes.subarray(0, verdict));
        this.bytesWritten.push(wrote);
        return wrote;
      },
    };
  }

  state = nodeFileOps.state;
  entryState = nodeFileOps.entryState;
  list = nodeFileOps.list;
  makeDir = nodeFileOps.makeDir;
  makePrivateDir = nodeFileOps.makePrivateDir;
  syncDir = nodeFileOps.syncDir;
  touch = nodeFileOps.touch;

  async rename(from: string, to: string): Promise<void> {
    fail(this.onRename(from));
    await nodeFileOps.rename(from, to);
  }

  async remove(path: string): Promise<void> {
    fail(this.onRemove(path));
    await nodeFileOps.remove(path);
  }
}

function fail(error: Error | null): void {
  if (error !== null) throw error;
}

/** Tries until it holds; a test that waits for ever fails by the runner's timeout. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
}
