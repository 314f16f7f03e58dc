import type { Fault } from '../../fault/index.js';
import type { ScanResult } from '../scan.js';
import { kindOf, OK } from './codes.js';
import { faultOf } from './fault.js';
import { Instance } from './instance.js';
import type { ScanPlan } from './plan.js';

/** Memory never shrinks: an instance that has grown beyond this is given up after its document. */
const MOST_BYTES = 16 << 20;

/** A document that was scanned whole, in the memory it was scanned in: good until the next call of scanWhole. */
export interface WholeScan extends ScanResult {
  /** The kept part as text. */
  readonly text: string;
}

class SharedInstance implements WholeScan {
  readonly instance = new Instance();

  get kept(): Uint8Array {
    return this.instance.kept;
  }

  get text(): string {
    return this.instance.keptText;
  }

  get kind(): ScanResult['kind'] {
    return kindOf(this.instance.kind);
  }
}

/** The instance of all whole documents: each is done with when the next one comes. */
let shared: SharedInstance | undefined;

/**
 * Scans a document that is there whole. Makes nothing anew for it, and so what it returns, `kept` and all, is only good
 * until the next call: it is to be parsed or copied at once.
 */
export function scanWhole(bytes: Uint8Array, plan: ScanPlan): WholeScan | Fault {
  const own = shared ?? new SharedInstance();
  // Where this throws, the next call starts with a new one.
  shared = undefined;
  const code = own.instance.whole(bytes, plan);
  const outcome = code === OK ? own : faultOf(own.instance, plan, code);
  if (own.instance.memoryBytes <= MOST_BYTES) shared = own;
  return outcome;
}
