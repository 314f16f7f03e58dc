import type { IncomingMessage } from 'node:http';

/**
 * How many bytes beyond the limit are read and thrown away before the answer, so that a client that writes its whole
 * body before it reads finds the answer and not a reset connection (RFC 9112 section 9.6).
 */
export const DISCARD_BYTES = 4 * 1024 * 1024;

export type ReceivedBody =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** Over the limit. `drained`: the rest was read and thrown away, the connection can be kept. */
  | { readonly kind: 'over'; readonly drained: boolean }
  /** The agent host went away or broke the framing before the end: there is nobody to answer. */
  | { readonly kind: 'lost' };

const NOTHING: ReceivedBody = { kind: 'whole', bytes: new Uint8Array(0) };

/** Reads a request body of at most `limit` bytes, whatever the method and the content type. Never rejects. */
export function readBody(request: IncomingMessage, limit: number): ReceivedBody | Promise<ReceivedBody> {
  const declared = request.headers['content-length'];
  if (declared === undefined && request.headers['transfer-encoding'] === undefined) {
    return NOTHING;
  }
  // The parser has already refused a Content-Length that is not a number.
  if (declared !== undefined && Number(declared) > limit + DISCARD_BYTES) {
    return { kind: 'over', drained: false };
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const settle = (body: ReceivedBody): void => {
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
      // An 'error' after this has no other listener, and would end the process.
      request.on('error', () => {});
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else if (length <= limit + DISCARD_BYTES) chunks = [];
      else {
        request.pause();
        settle({ kind: 'over', drained: false });
      }
    };
    const onEnd = (): void => {
      settle(
        length <= limit
          ? { kind: 'whole', bytes: Buffer.concat(chunks, length) }
          : { kind: 'over', drained: true },
      );
    };
    const onLost = (): void => settle({ kind: 'lost' });
    request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}
