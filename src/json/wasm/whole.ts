import type { Fault } from '../../fault/index.js';
import type { ScanResult } from '../scan.js';
import { kindOf, OK } from './codes.js';
import { faultOf } from './fault.js';
import { Instance } from './instance.js';
import type { ScanPlan } from './plan.js';

/** The instance of all whole documents: each is done with when the call returns. */
let instance: Instance | undefined;

/** It is given up for a new one when it has grown beyond this, since memory never shrinks. */
const MOST_BYTES = 16 << 20;

/**
 * Scans a document that is there whole, without an instance of its own.
 *
 * `kept` lies in the scanner's memory: it is good until the next call of this function, so it is to be parsed or copied
 * at once.
 */
export function scanWhole(bytes: Uint8Array, plan: ScanPlan): ScanResult | Fault {
  const own = instance ?? new Instance();
  // Where this throws, the next call starts with a new one.
  instance = undefined;
  own.begin(plan);
  let code = own.write(bytes);
  if (code === OK) code = own.end();
  const outcome = code === OK ? { kept: own.kept(), kind: kindOf(own.kind) } : faultOf(own, plan, code);
  if (own.memoryBytes <= MOST_BYTES) instance = own;
  return outcome;
}
