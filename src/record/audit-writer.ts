import { type ChainPoint, type Gap, gapBody, recordBody } from './audit-line.js';
import {
  AUDIT_FLUSH_MS,
  AUDIT_SYNC_MS,
  type AuditFile,
  type AuditFileDeps,
  type AuditFileOptions,
} from './audit-options.js';
import type { AuditRecord } from './audit-record.js';
import type { ChainFile } from './chain-file.js';
import { systemCode } from './file-ops.js';

const DEFAULT_PENDING = 10_000;
/** Async mode writes at once when so many records wait. */
const FLUSH_RECORDS = 1_000;
/** Records go into one write until it has about so many bytes. */
const BATCH_BYTES = 1024 * 1024;

interface Waiting {
  /** What makes the body; called once, and then let go: it holds the whole call. */
  record: (() => AuditRecord) | null;
  body: string | null;
  /** Durable mode: who waits for it. */
  readonly done: ((kept: boolean) => void) | null;
}

interface Batch {
  readonly waiting: readonly Waiting[];
  /** What the gap line in it says, if there is one. */
  readonly gap: Gap | null;
}

type WriterDeps = Required<Pick<AuditFileDeps, 'now' | 'onTrouble' | 'retryMs' | 'lockTimes'>>;

const KEPT = Promise.resolve(true);
const REFUSED = Promise.resolve(false);

/** One loop writes; what is appended while a write is under way goes out in the next one, with one sync for all. */
export class AuditWriter implements AuditFile {
  readonly #chain: ChainFile;
  readonly #durable: boolean;
  readonly #maxPending: number;
  readonly #deps: WriterDeps;
  readonly #beat: NodeJS.Timeout;
  #queue: Waiting[] = [];
  #underWay = 0;
  /** Appends answered false that no gap line tells of yet. */
  #refused: Gap | null = null;
  #loop: Promise<void> | null = null;
  #flushTimer: NodeJS.Timeout | null = null;
  #syncTimer: NodeJS.Timeout | null = null;
  #syncDue = false;
  #lockLost: unknown = null;
  #broken: { readonly code: string; readonly retries: number } | null = null;
  #retryTimer: NodeJS.Timeout | null = null;
  #closed = false;
  #closing: Promise<void> | null = null;

  constructor(chain: ChainFile, options: AuditFileOptions, deps: WriterDeps) {
    this.#chain = chain;
    this.#durable = options.durability === 'durable';
    this.#maxPending = options.maxPending ?? DEFAULT_PENDING;
    this.#deps = deps;
    this.#beat = setInterval(() => this.#keepLock(), deps.lockTimes.beatMs).unref();
  }

  get head(): ChainPoint {
    return this.#chain.head;
  }

  get pending(): number {
    return this.#queue.length + this.#underWay;
  }

  get writable(): boolean {
    return !this.#closed && this.#broken === null && this.pending < this.#maxPending;
  }

  append(record: AuditRecord | (() => AuditRecord)): Promise<boolean> {
    if (this.#closed) return REFUSED;
    // In async mode the queue keeps taking records while the disk does not.
    if ((this.#durable && this.#broken !== null) || this.pending >= this.#maxPending) {
      this.#countRefused(1, this.#broken?.code ?? 'full');
      return REFUSED;
    }
    // Nobody waits for it: it is made when it is written, many at a time, which costs a third of making each between
    // two other pieces of work. But a whole call is held until then, which must not go on for as long as a disk is full.
    const isSoon = this.#broken === null && this.#queue.length < FLUSH_RECORDS;
    if (!this.#durable && isSoon && typeof record === 'function') {
      this.#queue.push({ record, body: null, done: null });
      this.#schedule();
      return KEPT;
    }
    const body = recordBody(typeof record === 'function' ? record() : record);
    if (!this.#durable) {
      this.#queue.push({ record: null, body, done: null });
      this.#schedule();
      return KEPT;
    }
    return new Promise((done) => {
      this.#queue.push({ record: null, body, done });
      this.#schedule();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Has the loop run when there is reason: at once, or in async mode when enough is queued or the time is up. */
  #schedule(): void {
    if (this.#durable || this.#closed || this.#refused !== null || this.#queue.length >= FLUSH_RECORDS) {
      this.#wake();
    } else {
      this.#flushTimer ??= setTimeout(() => {
        this.#flushTimer = null;
        this.#wake();
      }, AUDIT_FLUSH_MS);
    }
  }

  #wake(): void {
    if (this.#retryTimer === null) this.#loop ??= this.#run();
  }

  async #run(): Promise<void> {
    // Let the appends of this turn come together.
    await null;
    while (await this.#step());
    this.#loop = null;
    if (this.#broken === null && this.#hasWork()) this.#schedule();
  }

  #hasWork(): boolean {
    return this.#queue.length > 0 || this.#refused !== null;
  }

  /** One write. Tells whether to go on at once. */
  async #step(): Promise<boolean> {
    let batch: Batch | null = null;
    try {
      if (this.#lockLost !== null) {
        const lost = this.#lockLost;
        this.#lockLost = null;
        throw lost;
      }
      if (this.#broken !== null) await this.#chain.reopen();
      batch = this.#take();
      if (batch !== null) {
        await this.#chain.append(this.#bodies(batch), this.#durable);
        this.#settle(batch);
        batch = null;
      }
      if (this.#syncDue) {
        this.#syncDue = false;
        await this.#chain.sync();
      }
      if (this.#broken !== null) {
        this.#broken = null;
        this.#deps.onTrouble('recovered', null);
      }
      if (this.#durable || this.#closed || this.#refused !== null) return this.#hasWork();
      return this.#queue.length >= FLUSH_RECORDS;
    } catch (error) {
      this.#fail(batch, error);
      return false;
    }
  }

  #take(): Batch | null {
    if (!this.#hasWork()) return null;
    let count = 0;
    for (let bytes = 0; bytes < BATCH_BYTES && count < this.#queue.length; count++) {
      bytes += this.#bodyOf(this.#queue[count])?.length ?? 0;
    }
    const waiting = this.#queue.splice(0, count);
    this.#underWay = waiting.length;
    return { waiting, gap: this.#refused };
  }

  #bodies({ waiting, gap }: Batch): readonly string[] {
    const bodies = waiting.flatMap(({ body }) => body ?? []);
    if (gap !== null) bodies.push(gapBody(this.#deps.now(), gap));
    return bodies;
  }

  #bodyOf(waiting: Waiting | undefined): string | null {
    if (waiting?.body !== null || waiting.record === null) return waiting?.body ?? null;
    const { record } = waiting;
    waiting.record = null;
    try {
      waiting.body = recordBody(record());
    } catch (error) {
      this.#deps.onTrouble('lost', error);
    }
    return waiting.body;
  }

  #settle({ waiting, gap }: Batch): void {
    this.#underWay = 0;
    // Those refused while the gap line was written are for the next one.
    if (gap !== null && this.#refused !== null) {
      const refused = this.#refused.refused - gap.refused;
      this.#refused = refused === 0 ? null : { ...this.#refused, refused, from: gap.to };
    }
    for (const { done } of waiting) done?.(true);
    if (!this.#durable) {
      this.#syncTimer ??= setTimeout(() => {
        this.#syncTimer = null;
        this.#syncDue = true;
        this.#wake();
      }, AUDIT_SYNC_MS).unref();
    }
  }

  #fail(batch: Batch | null, error: unknown): void {
    const code = systemCode(error) ?? (error instanceof Error ? error.name : 'unknown');
    const first = this.#broken === null;
    this.#broken = { code, retries: this.#broken === null ? 0 : this.#broken.retries + 1 };
    this.#underWay = 0;
    const waiting = [...(batch?.waiting ?? []), ...this.#queue];
    if (this.#durable) {
      this.#queue = [];
      if (waiting.length > 0) this.#countRefused(waiting.length, code);
      for (const { done } of waiting) done?.(false);
    } else {
      for (const one of waiting) this.#bodyOf(one);
      this.#queue = waiting;
    }
    if (!this.#closed) {
      const { first: least, most } = this.#deps.retryMs;
      const delay = Math.min(most, least * 2 ** Math.min(this.#broken.retries, 20));
      this.#retryTimer = setTimeout(() => {
        this.#retryTimer = null;
        this.#wake();
      }, delay).unref();
    }
    if (first) this.#deps.onTrouble('unwritable', error);
  }

  #countRefused(count: number, reason: string): void {
    const now = this.#deps.now();
    const before = this.#refused;
    this.#refused = { refused: (before?.refused ?? 0) + count, from: before?.from ?? now, to: now, reason };
  }

  /** The lock is touched from time to time; one that was taken from us stops the writing. */
  async #keepLock(): Promise<void> {
    try {
      if (this.#broken === null) await this.#chain.keepLock();
    } catch (error) {
      this.#lockLost = error;
      this.#wake();
    }
  }

  async #close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#beat);
    for (const timer of [this.#flushTimer, this.#syncTimer, this.#retryTimer]) {
      if (timer !== null) clearTimeout(timer);
    }
    this.#retryTimer = null;
    while (this.#loop !== null) await this.#loop;
    // What a failure left gets one more try.
    if (this.#hasWork()) {
      this.#wake();
      while (this.#loop !== null) await this.#loop;
    }
    if (this.#queue.length > 0)
      this.#deps.onTrouble('lost', new Error(`${this.#queue.length} audit records were not written`));
    try {
      await this.#chain.close();
    } catch (error) {
      this.#deps.onTrouble('unwritable', error);
    }
  }
}
