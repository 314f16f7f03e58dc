import { type BigIntStats, constants } from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  stat,
  unlink,
  utimes,
} from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the record floor needs of a file system; a test puts a failing disk in its place. All may reject. */
export interface FileOps {
  /**
   * `append`: for appending and reading, created with mode 0600 where absent and set to it where present.
   * `create`: for writing, mode 0600, rejects with EEXIST where present. `read`: for reading.
   */
  open(path: string, how: 'append' | 'create' | 'read'): Promise<OpenFile>;
  /** State of what the path leads to; null where nothing is there. */
  state(path: string): Promise<FileState | null>;
  /** The same of the entry itself: a symbolic link is not followed. */
  entryState(path: string): Promise<FileState | null>;
  /** Names in a directory, in no order. */
  list(dir: string): Promise<readonly string[]>;
  /** Creates a directory and its parents with mode 0700 and syncs what holds them; present is fine. */
  makeDir(dir: string): Promise<void>;
  /** `makeDir`, and sets the directory itself to mode 0700. */
  makePrivateDir(dir: string): Promise<void>;
  /** Makes created, renamed and removed entries of a directory durable. */
  syncDir(dir: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Absent is fine. */
  remove(path: string): Promise<void>;
  /** Sets the modification time to now. */
  touch(path: string): Promise<void>;
}

export interface OpenFile {
  /** Writes once; resolves how many bytes went out, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Reads once from a byte offset; resolves how many bytes came, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** fdatasync(2). */
  datasync(): Promise<void>;
  truncate(size: number): Promise<void>;
  state(): Promise<FileState>;
  close(): Promise<void>;
}

export interface FileState {
  /** Device and inode: equal means the same file. */
  readonly identity: string;
  /** Bytes. */
  readonly size: number;
  /** A regular file. */
  readonly regular: boolean;
  /** Modification time and change time, for "has it been touched since". */
  readonly stamp: string;
}

/** The system's error code (`ENOSPC`), or null where the value is no system error. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Writes all of the bytes, however few go out at a time. */
export async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const wrote = await file.write(bytes.subarray(done));
    if (wrote <= 0) throw new Error('a write took no bytes');
    done += wrote;
  }
}

/** Reads `length` bytes from an offset, fewer only where the file ends. */
export async function readRange(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const got = await file.read(into.subarray(done), position + done);
    if (got === 0) break;
    done += got;
  }
  return into.subarray(0, done);
}

class NodeFile implements OpenFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(bytes: Uint8Array): Promise<number> {
    return (await this.#handle.write(bytes)).bytesWritten;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    return (await this.#handle.read(into, 0, into.length, position)).bytesRead;
  }

  datasync(): Promise<void> {
    return this.#handle.datasync();
  }

  truncate(size: number): Promise<void> {
    return this.#handle.truncate(size);
  }

  async state(): Promise<FileState> {
    return fileState(await this.#handle.stat({ bigint: true }));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const FLAGS = { append: O_RDWR | O_CREAT | O_APPEND, create: O_WRONLY | O_CREAT | O_EXCL, read: O_RDONLY };
const FILE_MODE = 0o600;

/** The real file system. */
export const nodeFileOps: FileOps = {
  async open(path, how) {
    const handle = await open(path, FLAGS[how], FILE_MODE);
    try {
      if (how === 'append') await handle.chmod(FILE_MODE);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new NodeFile(handle);
  },
  state: (path) => absentAsNull(stat(path, { bigint: true }).then(fileState)),
  entryState: (path) => absentAsNull(lstat(path, { bigint: true }).then(fileState)),
  list: (dir) => readdir(dir),
  makeDir,
  async makePrivateDir(dir) {
    await makeDir(dir);
    if (((await stat(dir)).mode & 0o777) !== 0o700) await chmod(dir, 0o700);
  },
  syncDir,
  rename,
  async remove(path) {
    await absentAsNull(unlink(path));
  },
  async touch(path) {
    const now = new Date();
    await utimes(path, now, now);
  },
};

async function makeDir(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = dir; ; at = dirname(at)) {
    await syncDir(dirname(at));
    if (at === first || at === dirname(at)) return;
  }
}

/** Not every file system can sync a directory; those that cannot say so with EINVAL and the like. */
async function syncDir(dir: string): Promise<void> {
  const handle = await open(dir, O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

export function fileState(stats: BigIntStats): FileState {
  return {
    identity: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    regular: stats.isFile(),
    stamp: `${stats.mtimeNs}:${stats.ctimeNs}`,
  };
}

async function absentAsNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
