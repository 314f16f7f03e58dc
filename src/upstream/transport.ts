import { Fault } from '../fault/index.js';
import type { Cancellation } from './cancellation.js';
import { Decoder } from './decoder.js';
import { declaredLength } from './framing.js';
import type { AnswerBody, Coding, ResponseHeaders, TransportLimits } from './types.js';

type Sink = (chunk: Uint8Array) => Fault | undefined;

/** Sizes of one body so far, in bytes; kept up to date while it is read. */
export interface ByteMeter {
  wireBytes: number;
  decodedBytes: number;
}

/** Wire bytes that may wait for the decompressor; with more, the socket is not read on. */
const WAITING_BYTES = 65_536;

/** Decoded bytes below which the ratio is not looked at: a few blanks compress well without any harm. */
export const RATIO_FLOOR_BYTES = 65_536;

/**
 * A Content-Length that is over the wire limit already: nothing needs to be read. Not for HEAD, whose
 * Content-Length is about another response.
 */
export function checkDeclaredLength(headers: ResponseHeaders, limits: TransportLimits): Fault | undefined {
  const length = declaredLength(headers);
  return length !== undefined && length > limits.wireBytes ? new Fault('BYT_WIRE_TOO_LARGE') : undefined;
}

/**
 * The body as it was before its content coding, under the byte limits. `drain` hands out the decoded bytes and
 * ends with BYT_WIRE_TOO_LARGE, BYT_DECODED_TOO_LARGE, BYT_RATIO or BYT_CODING_CORRUPT besides the faults of
 * the wire and of the sink. No byte after a limit is handed out, the connection is closed as soon as a limit is
 * broken, and not more than one piece (OUTPUT_BYTES) is decoded beyond it. The ratio holds at every point of the
 * body, not only over the whole of it.
 *
 * @param meter counts while the body is read
 * @param cancellation ends a decode that goes on after the last wire byte
 */
export function decodedBody(
  body: AnswerBody,
  coding: Coding | 'identity',
  limits: TransportLimits,
  meter: ByteMeter,
  cancellation?: Cancellation,
): AnswerBody {
  return {
    drain: (sink) =>
      coding === 'identity'
        ? body.drain(onWire(limits, meter, onDecoded(limits, meter, sink)))
        : new Decoding(body, coding, limits, meter, sink, cancellation).run(),
    discard: () => body.discard(),
  };
}

/**
 * Reads a body that must be empty: BYT_BODY_UNEXPECTED at its first byte.
 */
export function emptyBody(body: AnswerBody): Promise<Fault | undefined> {
  return body.drain((chunk) => (chunk.length > 0 ? new Fault('BYT_BODY_UNEXPECTED') : undefined));
}

/** Counts wire bytes and stops at their limit. */
function onWire(limits: TransportLimits, meter: ByteMeter, next: Sink): Sink {
  return (chunk) => {
    const room = limits.wireBytes - meter.wireBytes;
    meter.wireBytes += chunk.length;
    if (chunk.length <= room) return next(chunk);
    return next(chunk.subarray(0, room)) ?? new Fault('BYT_WIRE_TOO_LARGE');
  };
}

/** Counts decoded bytes and stops at their limit. */
function onDecoded(limits: TransportLimits, meter: ByteMeter, next: Sink): Sink {
  return (chunk) => {
    const room = limits.decodedBytes - meter.decodedBytes;
    meter.decodedBytes += chunk.length;
    if (chunk.length <= room) return next(chunk);
    return next(chunk.subarray(0, room)) ?? new Fault('BYT_DECODED_TOO_LARGE');
  };
}

/** One drain of a compressed body: the wire on one side, the decompressor's thread on the other. */
class Decoding {
  readonly #body: AnswerBody;
  readonly #limits: TransportLimits;
  readonly #meter: ByteMeter;
  readonly #sink: Sink;
  readonly #cancellation: Cancellation | undefined;
  readonly #decoder: Decoder;
  #settled = false;
  #fault: Fault | undefined;
  #resolve: (fault: Fault | undefined) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(
    body: AnswerBody,
    coding: Coding,
    limits: TransportLimits,
    meter: ByteMeter,
    sink: Sink,
    cancellation: Cancellation | undefined,
  ) {
    this.#body = body;
    this.#limits = limits;
    this.#meter = meter;
    this.#sink = onDecoded(limits, meter, sink);
    this.#cancellation = cancellation;
    this.#decoder = new Decoder(coding, {
      output: (chunk, wireBytes) => this.#output(chunk, wireBytes),
      done: () => this.#settle(undefined),
      corrupt: () => this.#settle(new Fault('BYT_CODING_CORRUPT')),
      hungry: () => this.#body.flow?.resume(),
    });
  }

  run(): Promise<Fault | undefined> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#cancellation?.fault !== undefined) {
        this.#body.discard();
        this.#settle(this.#cancellation.fault);
        return;
      }
      this.#cancellation?.on(this.#onCancel);
      const wire = onWire(this.#limits, this.#meter, (chunk) => {
        if (this.#settled) return this.#fault;
        this.#decoder.write(chunk);
        if (this.#decoder.waiting >= WAITING_BYTES) this.#body.flow?.pause();
        return undefined;
      });
      this.#body.drain(wire).then(
        (fault) => (fault === undefined ? this.#decoder.end() : this.#settle(fault)),
        (error: unknown) => this.#throw(error),
      );
    });
  }

  readonly #onCancel = (fault: Fault): void => this.#settle(fault);

  #output(chunk: Uint8Array, wireBytes: number): void {
    try {
      const fault = this.#sink(chunk);
      if (fault !== undefined) {
        this.#settle(fault);
        return;
      }
    } catch (error) {
      this.#throw(error);
      return;
    }
    const decoded = this.#meter.decodedBytes;
    if (decoded > RATIO_FLOOR_BYTES && decoded > this.#limits.ratio * wireBytes) {
      this.#settle(new Fault('BYT_RATIO'));
    }
  }

  #settle(fault: Fault | undefined): void {
    if (this.#settled) return;
    this.#stop(fault);
    this.#resolve(fault);
  }

  /** What the sink throws is a bug and goes to the caller of drain. */
  #throw(error: unknown): void {
    if (this.#settled) return;
    this.#stop(new Fault('INTERNAL'));
    this.#reject(error);
  }

  #stop(fault: Fault | undefined): void {
    this.#settled = true;
    this.#fault = fault;
    this.#cancellation?.off(this.#onCancel);
    this.#decoder.destroy();
    if (fault !== undefined) this.#body.flow?.cancel(fault);
  }
}
