import { strict as assert } from 'node:assert';
import { Fault } from '../../../src/fault/index.js';
import { createScanner, type Scanner, type ScanOptions, type ScanResult } from '../../../src/json/index.js';
import { compileScanPlan, createWasmScanner, scanWhole } from '../../../src/json/wasm/index.js';

/** A scan as plain data, to be compared. */
export type Outcome = { readonly kind: string; readonly kept: string } | (Fault['detail'] & { readonly code: string });

/** Scans the body cut at the given offsets. */
export function run(scanner: Scanner, body: Uint8Array, cuts: readonly number[]): Outcome {
  const edges = [0, ...[...cuts].sort((a, b) => a - b), body.length];
  for (let i = 1; i < edges.length; i++) {
    // A copy that is overwritten afterwards: the scanner must not hold on to a chunk.
    const chunk = Uint8Array.from(body.subarray(edges[i - 1], edges[i]));
    const fault = scanner.write(chunk);
    chunk.fill(0x21);
    if (fault !== undefined) return outcomeOf(fault);
  }
  return outcomeOf(scanner.end());
}

function outcomeOf(result: ScanResult | Fault): Outcome {
  if (result instanceof Fault) return { code: result.code, ...result.detail };
  return { kind: result.kind, kept: Buffer.from(result.kept).toString('latin1') };
}

/** What both scanners say of a body, which has to be the same: whole, in one call, and cut in each of the given ways. */
export function agree(body: Uint8Array, options: ScanOptions, ...cuts: readonly (readonly number[])[]): Outcome {
  const expected = run(createScanner(options), body, []);
  assert.deepEqual(outcomeOf(scanWhole(body, compileScanPlan(options))), expected, 'in one call');
  assert.deepEqual(run(createWasmScanner(options), body, []), expected, 'whole');
  for (const cut of cuts) assert.deepEqual(run(createWasmScanner(options), body, cut), expected, `cut at ${cut.slice(0, 20)}`);
  return expected;
}

/** Every offset inside the body. */
export function everyCut(length: number): number[] {
  return Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1);
}
