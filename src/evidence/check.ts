import type { CallContext } from '../contract/index.js';
import type { Fault } from '../fault/index.js';

/** One compiled check: undefined when it holds, else a CHK_* fault whose `rule` is the check's id. */
export interface Check {
  readonly id: string;
  run(value: unknown, context: CallContext): Fault | undefined;
}
