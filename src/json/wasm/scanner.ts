import { Fault } from '../../fault/index.js';
import type { Scanner, ScanOptions, ScanResult } from '../scan.js';
import { kindOf, OK } from './codes.js';
import { faultOf } from './fault.js';
import type { Instance } from './instance.js';
import { compileScanPlan, type ScanPlan } from './plan.js';
import { POOL } from './pool.js';

/** A scanner for one document, as createScanner makes one. */
export function createWasmScanner(options: ScanOptions): Scanner {
  return new WasmScanner(compileScanPlan(options));
}

/** The same for options that were compiled before. */
export function createPlannedScanner(plan: ScanPlan): Scanner {
  return new WasmScanner(plan);
}

/** Holds an instance from its first byte to its result or fault. */
class WasmScanner implements Scanner {
  private instance: Instance | undefined;
  private outcome: ScanResult | Fault | undefined;
  private broken = false;

  constructor(private readonly plan: ScanPlan) {}

  write(chunk: Uint8Array): Fault | undefined {
    if (this.outcome instanceof Fault) return this.outcome;
    if (this.outcome !== undefined) throw new Error('write after end');
    return this.use((instance) => {
      const code = instance.write(chunk);
      return code === OK ? undefined : faultOf(instance, this.plan, code);
    });
  }

  end(): ScanResult | Fault {
    return (
      this.outcome ??
      this.use((instance) => {
        const code = instance.end();
        if (code !== OK) return faultOf(instance, this.plan, code);
        return { kept: new Uint8Array(instance.kept), kind: kindOf(instance.kind) };
      })
    );
  }

  /** An instance that throws is not used again, and no other one can take over in the middle. */
  private use<T extends ScanResult | Fault | undefined>(step: (instance: Instance) => T): T {
    if (this.broken) throw new Error('the scanner has thrown before');
    this.broken = true;
    if (this.instance === undefined) {
      this.instance = POOL.take();
      this.instance.begin(this.plan);
    }
    const outcome = step(this.instance);
    this.broken = false;
    if (outcome !== undefined) {
      this.outcome = outcome;
      POOL.giveBack(this.instance);
      this.instance = undefined;
    }
    return outcome;
  }
}
