import { Fault } from '../fault/index.js';
import { type Answer, type AnswerBody, type Cancellation, ResponseHeaders } from '../upstream/index.js';

/** Bytes of an answer, all at once or as they come. */
export type GivenBytes = Uint8Array | AsyncIterable<Uint8Array>;

/** An answer that did not come over HTTP, as the upstream client hands over one that did. Its end is the end of the bytes. */
export function givenAnswer(
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
  bytes: GivenBytes,
  cancellation: Cancellation,
): Answer {
  return {
    status,
    headers: new ResponseHeaders(headers.map(([name, value]) => [name.toLowerCase(), value] as const)),
    closeDelimited: false,
    body: bytes instanceof Uint8Array ? wholeBody(bytes) : streamedBody(bytes, cancellation),
  };
}

function wholeBody(bytes: Uint8Array): AnswerBody {
  return {
    whole: bytes,
    drain: async (sink) => (bytes.byteLength === 0 ? undefined : sink(bytes)),
    discard() {},
  };
}

function streamedBody(bytes: AsyncIterable<Uint8Array>, cancellation: Cancellation): AnswerBody {
  return {
    drain: (sink) =>
      new Promise((resolve) => {
        const { fault } = cancellation;
        if (fault !== undefined) {
          resolve(fault);
          return;
        }
        // The first reason counts: what is read after the deadline goes nowhere.
        cancellation.on(resolve);
        const done = (outcome: Fault | undefined): void => {
          cancellation.off(resolve);
          resolve(outcome);
        };
        const broken = (): void => done(new Fault('BYT_TRUNCATED', { note: 'the bytes could not be read' }));
        readAll(bytes, (chunk) => cancellation.fault ?? sink(chunk)).then(done, broken);
      }),
    discard() {},
  };
}

/** Leaving the loop tells the source that nothing more is wanted. */
async function readAll(
  bytes: AsyncIterable<Uint8Array>,
  sink: (chunk: Uint8Array) => Fault | undefined,
): Promise<Fault | undefined> {
  for await (const chunk of bytes) {
    const fault = sink(chunk);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
