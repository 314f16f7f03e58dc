import type { Fault } from '../fault/index.js';
import type { ScanLimits } from './limits.js';
import type { Projection } from './projection.js';

export interface ScanOptions {
  readonly limits: ScanLimits;
  readonly projection: Projection;
  /** Names equal under ASCII and simple Unicode case folding are duplicates too. Default false. */
  readonly caseInsensitiveNames?: boolean;
  /** `string`: a kept number is emitted as its lexeme in quotes and has no range rule. Default `number`. */
  readonly numbers?: 'number' | 'string';
}

/** What a whole, accepted document leaves behind. */
export interface ScanResult {
  /** The kept part as compact JSON: no white space, names, strings and number lexemes exactly as sent. */
  readonly kept: Uint8Array;
  /** Kind of the document; a `number` cannot prove that it is whole without framing. */
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'literal';
}

/**
 * A strict push scanner for one JSON document (RFC 8259). It may be cut at any byte: result, fault code and fault
 * position are the same for every chunking. The first violation is terminal: every later call returns it again.
 */
export interface Scanner {
  /** Takes the next bytes. A Fault of family PRS_* is terminal. */
  write(chunk: Uint8Array): Fault | undefined;
  /** The body is complete. */
  end(): ScanResult | Fault;
}
