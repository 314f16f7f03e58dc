import { type Dispatcher, errors } from 'undici';
import { Fault } from '../fault/index.js';
import type { Cancellation } from './cancellation.js';
import { exchangeFault } from './failure.js';
import { checkFraming, hasNoContent, isCloseDelimited } from './framing.js';
import { HeadWatch } from './head-watch.js';
import { type RawHeaders, responseHeaders } from './response-headers.js';
import type { Answer, AnswerBody, BodyFlow, Method, TransportLimits } from './types.js';
import type { Wire, WireUser } from './wire.js';

type Sink = (chunk: Uint8Array) => Fault | undefined;

/** Body bytes that are kept before anybody reads; with more, the socket is not read on. */
const HELD_BYTES = 65_536;

/**
 * Closes a connection under undici. Not by the controller's abort: after that, undici 7 connects anew at once for the
 * request that it has just aborted. An error of this class fails the running request and none that waits.
 */
const ABANDONED = new errors.SocketError('abandoned');

/**
 * One request and its answer on an undici connection: the handler that undici drives, and the body that the caller
 * reads. Ends once, with the first fault or the last byte, and on a fault closes the connection before it tells.
 */
export class Exchange implements AnswerBody, WireUser {
  readonly #method: Method;
  readonly #limits: TransportLimits;
  readonly #cancellation: Cancellation;
  readonly #giveHead: (answer: Answer | Fault) => void;
  #wire: Wire | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Bytes taken from the socket before this exchange had it. */
  #wireStart = 0;
  readonly #watch = new HeadWatch();
  #bodyBytes = 0;
  #interim = 0;
  #firstByte: NodeJS.Timeout | undefined;
  #headSeen = false;
  /** No more comes from the wire: complete, or failed with `#fault`. */
  #ended = false;
  #fault: Fault | undefined;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #holdBack = false;
  #sink: Sink | undefined;
  #giveEnd: ((fault: Fault | undefined) => void) | undefined;
  #throw: ((error: unknown) => void) | undefined;

  constructor(
    method: Method,
    limits: TransportLimits,
    cancellation: Cancellation,
    giveHead: (answer: Answer | Fault) => void,
  ) {
    this.#method = method;
    this.#limits = limits;
    this.#cancellation = cancellation;
    this.#giveHead = giveHead;
    cancellation.on(this.#onCancel);
  }

  /** undici calls these; none may throw, but onRequestStart. */
  readonly handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => this.#start(controller),
    // RFC 9110 section 7.8: no upgrade was asked for
    onRequestUpgrade: () => this.#fail(new Fault('BYT_PROTOCOL')),
    onResponseStart: (controller, status) => this.#head(status, rawHeaders(controller.rawHeaders)),
    onResponseData: (_controller, chunk) => this.#data(chunk),
    // Trailers are dropped: nothing was announced and nothing is read from them (RFC 9110 section 6.5.1)
    onResponseEnd: () => this.#end(undefined),
    onResponseError: (_controller, error) => {
      const { peerClosed = false } = this.#wire ?? {};
      const sent = this.#controller !== undefined;
      this.#end(exchangeFault(error, { sent, headSeen: this.#headSeen, peerClosed }));
    },
  };

  readonly onWire = (wire: Wire): void => {
    this.#wire = wire;
  };

  // What the connection asks

  onRead(chunk: Uint8Array): void {
    if (this.#ended || this.#watch.done) return;
    this.#watch.take(chunk);
    if (this.#watch.bytes > this.#limits.headerBytes) this.#fail(new Fault('BYT_HEADERS_TOO_LARGE'));
  }

  beforeRead(taken: number): void {
    if (this.#ended || !this.#headSeen) return;
    // Chunk sizes with their extensions, and trailers: undici bounds none of them well. They may weigh as much again
    // as the body may (a body of one-byte chunks is six times its size).
    const framing = taken - this.#wireStart - this.#watch.bytes - this.#bodyBytes;
    if (framing > this.#limits.wireBytes) this.#fail(new Fault('BYT_WIRE_TOO_LARGE', { note: 'framing' }));
  }

  // What the caller does with the body

  get whole(): Uint8Array | undefined {
    return this.#ended && this.#fault === undefined && this.#held.length === 1 ? this.#held[0] : undefined;
  }

  drain(sink: Sink): Promise<Fault | undefined> {
    return new Promise((resolve, reject) => {
      this.#giveEnd = resolve;
      this.#throw = reject;
      const held = this.#held;
      this.#held = [];
      for (const chunk of held) {
        const fault = this.#pass(sink, chunk);
        if (fault !== undefined) {
          this.#fail(fault);
          return;
        }
      }
      if (this.#ended) {
        resolve(this.#fault);
        return;
      }
      this.#sink = sink;
      if (!this.#holdBack) this.#controller?.resume();
    });
  }

  discard(): void {
    this.#held = [];
    // The reason never shows: nobody drains a discarded body
    if (!this.#ended) this.#fail(new Fault('UPS_CLOSED'));
  }

  readonly flow: BodyFlow = {
    pause: () => {
      this.#holdBack = true;
      if (!this.#ended) this.#controller?.pause();
    },
    resume: () => {
      this.#holdBack = false;
      if (!this.#ended && this.#sink !== undefined) this.#controller?.resume();
    },
    cancel: (fault) => this.#fail(fault),
  };

  // What undici reports

  #start(controller: Dispatcher.DispatchController): void {
    // The deadline passed while the request waited for a connection: it is never written. What is thrown here takes
    // the request out of undici's queue and leaves the connection alone, where an abort would close it.
    if (this.#ended) throw ABANDONED;
    this.#controller = controller;
    if (this.#wire !== undefined) {
      this.#wire.user = this;
      this.#wireStart = this.#wire.taken;
    }
    this.#firstByte = setTimeout(
      () => this.#fail(new Fault('UPS_FIRST_BYTE_TIMEOUT')),
      this.#limits.firstByteMs,
    );
  }

  #head(status: number, raw: RawHeaders): void {
    if (this.#ended) return;
    const { headerLines, interimResponses } = this.#limits;
    if (raw.length / 2 > headerLines) {
      this.#fail(new Fault('BYT_HEADERS_TOO_LARGE'));
      return;
    }
    if (status < 200) {
      // RFC 9110 section 15.2: any number of interim responses, but 101 only to a request for it
      this.#interim += 1;
      if (status < 100 || status === 101) this.#fail(new Fault('BYT_PROTOCOL'));
      else if (this.#interim > interimResponses) this.#fail(new Fault('BYT_INTERIM'));
      return;
    }
    const { version } = this.#watch;
    if (version !== '1.1' && version !== '1.0') {
      this.#fail(new Fault('BYT_PROTOCOL'));
      return;
    }
    const headers = responseHeaders(raw);
    const fault = checkFraming(headers, version);
    if (fault !== undefined) {
      this.#fail(fault);
      return;
    }
    this.#headSeen = true;
    clearTimeout(this.#firstByte);
    const closeDelimited = isCloseDelimited(headers, status, this.#method);
    this.#giveHead({ status, headers, closeDelimited, body: this });
    // What follows is no part of this answer, and undici closes a connection on which anything does
    if (hasNoContent(status, this.#method)) this.#end(undefined);
  }

  #data(chunk: Uint8Array): void {
    if (this.#ended) return;
    this.#bodyBytes += chunk.length;
    if (this.#sink === undefined) {
      this.#held.push(chunk);
      this.#heldBytes += chunk.length;
      if (this.#heldBytes >= HELD_BYTES) this.#controller?.pause();
      return;
    }
    const fault = this.#pass(this.#sink, chunk);
    if (fault !== undefined) this.#fail(fault);
  }

  // How it ends

  readonly #onCancel = (fault: Fault): void => this.#fail(fault);

  /** A sink that throws is a bug: it goes to the caller of drain, and the connection is closed. */
  #pass(sink: Sink, chunk: Uint8Array): Fault | undefined {
    try {
      return sink(chunk);
    } catch (error) {
      this.#throw?.(error);
      return new Fault('INTERNAL');
    }
  }

  /** Closes the connection, even one that is idle after a whole answer, and ends the exchange with `fault`. */
  #fail(fault: Fault): void {
    if (this.#wire?.user === this) this.#wire.socket?.destroy(ABANDONED);
    this.#end(fault);
    this.#giveEnd?.(fault);
  }

  #end(fault: Fault | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#fault = fault;
    clearTimeout(this.#firstByte);
    this.#cancellation.off(this.#onCancel);
    if (!this.#headSeen) this.#giveHead(fault ?? new Fault('BYT_PROTOCOL'));
    if (this.#sink !== undefined) this.#giveEnd?.(fault);
  }
}

/** undici types what it calls raw headers as three things; from HTTP/1.1 it is the buffers of the parser. */
function rawHeaders(raw: Dispatcher.DispatchController['rawHeaders']): RawHeaders {
  return Array.isArray(raw) ? raw : [];
}
