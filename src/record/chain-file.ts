import { dirname } from 'node:path';
import { filesInChainOrder, removeExpired, rotatedName, utcDay } from './audit-family.js';
import { type ChainPoint, chainedLine, GENESIS, sealBody } from './audit-line.js';
import { NotAnAuditFileError, pointOf, readTail } from './audit-tail.js';
import { type FileOps, type OpenFile, readRange, writeAll } from './file-ops.js';
import { type LockTimes, OwnerLock } from './owner-lock.js';

/** After a rotation that failed, the day's file goes on for so long before the next try. */
const ROTATE_AGAIN_MS = 60_000;

export interface ChainFileOptions {
  readonly file: string;
  /** Undefined: rotated files are kept for ever. */
  readonly retainMs: number | undefined;
  readonly ops: FileOps;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly lockTimes: LockTimes;
  /** Told what failed without failing a write: rotation, retention. */
  readonly onTrouble: (what: 'rotation' | 'retention', error: unknown) => void;
}

/**
 * The audit file and the end of its chain. One call at a time: the caller's writer loop sees to that. After a call
 * that rejected, nothing of it counts: its bytes are cut off again, `head` is as before, and `reopen` has to succeed
 * before the next write.
 */
export class ChainFile {
  readonly #options: ChainFileOptions;
  readonly #lock: OwnerLock;
  #handle: OpenFile;
  #identity = '';
  /** Bytes that are chained; what lies beyond is a write that failed. */
  #size = 0;
  #head: ChainPoint = GENESIS;
  /** UTC day of the current file's lines. */
  #day = '';
  #rotateFrom = 0;
  #failed: Buffer | null = null;

  private constructor(options: ChainFileOptions, lock: OwnerLock, handle: OpenFile) {
    this.#options = options;
    this.#lock = lock;
    this.#handle = handle;
  }

  /**
   * Takes the lock, opens or creates the file, and finds the end of the chain: in this file, or where it is new in the
   * rotated one before it. A torn end is sealed. Rejects with LockHeldError, NotAnAuditFileError or the system's error.
   */
  static async open(options: ChainFileOptions): Promise<ChainFile> {
    const { file, ops, lockTimes } = options;
    await ops.makeDir(dirname(file));
    const lock = await OwnerLock.take(`${file}.lock`, ops, lockTimes);
    try {
      const handle = await ops.open(file, 'append');
      const chain = new ChainFile(options, lock, handle);
      try {
        await chain.#resume();
      } catch (error) {
        await handle.close();
        throw error;
      }
      return chain;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** The last line that is written. */
  get head(): ChainPoint {
    return this.#head;
  }

  /** Sees that the lock is still ours. Rejects where it is not. */
  keepLock(): Promise<void> {
    return this.#lock.keep();
  }

  /**
   * Chains JSON objects to the file in one write. `durable`: resolves when they are on disk (fdatasync) under the
   * file's name.
   */
  async append(bodies: readonly string[], durable: boolean): Promise<void> {
    await this.#inPlace();
    const day = utcDay(this.#options.now());
    // A day that comes before the file's is a clock set back: it gets its own file too, under its own name.
    if (day !== this.#day) {
      if (this.#size === 0) this.#day = day;
      else await this.#rotate(day);
    }
    let head = this.#head;
    let lines = '';
    for (const body of bodies) {
      const { line, point } = chainedLine(head, body);
      lines += `${line}\n`;
      head = point;
    }
    await this.#write(Buffer.from(lines), durable);
    this.#head = head;
  }

  /** Makes what is written durable. */
  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  /**
   * After a failure: opens the file anew, creating it and its directory where they are gone, and cuts off what the failed
   * write left. Rejects while that cannot be done, and where the file does not end this chain.
   */
  async reopen(): Promise<void> {
    const { file, ops } = this.#options;
    await ops.makeDir(dirname(file));
    await this.#lock.keep();
    const handle = await ops.open(file, 'append');
    try {
      const state = await handle.state();
      const { identity } = state;
      let { size } = state;
      if (identity === this.#identity && (await this.#cutFailed(handle, size))) size = this.#size;
      if (size === 0) {
        await ops.syncDir(dirname(file));
        this.#day = utcDay(this.#options.now());
      } else if (identity !== this.#identity || size !== this.#size) {
        const { last, unended, torn } = await readTail(handle, size);
        if (unended || torn !== null || last?.sha256 !== this.#head.sha256) {
          throw new Error(`${file} was replaced or changed by someone else; move it away`);
        }
      }
      await this.#handle.close().catch(() => undefined);
      this.#handle = handle;
      this.#identity = identity;
      this.#size = size;
      this.#failed = null;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Syncs, closes, and gives the lock back. */
  async close(): Promise<void> {
    try {
      await this.#handle.datasync();
    } finally {
      await this.#handle.close().finally(() => this.#lock.release());
    }
  }

  async #resume(): Promise<void> {
    const { file, ops, now, retainMs } = this.#options;
    const { identity, size, regular } = await this.#handle.state();
    if (!regular) throw new NotAnAuditFileError(`${file} is not a regular file`);
    this.#identity = identity;
    this.#size = size;
    const { last, unended, torn } = await readTail(this.#handle, size);
    this.#head = last === null ? await this.#headBefore() : pointOf(last);
    const written = Date.parse(last?.time ?? '');
    this.#day = utcDay(Number.isNaN(written) ? now() : written);
    if (size === 0) await ops.syncDir(dirname(file));
    if (unended) await this.#write(Buffer.from('\n'), true);
    if (torn !== null) {
      const { line, point } = chainedLine(
        this.#head,
        sealBody(now(), { bytes: torn.bytes, sha256: torn.sha256 }),
      );
      await this.#write(Buffer.from(`${torn.endsLine ? '' : '\n'}${line}\n`), true);
      this.#head = point;
    }
    if (retainMs !== undefined) await this.#expire(retainMs);
  }

  /** The end of the newest rotated file: the first line of a new file goes on from there. */
  async #headBefore(): Promise<ChainPoint> {
    const { file, ops } = this.#options;
    const newest = (await filesInChainOrder(ops, file)).at(-1);
    if (newest === undefined) return GENESIS;
    const handle = await ops.open(newest.path, 'read');
    try {
      return pointOf((await readTail(handle, (await handle.state()).size)).last);
    } finally {
      await handle.close();
    }
  }

  /** The name must lead to the file we hold, and nobody else may have written: else a record would go where nobody looks. */
  async #inPlace(): Promise<void> {
    const state = await this.#options.ops.state(this.#options.file);
    if (state?.identity !== this.#identity || state.size !== this.#size) await this.reopen();
  }

  async #write(bytes: Buffer, durable: boolean): Promise<void> {
    try {
      await writeAll(this.#handle, bytes);
      if (durable) {
        await this.#handle.datasync();
        const state = await this.#options.ops.state(this.#options.file);
        if (state?.identity !== this.#identity)
          throw new Error('the audit file was removed while it was written');
      }
    } catch (error) {
      // A sync that failed may have dropped pages, so even whole lines are not trusted: they go and are never believed.
      this.#failed = bytes;
      await this.#undo().catch(() => undefined);
      throw error;
    }
    this.#size += bytes.length;
  }

  async #undo(): Promise<void> {
    if (await this.#cutFailed(this.#handle, (await this.#handle.state()).size)) this.#failed = null;
  }

  /** Cuts off what a failed write left, if it is exactly that. Tells whether the file now ends where the chain does. */
  async #cutFailed(handle: OpenFile, size: number): Promise<boolean> {
    const extra = size - this.#size;
    if (extra === 0) return true;
    if (this.#failed === null || extra < 0 || extra > this.#failed.length) return false;
    const found = await readRange(handle, this.#size, extra);
    if (!found.equals(this.#failed.subarray(0, extra))) return false;
    await handle.truncate(this.#size);
    return true;
  }

  async #rotate(day: string): Promise<void> {
    const { file, ops, now, retainMs, onTrouble } = this.#options;
    if (now() < this.#rotateFrom) return;
    await this.#handle.datasync();
    try {
      await ops.rename(file, await rotatedName(ops, file, this.#day));
    } catch (error) {
      this.#rotateFrom = now() + ROTATE_AGAIN_MS;
      onTrouble('rotation', error);
      return;
    }
    const handle = await ops.open(file, 'append');
    await this.#handle.close().catch(() => undefined);
    this.#handle = handle;
    const { identity, size } = await handle.state();
    this.#identity = identity;
    this.#size = size;
    this.#day = day;
    await ops.syncDir(dirname(file));
    if (retainMs !== undefined) await this.#expire(retainMs);
  }

  async #expire(retainMs: number): Promise<void> {
    const { file, ops, now, onTrouble } = this.#options;
    try {
      await removeExpired(ops, file, retainMs, now());
    } catch (error) {
      onTrouble('retention', error);
    }
  }
}
