import { type Answer, ResponseHeaders } from '../../src/upstream/index.js';

/** An answer from memory, its body in the chunks given; what a careful `send` would resolve to. */
export function memoryAnswer(
  status: number,
  headers: readonly (readonly [string, string])[],
  chunks: readonly Uint8Array[],
): Answer {
  return {
    status,
    headers: new ResponseHeaders(headers),
    closeDelimited: false,
    body: {
      async drain(sink) {
        for (const chunk of chunks) {
          const fault = sink(chunk);
          if (fault !== undefined) return fault;
        }
        return undefined;
      },
      discard() {},
    },
  };
}
