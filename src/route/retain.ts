import { KeptBytes } from '../json/index.js';
import type { Answer } from '../upstream/index.js';
import type { Exchange } from './exchange.js';

/** Status and headers of an answer, and what is kept of its decoded body, from its start. */
export interface RetainedBody {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly kept: KeptBytes;
  /** Instead of `kept`, where the body has come whole. */
  whole: Uint8Array | undefined;
  truncated: boolean;
}

/** Starts keeping an answer for quarantine. One that is refused by its head has no bytes. */
export function startRetaining({ status, headers }: Answer): RetainedBody {
  return { status, headers: headers.lines, kept: new KeptBytes(), whole: undefined, truncated: false };
}

/** Keeps a copy of the next bytes, up to `most` in all: the chunk itself is only valid during the call. */
export function retain({ retained }: Exchange, chunk: Uint8Array, most: number): void {
  if (retained === undefined) return;
  const room = most - retained.kept.byteLength;
  if (room < chunk.byteLength) retained.truncated = true;
  if (room <= 0) return;
  retained.kept.append(chunk.subarray(0, room));
}

/** Keeps a body that has come whole, up to `most` bytes of it; its memory is its own, and so it is not copied. */
export function retainWhole({ retained }: Exchange, whole: Uint8Array, most: number): void {
  if (retained === undefined) return;
  retained.whole = whole.subarray(0, most);
  retained.truncated = retained.whole.byteLength < whole.byteLength;
}
