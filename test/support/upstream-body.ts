import type { Fault } from '../../src/fault/index.js';
import {
  type AnswerBody,
  type ByteMeter,
  type Cancellation,
  type Coding,
  DEFAULT_TRANSPORT_LIMITS,
  decodedBody,
  type TransportLimits,
} from '../../src/upstream/index.js';

/** A body in memory, handed out in the given pieces. */
export class PiecesBody implements AnswerBody {
  readonly #pieces: readonly Uint8Array[];
  readonly #end: Fault | undefined;
  /** How many pieces were asked for. */
  given = 0;
  discarded = false;

  constructor(pieces: readonly Uint8Array[], end?: Fault) {
    this.#pieces = pieces;
    this.#end = end;
  }

  async drain(sink: (chunk: Uint8Array) => Fault | undefined): Promise<Fault | undefined> {
    for (const piece of this.#pieces) {
      this.given += 1;
      // Overwritten afterwards: a chunk is only valid during the call
      const chunk = new Uint8Array(piece);
      const fault = sink(chunk);
      chunk.fill(0xff);
      if (fault !== undefined) return fault;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.#end;
  }

  discard(): void {
    this.discarded = true;
  }
}

/** Cuts bytes into pieces of the given size. */
export function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

export interface Decoded {
  readonly code: string | undefined;
  readonly bytes: Buffer;
  readonly meter: ByteMeter;
  /** Size of the largest chunk. */
  readonly largest: number;
}

export async function decode(
  body: AnswerBody,
  coding: Coding | 'identity',
  limits: Partial<TransportLimits> = {},
  cancellation?: Cancellation,
): Promise<Decoded> {
  const meter: ByteMeter = { wireBytes: 0, decodedBytes: 0 };
  const chunks: Uint8Array[] = [];
  const decoded = decodedBody(body, coding, { ...DEFAULT_TRANSPORT_LIMITS, ...limits }, meter, cancellation);
  const fault = await decoded.drain((chunk) => {
    chunks.push(new Uint8Array(chunk));
    return undefined;
  });
  const largest = Math.max(0, ...chunks.map((chunk) => chunk.length));
  return { code: fault?.code, bytes: Buffer.concat(chunks), meter, largest };
}
