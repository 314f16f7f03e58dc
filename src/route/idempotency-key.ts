import { createHash, randomUUID } from 'node:crypto';
import type { UpstreamRequest } from '../upstream/index.js';

/**
 * The request with an idempotency key under this header, for all attempts of one call. One that the contract forwards
 * from the agent stays: it then holds over the agent's own repeats as well.
 *
 * @param requestId of the call; undefined where the agent host may have chosen it, and may choose it twice
 */
export function withIdempotencyKey(
  request: UpstreamRequest,
  header: string,
  requestId: string | undefined,
): UpstreamRequest {
  if (request.headers.has(header)) return request;
  const key = requestId === undefined ? randomUUID() : keyOf(requestId);
  return { ...request, headers: new Map([...request.headers, [header, key]]) };
}

/**
 * The key of a call: a UUID, since that is what every upstream takes, out of the request id, so that who has the record of
 * a call can find at the upstream what came of it. RFC 9562 section 5.8: version 8, of the first 16 bytes of the SHA-256.
 */
export function keyOf(requestId: string): string {
  const bytes = createHash('sha256').update(requestId).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1])).join('-');
}
