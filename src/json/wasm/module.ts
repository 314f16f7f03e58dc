import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SCANNER_FILE } from '../scanner-file.js';

/** What src/json/assembly/index.ts exports; addresses and lengths are unsigned 32-bit numbers. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  state(): number;
  window(): number;
  windowBytes(): number;
  keys(): number;
  levels(): number;
  names(): number;
  arena(): number;
  init(): void;
  allocate(bytes: number): number;
  release(block: number, bytes: number): void;
  hashOf(text: number, length: number): number;
  isSurelyHeld(text: number, length: number): number;
  enter(plan: number, node: number, keep: number, hash: number, name: number, length: number): void;
  begin(plan: number): void;
  scan(length: number, trust: number): number;
  finish(): number;
  scanWhole(plan: number, length: number, trust: number): number;
}

/** Compiled once per process, from the file that the build puts beside this one. */
const MODULE = new WebAssembly.Module(readFileSync(SCANNER_FILE));

/**
 * Random keys of the hash of member names. One set for the process, so that a plan's tables fit every instance; nothing
 * lets them out, and who does not know them cannot choose names that collide.
 */
const KEYS = randomBytes(272);

/** Answers to what the assembly imports. */
export interface Imports {
  verdict(lexeme: number, length: number): number;
  fold(name: number, length: number, to: number): number;
}

export function instantiate(imports: Imports): Exports {
  const host = { verdict: imports.verdict, fold: imports.fold };
  const exports = new WebAssembly.Instance(MODULE, { host }).exports as Exports;
  exports.init();
  new Uint8Array(exports.memory.buffer).set(KEYS, exports.keys() >>> 0);
  return exports;
}
