/** Limits of one JSON document, all enforced while it streams (RFC 8259 section 9 allows a parser to set them). */
export interface ScanLimits {
  /** Nesting of arrays and objects; the document's own array or object is level 1. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Items of one array. */
  readonly items: number;
  /** Values and member names in the whole document. */
  readonly tokens: number;
  /** Bytes of a member name as sent, between its quotes. */
  readonly nameBytes: number;
  /** Bytes of a string value as sent, between its quotes. */
  readonly stringBytes: number;
  /** Bytes of a number as sent. */
  readonly numberBytes: number;
}

export const DEFAULT_SCAN_LIMITS: ScanLimits = {
  depth: 32,
  members: 1_000,
  items: 10_000,
  tokens: 500_000,
  nameBytes: 256,
  stringBytes: 65_536,
  numberBytes: 64,
};
