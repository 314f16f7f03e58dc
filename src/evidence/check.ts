import type { CallContext, ReadPath } from '../contract/index.js';
import type { Fault } from '../fault/index.js';

/** One compiled check: undefined when it holds, else a CHK_* fault whose `rule` is the check's id. */
export interface Check {
  readonly id: string;
  /** Places in the answer that the check looks at, so that the projection keeps them. */
  readonly reads: readonly ReadPath[];
  run(value: unknown, context: CallContext): Fault | undefined;
}
