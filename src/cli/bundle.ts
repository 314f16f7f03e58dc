import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** What src/cli/entry.ts exports. */
export interface Program {
  main(): Promise<void>;
}

/** The command line with everything it imports, as the build bundles it: a CommonJS module. */
export const BUNDLE_FILE = fileURLToPath(new URL('../bundle/assay.cjs', import.meta.url));

/**
 * Runs a bundle. Most of a short start is the compiling of JavaScript, so V8 is given what it kept of an earlier one
 * where the build has left that beside the bundle. What is kept is taken for exactly the source it was made from, untouched
 * since, and by V8 only under its own version and flags; else the source is compiled, to the same effect.
 */
export function runBundle(file: string): Program {
  const source = readFileSync(file);
  return evaluate(compile(file, source, readKept(file, source)), file);
}

/** The same, and a function that keeps what V8 has compiled until it is called: for the build. */
export function runBundleAndKeep(file: string): { readonly program: Program; keep(): void } {
  const source = readFileSync(file);
  const script = compile(file, source, undefined);
  const keep = (): void => {
    const kept = script.createCachedData();
    writeFileSync(keptFile(file), Buffer.concat([seal(source, kept), kept]));
  };
  return { program: evaluate(script, file), keep };
}

/** Whether there is something that this V8 takes. */
export function isKept(file: string): boolean {
  const source = readFileSync(file);
  const kept = readKept(file, source);
  return kept !== undefined && compile(file, source, kept).cachedDataRejected === false;
}

/** Of this version of V8 only: another one has a file of its own, or none. */
export function keptFile(file: string): string {
  return `${file}.v8-${process.versions.v8}-${process.arch}`;
}

function readKept(file: string, source: Uint8Array): Uint8Array | undefined {
  if (!existsSync(keptFile(file))) return undefined;
  const sealed = readFileSync(keptFile(file));
  const kept = sealed.subarray(SEAL_BYTES);
  return seal(source, kept).equals(sealed.subarray(0, SEAL_BYTES)) ? kept : undefined;
}

const SEAL_BYTES = 32;

/** V8 itself only compares the length of the source. */
function seal(source: Uint8Array, kept: Uint8Array): Buffer {
  return createHash('sha256').update(source).update(kept).digest();
}

function compile(file: string, source: Buffer, cachedData: Uint8Array | undefined): Script {
  const text = `(function (exports, require, module, __filename, __dirname) {${source.toString('utf8')}\n})`;
  return new Script(text, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
}

function evaluate(script: Script, file: string): Program {
  const module = { exports: {} };
  const wrapper: unknown = script.runInThisContext();
  if (typeof wrapper !== 'function') throw new Error(`${file} is no module`);
  wrapper.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return module.exports as Program;
}
