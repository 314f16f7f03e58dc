import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type FileOps, type OpenFile, readRange, systemCode, writeAll } from './file-ops.js';

/** Times of a lock, in milliseconds. */
export interface LockTimes {
  /** The owner touches the lock file so often. */
  readonly beatMs: number;
  /** A lock of another container or host that is not touched for so long is taken to be left over. */
  readonly patienceMs: number;
}

/** How long another process is given to replace a leftover, in milliseconds. */
const GUARD_MS = 20;

export const LOCK_TIMES: LockTimes = { beatMs: 2_000, patienceMs: 7_000 };

/** Someone else owns what was to be opened. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
}

/** Who made a lock file. */
interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Boot and process-ID namespace: where they are equal, process IDs mean the same. Null where unknown. */
  readonly place: string | null;
  /** Start of the process in clock ticks since boot, since process IDs come round again. Null where unknown. */
  readonly started: string | null;
}

/**
 * A lock file that lets one process at a time own a set of files. Where a leftover was made by a process whose end
 * can be seen (same boot, same process-ID namespace) it is replaced at once; otherwise (a container that was killed)
 * only after it has not been touched for `patienceMs`.
 */
export class OwnerLock {
  readonly #path: string;
  readonly #ops: FileOps;
  readonly #times: LockTimes;
  readonly #self: Owner;

  private constructor(path: string, ops: FileOps, times: LockTimes) {
    this.#path = path;
    this.#ops = ops;
    this.#times = times;
    this.#self = {
      id: randomUUID(),
      pid: process.pid,
      host: hostname(),
      place: place(),
      started: started(process.pid),
    };
  }

  /** Takes the lock. Rejects with LockHeldError, or with what the file system says. */
  static async take(path: string, ops: FileOps, times: LockTimes = LOCK_TIMES): Promise<OwnerLock> {
    const lock = new OwnerLock(path, ops, times);
    await lock.#take(true);
    return lock;
  }

  /** Sees that the lock is still ours and touches it; takes it again where it was removed. Rejects as `take`, without waiting. */
  async keep(): Promise<void> {
    const found = await this.#read();
    if (found === null) await this.#take(false);
    else if (found.owner?.id === this.#self.id) await this.#ops.touch(this.#path);
    else throw this.#held(found.owner);
  }

  /** Removes the lock if it is still ours. */
  async release(): Promise<void> {
    const found = await this.#read();
    if (found?.owner?.id === this.#self.id) await this.#ops.remove(this.#path);
  }

  async #take(wait: boolean): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      if (await this.#create()) return;
      const found = await this.#read();
      if (found === null) continue;
      if (found.owner?.id === this.#self.id) return;
      if (!(await this.#leftOver(found, wait))) throw this.#held(found.owner);
      await this.#replace(found.text);
    }
    throw this.#held(null);
  }

  async #create(path = this.#path): Promise<boolean> {
    let file: OpenFile;
    try {
      file = await this.#ops.open(path, 'create');
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      await writeAll(file, Buffer.from(`${JSON.stringify(this.#self)}\n`));
      return true;
    } catch (error) {
      await this.#ops.remove(path);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #read(): Promise<{ text: string; owner: Owner | null } | null> {
    try {
      const file = await this.#ops.open(this.#path, 'read');
      try {
        const text = (await readRange(file, 0, 4_096)).toString('utf8');
        return { text, owner: parseOwner(text) };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async #leftOver(found: { text: string; owner: Owner | null }, wait: boolean): Promise<boolean> {
    const { owner } = found;
    if (owner !== null && owner.host === this.#self.host && owner.place === this.#self.place) {
      return !alive(owner.pid) || started(owner.pid) !== owner.started;
    }
    if (!wait) return false;
    const before = await this.#ops.state(this.#path);
    const until = performance.now() + this.#times.patienceMs;
    while (performance.now() < until) {
      await pause(Math.min(this.#times.beatMs, this.#times.patienceMs));
      const now = await this.#ops.state(this.#path);
      if (now === null) return true;
      if (before === null || now.stamp !== before.stamp || now.identity !== before.identity) return false;
    }
    return true;
  }

  /**
   * Replaces the judged leftover by our lock. Only who holds the guard may remove a lock that is not its own, and looks
   * again before it does: what it finds then is still the leftover, or someone else was first and owns it.
   */
  async #replace(judged: string): Promise<void> {
    const guard = `${this.#path}.take`;
    if (!(await this.#create(guard))) {
      await pause(GUARD_MS);
      return;
    }
    try {
      if ((await this.#read())?.text !== judged) return;
      await this.#ops.remove(this.#path);
      await this.#create();
    } finally {
      await this.#ops.remove(guard);
    }
  }

  #held(owner: Owner | null): LockHeldError {
    const who =
      owner === null
        ? `an unknown process (${this.#path}.take, if it stays, is left over from a crash: remove it)`
        : `process ${owner.pid} on ${owner.host}`;
    return new LockHeldError(`${this.#path} is held by ${who}: two sidecars cannot share these files`);
  }
}

function parseOwner(text: string): Owner | null {
  try {
    const value: Partial<Owner> = JSON.parse(text);
    const { id, pid, host, place = null, started = null } = value;
    if (typeof id !== 'string' || typeof pid !== 'number' || typeof host !== 'string') return null;
    return { id, pid, host, place, started };
  } catch {
    return null;
  }
}

/** Linux only: elsewhere null, and hosts are told apart by name alone. */
function place(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

/**
 * Fields 3 and 22 of /proc/PID/stat (proc(5)); the second field, the name, may hold spaces and brackets. A process
 * that has ended and waits to be collected (state Z) has no start any more.
 */
function started(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
