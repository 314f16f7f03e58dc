import { join } from 'node:path';
import { type FileOps, nodeFileOps, systemCode, writeAll } from './file-ops.js';
import {
  encodeAnswer,
  pathOf,
  type QuarantinedAnswer,
  type QuarantineEntry,
  readQuarantined,
  readQuarantineEntry,
  refOfName,
} from './quarantine-file.js';
import { type IndexEntry, QuarantineIndex } from './quarantine-index.js';
import type { QuarantineItem } from './quarantine-item.js';
import { makeRef, TEMPORARY } from './quarantine-name.js';
import type { Quarantine, QuarantineDeps, QuarantineOptions } from './quarantine-options.js';

/** Answers on their way to the disk; beyond that `keep` gives null. They are the memory that quarantine takes. */
const MAX_PENDING = 64;
const RETRY_MS = { first: 1_000, most: 60_000 };
const EXPIRY_MS = 60_000;

/**
 * Opens the directory for one process and takes over what is in it, removing what is too old or too much. Files that are
 * not named like ours, and directories and links whatever their name, are left alone and not counted. Rejects with the
 * system's error.
 */
export async function openQuarantine(
  options: QuarantineOptions,
  deps: QuarantineDeps = {},
): Promise<Quarantine> {
  const store = new QuarantineStore(options, deps);
  await store.open();
  return store;
}

type Task =
  | { readonly do: 'write'; readonly entry: IndexEntry; readonly bytes: Buffer }
  | { readonly do: 'remove'; readonly entry: IndexEntry };

/**
 * `keep` decides at once, in memory: it reserves the bytes and names what has to go. One worker then does it on disk in
 * the same order, so that at no moment more is on disk than the total.
 */
class QuarantineStore implements Quarantine {
  readonly #options: QuarantineOptions;
  readonly #ops: FileOps;
  readonly #now: () => number;
  readonly #maxPending: number;
  readonly #maxCount: number;
  readonly #retryMs: { readonly first: number; readonly most: number };
  readonly #onTrouble: (what: 'write' | 'remove', error: unknown) => void;
  readonly #index = new QuarantineIndex();
  readonly #tasks: Task[] = [];
  #pending = 0;
  #worker: Promise<void> | null = null;
  #failures = 0;
  #pausedUntil = 0;
  #closed = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: QuarantineOptions, deps: QuarantineDeps) {
    this.#options = options;
    this.#ops = deps.ops ?? nodeFileOps;
    this.#now = deps.now ?? Date.now;
    this.#maxPending = deps.maxPending ?? MAX_PENDING;
    // A file takes a block of the disk however small it is: many tiny answers must not take more than the total either.
    this.#maxCount = Math.max(1_024, Math.ceil(options.totalBytes / 4_096));
    this.#retryMs = deps.retryMs ?? RETRY_MS;
    this.#onTrouble = deps.onTrouble ?? (() => undefined);
  }

  get usedBytes(): number {
    return this.#index.used;
  }

  get count(): number {
    return this.#index.count;
  }

  async open(): Promise<void> {
    const { dir, totalBytes, retainMs } = this.#options;
    await this.#ops.makePrivateDir(dir);
    const sizes = new Map<string, number>();
    for (const name of await this.#ops.list(dir)) {
      const left = name.endsWith(TEMPORARY) && refOfName(name.slice(0, -TEMPORARY.length)) !== null;
      const ref = refOfName(name);
      if (!left && ref === null) continue;
      const state = await this.#ops.entryState(join(dir, name));
      if (state?.regular !== true) continue;
      if (ref !== null) sizes.set(ref, state.size);
      // A write that a crash cut short.
      else await this.#ops.remove(join(dir, name));
    }
    for (const ref of [...sizes.keys()].sort()) this.#index.make(ref, sizes.get(ref) ?? 0, true);
    this.#expire();
    this.#makeRoom(0, totalBytes);
    await this.#settled();
    this.#timer = setInterval(() => this.#expire(), Math.max(1_000, Math.min(retainMs, EXPIRY_MS))).unref();
  }

  keep(item: QuarantineItem): string | null {
    try {
      if (this.#closed || this.#pending >= this.#maxPending || performance.now() < this.#pausedUntil)
        return null;
      const { itemBytes, totalBytes } = this.#options;
      const ref = makeRef(item.time, item.requestId, (name) => this.#index.has(name));
      if (ref === null) return null;
      const bytes = encodeAnswer(ref, item, itemBytes);
      if (bytes.length > totalBytes) return null;
      this.#expire();
      this.#makeRoom(bytes.length, totalBytes);
      const entry = this.#index.make(ref, bytes.length, false);
      this.#pending++;
      this.#give({ do: 'write', entry, bytes });
      return ref;
    } catch {
      return null;
    }
  }

  async list(): Promise<readonly QuarantineEntry[]> {
    this.#expire();
    await this.#settled();
    const entries: QuarantineEntry[] = [];
    for (const ref of this.#index.stored()) {
      const entry = await readQuarantineEntry(this.#options.dir, ref, this.#ops);
      if (entry !== null) entries.push(entry);
    }
    return entries;
  }

  async read(ref: string): Promise<QuarantinedAnswer | null> {
    this.#expire();
    await this.#settled();
    return this.#index.has(ref) ? readQuarantined(this.#options.dir, ref, this.#ops) : null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#settled();
  }

  #makeRoom(bytes: number, totalBytes: number): void {
    const over = () => this.#index.used + bytes > totalBytes || this.#index.count >= this.#maxCount;
    for (let entry = this.#index.oldest; entry !== undefined && over(); entry = this.#index.oldest)
      this.#evict(entry);
  }

  #expire(): void {
    const ended = this.#now() - this.#options.retainMs;
    for (
      let entry = this.#index.oldest;
      entry !== undefined && entry.time <= ended;
      entry = this.#index.oldest
    ) {
      this.#evict(entry);
    }
  }

  #evict(entry: IndexEntry): void {
    this.#index.remove(entry);
    this.#give({ do: 'remove', entry });
  }

  #give(task: Task): void {
    this.#tasks.push(task);
    this.#worker ??= this.#work();
  }

  async #settled(): Promise<void> {
    while (this.#worker !== null) await this.#worker;
  }

  async #work(): Promise<void> {
    await null;
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      if (task.do === 'remove') await this.#remove(task.entry);
      else await this.#write(task.entry, task.bytes);
    }
    this.#worker = null;
  }

  async #remove(entry: IndexEntry): Promise<void> {
    try {
      await this.#ops.remove(pathOf(this.#options.dir, entry.ref));
    } catch (error) {
      // It is still there, so it still counts, and is the first to go when there is need again.
      if (entry.stored) this.#index.add(entry);
      this.#failed('remove', error);
    }
  }

  async #write(entry: IndexEntry, bytes: Buffer): Promise<void> {
    try {
      // Evicted before its turn, or what should have made room for it did not go.
      if (!this.#index.holds(entry)) return;
      if (this.#index.used > this.#options.totalBytes) {
        this.#index.remove(entry);
        return;
      }
      await this.#writeFile(entry.ref, bytes);
      entry.stored = true;
      this.#failures = 0;
    } catch (error) {
      this.#index.remove(entry);
      this.#failed('write', error);
    } finally {
      this.#pending--;
    }
  }

  /** Under another name first: a file that bears a reference is complete. */
  async #writeFile(ref: string, bytes: Buffer): Promise<void> {
    const path = pathOf(this.#options.dir, ref);
    const file = await this.#create(`${path}${TEMPORARY}`);
    try {
      await writeAll(file, bytes).finally(() => file.close());
      await this.#ops.rename(`${path}${TEMPORARY}`, path);
    } catch (error) {
      await this.#ops.remove(`${path}${TEMPORARY}`).catch(() => undefined);
      throw error;
    }
  }

  async #create(path: string) {
    try {
      return await this.#ops.open(path, 'create');
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      // The directory was removed, and what was in it.
      await this.#ops.makePrivateDir(this.#options.dir);
      this.#index.forgetStored();
      return await this.#ops.open(path, 'create');
    }
  }

  /** Takes nothing for a while, then tries again. */
  #failed(what: 'write' | 'remove', error: unknown): void {
    const { first, most } = this.#retryMs;
    this.#pausedUntil = performance.now() + Math.min(most, first * 2 ** Math.min(this.#failures++, 20));
    try {
      this.#onTrouble(what, error);
    } catch {
      // A listener that throws must not stop the worker.
    }
  }
}
