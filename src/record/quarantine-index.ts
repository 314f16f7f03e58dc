import { timeOfRef } from './quarantine-name.js';

/** One retained answer, on disk or on its way there. */
export interface IndexEntry {
  readonly ref: string;
  /** Size of its file. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The file is complete. */
  stored: boolean;
}

/** The retained answers in the order of their names, which is that of their times, and their sum. */
export class QuarantineIndex {
  readonly #entries: IndexEntry[] = [];
  readonly #refs = new Map<string, IndexEntry>();
  #used = 0;

  /** Bytes of all entries, those under way included. */
  get used(): number {
    return this.#used;
  }

  get count(): number {
    return this.#entries.length;
  }

  get oldest(): IndexEntry | undefined {
    return this.#entries[0];
  }

  has(ref: string): boolean {
    return this.#refs.has(ref);
  }

  holds(entry: IndexEntry): boolean {
    return this.#refs.get(entry.ref) === entry;
  }

  /** References of complete files, oldest first. */
  stored(): readonly string[] {
    return this.#entries.filter((entry) => entry.stored).map((entry) => entry.ref);
  }

  make(ref: string, bytes: number, stored: boolean): IndexEntry {
    const entry: IndexEntry = { ref, bytes, time: timeOfRef(ref), stored };
    this.add(entry);
    return entry;
  }

  add(entry: IndexEntry): void {
    let at = this.#entries.length;
    // Most are the newest; one that is not finds its place from the end.
    while (at > 0 && (this.#entries[at - 1]?.ref ?? '') > entry.ref) at--;
    this.#entries.splice(at, 0, entry);
    this.#refs.set(entry.ref, entry);
    this.#used += entry.bytes;
  }

  /** Tells whether the entry was there. */
  remove(entry: IndexEntry): boolean {
    if (!this.holds(entry)) return false;
    const at = this.#entries[0] === entry ? 0 : this.#entries.indexOf(entry);
    this.#entries.splice(at, 1);
    this.#refs.delete(entry.ref);
    this.#used -= entry.bytes;
    return true;
  }

  /** Forgets the complete files: their directory is gone. */
  forgetStored(): void {
    for (const entry of this.#entries.filter(({ stored }) => stored)) this.remove(entry);
  }
}
