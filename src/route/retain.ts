import type { Answer } from '../upstream/index.js';
import type { Exchange } from './exchange.js';

/** Status and headers of an answer, and what is kept of its decoded body, from its start. */
export interface RetainedBody {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly chunks: Uint8Array[];
  bytes: number;
  truncated: boolean;
}

/** Starts keeping an answer for quarantine. One that is refused by its head has no bytes. */
export function startRetaining({ status, headers }: Answer): RetainedBody {
  return { status, headers: headers.lines, chunks: [], bytes: 0, truncated: false };
}

/** Keeps a copy of the next bytes, up to `most` in all: the chunk itself is only valid during the call. */
export function retain({ retained }: Exchange, chunk: Uint8Array, most: number): void {
  if (retained === undefined) return;
  const room = most - retained.bytes;
  if (room < chunk.byteLength) retained.truncated = true;
  if (room <= 0) return;
  retained.chunks.push(Uint8Array.prototype.slice.call(chunk, 0, room));
  retained.bytes += Math.min(room, chunk.byteLength);
}

/** Keeps a body that has come whole, up to `most` bytes of it; its memory is its own, and so it is not copied. */
export function retainWhole({ retained }: Exchange, whole: Uint8Array, most: number): void {
  if (retained === undefined) return;
  const kept = whole.subarray(0, most);
  retained.chunks.push(kept);
  retained.bytes = kept.byteLength;
  retained.truncated = kept.byteLength < whole.byteLength;
}
