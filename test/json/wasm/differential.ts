import { strict as assert } from 'node:assert';
import { Fault } from '../../../src/fault/index.js';
import type { Scanner, ScanOptions, ScanResult } from '../../../src/json/index.js';
import { kindOf } from '../../../src/json/wasm/codes.js';
import { faultOf } from '../../../src/json/wasm/fault.js';
import {
  compileScanPlan,
  createPlannedScanner,
  type ScanPlan,
  scanWhole,
} from '../../../src/json/wasm/index.js';
import { Instance } from '../../../src/json/wasm/instance.js';
import { createScanner } from '../oracle/scanner.js';

/** A scan as plain data, to be compared. */
export type Outcome = { readonly kind: string; readonly kept: string } | Refused;
export type Refused = Fault['detail'] & { readonly code: string };

/** Scans the body cut at the given offsets. */
export function run(scanner: Scanner, body: Uint8Array, cuts: readonly number[] = []): Outcome {
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

export function outcomeOf(result: ScanResult | Fault): Outcome {
  if (result instanceof Fault) return { code: result.code, ...result.detail };
  return { kind: result.kind, kept: Buffer.from(result.kept).toString('latin1') };
}

/**
 * What the plain scanner says of a body. The other one has to say the same: in one call, as one chunk, and cut in each of
 * the given ways. Throws an AssertionError where it does not.
 */
export function agree(
  body: Uint8Array,
  options: ScanOptions,
  ...ways: readonly (readonly number[])[]
): Outcome {
  const expected = run(createScanner(options), body);
  const plan = compileScanPlan(options);
  assert.deepEqual(onNewInstance(body, plan), expected, 'in memory that has yet to grow');
  assert.deepEqual(outcomeOf(scanWhole(body, plan)), expected, 'in one call');
  for (const cuts of [[], ...ways]) {
    const outcome = run(createPlannedScanner(plan), body, cuts);
    assert.deepEqual(outcome, expected, `cut at ${cuts.slice(0, 20).join(', ')}`);
  }
  return expected;
}

/** One that has scanned before has grown already. */
function onNewInstance(body: Uint8Array, plan: ScanPlan): Outcome {
  const instance = new Instance();
  const code = instance.whole(body, plan);
  if (code !== 0) return outcomeOf(faultOf(instance, plan, code));
  return outcomeOf({ kept: instance.kept, kind: kindOf(instance.kind) });
}

/** Counts outcomes by code, to show that a property was not vacuous. */
export class Tally {
  readonly counts: Record<string, number> = {};

  add(outcome: Outcome): void {
    const what = 'code' in outcome ? outcome.code : 'accepted';
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Codes that came up fewer times than that. */
  rarerThan(times: number, codes: readonly string[]): string[] {
    return codes.filter((code) => (this.counts[code] ?? 0) < times);
  }
}
