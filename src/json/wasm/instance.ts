import { isUtf8 } from 'node:buffer';
import { foldCase } from '../case-fold.js';
import { numberVerdict } from '../number.js';
import { ASK_UTF8, OK } from './codes.js';
import { type Exports, instantiate } from './module.js';
import type { ScanPlan } from './plan.js';
import { decodeWtf8, encodeWtf8 } from './wtf8.js';

/** How the bytes of a window are trusted: not at all; UTF-8 and cut between characters; so if they are ASCII. */
const EXACT = 0;
const TRUSTED = 1;
const UNKNOWN = 2;

/** From here on it is faster to ask Node first than to find out that all is ASCII. */
const LONG_WINDOW = 4_096;

/** Most bytes of plans that an instance holds on to; with more, those used longest ago are dropped. */
const MOST_PLAN_BYTES = 1 << 20;

// src/json/assembly/state.ts, State: indices of 64-bit floats and of 32-bit words.
const FLOATS = { faultOffset: 0, lineFeeds: 1, lineStart: 2 };
const WORDS = { kind: 9, depth: 10, reading: 11, names: 12, kept: 13, out: 14, missing: 15 };
// The same file, Level and Name: sizes, and the kind of an array.
const LEVEL_BYTES = 48;
const LEVEL_ARRAY = 1;
const NAME_BYTES = 16;

/** One WebAssembly instance: memory for one scan at a time. After it has thrown it is of no more use. */
export class Instance {
  readonly exports: Exports;
  private readonly windowAt: number;
  private readonly windowBytes: number;
  private readonly stateAt: number;
  /** Views of memory; new ones after it has grown. */
  private memory: Buffer;
  private words: Uint32Array;
  private floats: Float64Array;
  /** Where each plan lies, in order of last use. */
  private readonly plans = new Map<ScanPlan, number>();
  private planBytes = 0;
  private plan: ScanPlan | undefined;
  private planAt = 0;

  constructor() {
    this.exports = instantiate({
      verdict: (lexeme, length) => this.verdict(lexeme >>> 0, length),
      fold: (name, length, to) => this.fold(name >>> 0, length, to >>> 0),
    });
    this.windowAt = this.exports.window() >>> 0;
    this.windowBytes = this.exports.windowBytes();
    this.stateAt = this.exports.state() >>> 0;
    const { buffer } = this.exports.memory;
    this.memory = Buffer.from(buffer);
    this.words = new Uint32Array(buffer, this.stateAt);
    this.floats = new Float64Array(buffer, this.stateAt);
  }

  get memoryBytes(): number {
    this.refresh();
    return this.memory.length;
  }

  /** Starts a document. What the last one left is gone. */
  begin(plan: ScanPlan): void {
    if (this.plan !== plan) this.use(plan);
    this.exports.begin(this.planAt);
  }

  /** The next bytes of the document. Returns a fault's number, or OK. */
  write(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length) {
      const missing = this.word(WORDS.missing);
      const most = missing === 0 ? this.windowBytes : missing;
      let end = Math.min(at + most, chunk.length);
      this.fill(chunk, at, end);
      let code = ASK_UTF8;
      if (missing !== 0) code = this.exports.scan(end - at, EXACT);
      else if (end - at < LONG_WINDOW) code = this.exports.scan(end - at, UNKNOWN);
      if (code === ASK_UTF8) {
        const whole = endOfCharacters(chunk, at, end);
        const trust = whole > at && isUtf8(chunk.subarray(at, whole)) ? TRUSTED : EXACT;
        if (trust === TRUSTED) end = whole;
        code = this.exports.scan(end - at, trust);
      }
      if (code !== OK) return code;
      at = end;
    }
    return OK;
  }

  /** The document is complete. Returns a fault's number, or OK. */
  end(): number {
    return this.exports.finish();
  }

  /** All of begin, write and end. */
  whole(bytes: Uint8Array, plan: ScanPlan): number {
    if (bytes.length > this.windowBytes) {
      this.begin(plan);
      const code = this.write(bytes);
      return code === OK ? this.end() : code;
    }
    if (this.plan !== plan) this.use(plan);
    this.refresh();
    this.memory.set(bytes, this.windowAt);
    if (bytes.length < LONG_WINDOW) {
      const code = this.exports.scanWhole(this.planAt, bytes.length, UNKNOWN);
      if (code !== ASK_UTF8) return code;
    }
    return this.exports.scanWhole(this.planAt, bytes.length, isUtf8(bytes) ? TRUSTED : EXACT);
  }

  /** The kept part, in the memory of this instance: good until the next begin. */
  get kept(): Uint8Array {
    this.refresh();
    return this.memory.subarray(this.word(WORDS.kept), this.word(WORDS.out));
  }

  get keptText(): string {
    this.refresh();
    return this.memory.toString('utf8', this.word(WORDS.kept), this.word(WORDS.out));
  }

  get kind(): number {
    return this.word(WORDS.kind);
  }

  /** Where the document was refused: offset, and line and column from 1. */
  get faultPlace(): { readonly offset: number; readonly line: number; readonly column: number } {
    this.refresh();
    const offset = this.float(FLOATS.faultOffset);
    const column = offset - this.float(FLOATS.lineStart) + 1;
    return { offset, line: this.float(FLOATS.lineFeeds) + 1, column };
  }

  /**
   * The way to the value that is being read or due, outermost first: indices, and names of at least `units` UTF-16 units
   * where they have them. At most `most` steps.
   */
  path(most: number, units: number): (number | string)[] {
    const steps: (number | string)[] = [];
    const depth = this.word(WORDS.depth);
    const last = this.word(WORDS.reading) === 0 ? depth - 1 : depth;
    for (let level = 1; level <= last && steps.length < most; level++) steps.push(this.step(level, units));
    return steps;
  }

  private step(level: number, units: number): number | string {
    const plan = this.plan;
    if (plan === undefined) throw new Error('no document was begun');
    const at = this.levelAt(level);
    if (this.wordAt(at) === LEVEL_ARRAY) return plan.itemLimit - this.wordAt(at + 4);
    // The name last read is the one before the names of the level inside.
    const next =
      level < this.word(WORDS.depth) ? this.wordAt(this.levelAt(level + 1) + 8) : this.word(WORDS.names);
    const name = (this.exports.names() >>> 0) + (next - 1) * NAME_BYTES;
    let text = (this.exports.arena() >>> 0) + this.wordAt(name);
    let length = this.wordAt(name + 4);
    if (plan.foldNames) {
      // Behind the folded form: length and bytes of the name itself.
      text += length + 4;
      length = this.memory.readUInt32LE(text - 4);
    }
    return decodeWtf8(this.memory.subarray(text, text + length), units);
  }

  private levelAt(level: number): number {
    return (this.exports.levels() >>> 0) + level * LEVEL_BYTES;
  }

  private use(plan: ScanPlan): void {
    const at = this.plans.get(plan) ?? this.load(plan);
    // Last in the order.
    this.plans.delete(plan);
    this.plans.set(plan, at);
    this.plan = plan;
    this.planAt = at;
  }

  private load(plan: ScanPlan): number {
    const { image, members } = plan;
    for (const [other, block] of this.plans) {
      if (this.planBytes + image.length <= MOST_PLAN_BYTES) break;
      this.exports.release(block, other.image.length);
      this.plans.delete(other);
      this.planBytes -= other.image.length;
    }
    const at = this.exports.allocate(image.length) >>> 0;
    this.planBytes += image.length;
    this.refresh();
    this.memory.set(image, at);
    for (const { node, keep, name, length } of members) {
      this.exports.enter(at, node, keep, this.exports.hashOf(at + name, length), name, length);
    }
    return at;
  }

  private fill(chunk: Uint8Array, from: number, to: number): void {
    this.refresh();
    this.memory.set(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to), this.windowAt);
  }

  private refresh(): void {
    if (this.memory.length !== 0) return;
    // Memory has grown, which leaves the views of the old one empty.
    const { buffer } = this.exports.memory;
    this.memory = Buffer.from(buffer);
    this.words = new Uint32Array(buffer, this.stateAt);
    this.floats = new Float64Array(buffer, this.stateAt);
  }

  private word(index: number): number {
    this.refresh();
    return this.words[index] ?? 0;
  }

  private float(index: number): number {
    return this.floats[index] ?? 0;
  }

  private wordAt(address: number): number {
    return this.memory.readUInt32LE(address);
  }

  private verdict(lexeme: number, length: number): number {
    this.refresh();
    const verdict = numberVerdict(this.memory.toString('latin1', lexeme, lexeme + length));
    return verdict === 'exact' ? 0 : verdict === 'integer-range' ? 1 : 2;
  }

  private fold(name: number, length: number, to: number): number {
    this.refresh();
    const folded = encodeWtf8(foldCase(decodeWtf8(this.memory.subarray(name, name + length))));
    this.memory.set(folded, to);
    return folded.length;
  }
}

/** Where the last character that `[from, to)` has whole ends. */
function endOfCharacters(chunk: Uint8Array, from: number, to: number): number {
  let first = to - 1;
  while (first > from && first > to - 4 && ((chunk[first] ?? 0) & 0xc0) === 0x80) first--;
  const byte = chunk[first] ?? 0;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return first + size > to ? first : to;
}
