import { Fault } from '../../src/fault/index.js';
import { KEEP, type ScanLimits, type ScanOptions } from '../../src/json/index.js';
import { createScanner } from './oracle/scanner.js';

/** Limits that nothing in a test reaches by accident. */
export const GENEROUS: ScanLimits = {
  depth: 2_000_000,
  members: 2_000_000,
  items: 2_000_000,
  tokens: 4_000_000,
  nameBytes: 4_000_000,
  stringBytes: 4_000_000,
  numberBytes: 4_000_000,
};

/** A scan as plain data, to be compared. */
export type Outcome =
  | { readonly kind: string; readonly kept: string }
  | {
      readonly code: string;
      readonly offset: number | undefined;
      readonly line: number | undefined;
      readonly column: number | undefined;
      readonly pointer: string | undefined;
      readonly note: string | undefined;
    };

export type Options = Partial<ScanOptions>;

/** Scans the body cut at the given offsets. Options left out are generous limits and KEEP. */
export function scan(
  body: string | Uint8Array,
  options: Options = {},
  cuts: readonly number[] = [],
): Outcome {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const scanner = createScanner({ limits: GENEROUS, projection: KEEP, ...options });
  const edges = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < edges.length; i++) {
    // A copy that is overwritten afterwards: the scanner must not hold on to a chunk.
    const chunk = Uint8Array.from(bytes.subarray(edges[i - 1], edges[i]));
    const fault = scanner.write(chunk);
    chunk.fill(0x21);
    if (fault !== undefined) return outcomeOf(fault);
  }
  const result = scanner.end();
  if (result instanceof Fault) return outcomeOf(result);
  return { kind: result.kind, kept: Buffer.from(result.kept).toString() };
}

function outcomeOf({ code, detail }: Fault): Outcome {
  const { offset, line, column, instance, note } = detail;
  return { code, offset, line, column, pointer: instance, note };
}

/** Every offset inside the body. */
export function everyCut(length: number): number[] {
  return Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1);
}

/** The kept part, or the code. */
export function keptOrCode(body: string | Uint8Array, options: Options = {}): string {
  const outcome = scan(body, options);
  return 'code' in outcome ? outcome.code : outcome.kept;
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}
