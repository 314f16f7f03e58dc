import type { Dispatcher } from 'undici';
import { Fault } from '../fault/index.js';
import type { Cancellation } from './cancellation.js';
import { exchangeFault } from './failure.js';
import { checkFraming, declaredLength, hasNoContent, isCloseDelimited } from './framing.js';
import { HeadWatch } from './head-watch.js';
import { type RawHeaders, responseHeaders } from './response-headers.js';
import type { Answer, AnswerBody, BodyFlow, Method, ResponseHeaders, TransportLimits } from './types.js';
import { errors } from './undici.js';
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
 *
 * It is a handler in the form that undici 7 has inside, with raw headers and `false` for "no more for now". The newer
 * form is wrapped into this one, request by request, and every head is made an object that nobody here would look at.
 */
export class Exchange implements AnswerBody, BodyFlow, WireUser, Dispatcher.DispatchHandler {
  readonly #method: Method;
  readonly #limits: TransportLimits;
  readonly #cancellation: Cancellation;
  readonly #giveHead: (answer: Answer | Fault) => void;
  #wire: Wire | undefined;
  /** The request is being written, or was. */
  #started = false;
  /** Goes on with the reading of a socket that was told not to. */
  #goOn: (() => void) | undefined;
  #paused = false;
  /** Bytes taken from the socket before this exchange had it. */
  #wireStart = 0;
  readonly #watch = new HeadWatch();
  #bodyBytes = 0;
  #headers: ResponseHeaders | undefined;
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
    cancellation.on(this.cancel);
  }

  setWire(wire: Wire): void {
    this.#wire = wire;
  }

  // What the connection asks

  onRead(chunk: Uint8Array): void {
    if (this.#ended || this.#watch.done) return;
    this.#watch.take(chunk);
    if (this.#watch.bytes > this.#limits.headerBytes) this.cancel(new Fault('BYT_HEADERS_TOO_LARGE'));
  }

  get isReading(): boolean {
    return this.#sink !== undefined && !this.#ended;
  }

  beforeRead(taken: number): void {
    if (this.#ended || !this.#headSeen) return;
    // Chunk sizes with their extensions, and trailers: undici bounds none of them well. They may weigh as much again
    // as the body may (a body of one-byte chunks is six times its size).
    const framing = taken - this.#wireStart - this.#watch.bytes - this.#bodyBytes;
    if (framing > this.#limits.wireBytes) this.cancel(new Fault('BYT_WIRE_TOO_LARGE', { note: 'framing' }));
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
        if (this.#pass(sink, chunk) !== undefined) return;
      }
      if (this.#ended) {
        resolve(this.#fault);
        return;
      }
      this.#sink = sink;
      if (!this.#holdBack) this.#flow();
    });
  }

  discard(): void {
    this.#held = [];
    // The reason never shows: nobody drains a discarded body
    if (!this.#ended) this.cancel(new Fault('UPS_CLOSED'));
  }

  get flow(): BodyFlow {
    return this;
  }

  pause(): void {
    this.#holdBack = true;
    if (!this.#ended) this.#paused = true;
  }

  resume(): void {
    this.#holdBack = false;
    if (!this.#ended && this.#sink !== undefined) this.#flow();
  }

  /** Ends the exchange with `fault`, and closes its connection unless the answer has come whole. */
  readonly cancel = (fault: Fault): void => {
    if (!this.#ended && !this.#isWhole) this.#close();
    this.#end(fault);
    this.#giveEnd?.(fault);
    // The parser may have been stopped in front of the end of the answer
    this.#flow();
  };

  // What undici reports; none of these may throw, but onConnect

  onConnect(): void {
    // The deadline passed while the request waited for a connection: it is never written. What is thrown here takes
    // the request out of undici's queue and leaves the connection alone, where an abort would close it.
    if (this.#ended) throw ABANDONED;
    this.#started = true;
    if (this.#wire !== undefined) {
      this.#wire.user = this;
      this.#wireStart = this.#wire.taken;
    }
    this.#firstByte = setTimeout(firstByteTimedOut, this.#limits.firstByteMs, this);
  }

  /** RFC 9110 section 7.8: no upgrade was asked for. */
  onUpgrade(): void {
    this.cancel(new Fault('BYT_PROTOCOL'));
  }

  onHeaders(status: number, raw: RawHeaders, resume: () => void): boolean {
    this.#goOn = resume;
    const fault = this.#head(status, raw);
    if (fault !== undefined) this.cancel(fault);
    return !this.#paused;
  }

  onData(chunk: Uint8Array): boolean {
    // llhttp gives no bytes, too, when it goes on: whoever reads must not pause at them, behind which the end may stand
    if (this.#ended || chunk.length === 0) return !this.#paused;
    this.#bodyBytes += chunk.length;
    if (this.#sink === undefined) {
      this.#held.push(chunk);
      this.#heldBytes += chunk.length;
      if (this.#heldBytes >= HELD_BYTES) this.#paused = true;
      return !this.#paused;
    }
    this.#pass(this.#sink, chunk);
    return !this.#paused;
  }

  /** Trailers are dropped: nothing was announced and nothing is read from them (RFC 9110 section 6.5.1). */
  onComplete(): void {
    this.#end(undefined);
  }

  onError(error: Error): void {
    const { peerClosed = false, taken = 0 } = this.#wire ?? {};
    const stale = this.#started && this.#wireStart > 0 && taken === this.#wireStart;
    this.#end(exchangeFault(error, { sent: this.#started, headSeen: this.#headSeen, peerClosed, stale }));
  }

  #head(status: number, raw: RawHeaders): Fault | undefined {
    if (this.#ended) return undefined;
    const { headerLines, interimResponses } = this.#limits;
    if (raw.length / 2 > headerLines) return new Fault('BYT_HEADERS_TOO_LARGE');
    if (status < 200) {
      // RFC 9110 section 15.2: any number of interim responses, but 101 only to a request for it
      this.#interim += 1;
      if (status < 100 || status === 101) return new Fault('BYT_PROTOCOL');
      return this.#interim > interimResponses ? new Fault('BYT_INTERIM') : undefined;
    }
    const { version } = this.#watch;
    if (version !== '1.1' && version !== '1.0') return new Fault('BYT_PROTOCOL');
    const headers = responseHeaders(raw);
    const fault = checkFraming(headers, version);
    if (fault !== undefined) return fault;
    this.#headSeen = true;
    this.#headers = headers;
    clearTimeout(this.#firstByte);
    const closeDelimited = isCloseDelimited(headers, status, this.#method);
    this.#giveHead({ status, headers, closeDelimited, body: this });
    // What follows is no part of this answer, and undici closes a connection on which anything does
    if (hasNoContent(status, this.#method)) this.#end(undefined);
    return undefined;
  }

  // How it goes on, and how it ends

  #flow(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#goOn?.();
  }

  /**
   * The last byte of the body is here: nothing more comes of this answer, and its connection is as good as before,
   * whatever is wrong with the body. Without Content-Length that shows when undici says so, and not before.
   */
  get #isWhole(): boolean {
    return this.#headers !== undefined && declaredLength(this.#headers) === this.#bodyBytes;
  }

  #close(): void {
    if (this.#wire?.user === this) this.#wire.socket?.destroy(ABANDONED);
  }

  /** A sink that throws is a bug: it goes to the caller of drain, and the connection is closed. */
  #pass(sink: Sink, chunk: Uint8Array): Fault | undefined {
    let fault: Fault | undefined;
    try {
      fault = sink(chunk);
    } catch (error) {
      this.#throw?.(error);
      fault = new Fault('INTERNAL');
      this.#close();
    }
    if (fault !== undefined) this.cancel(fault);
    return fault;
  }

  #end(fault: Fault | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#fault = fault;
    clearTimeout(this.#firstByte);
    this.#cancellation.off(this.cancel);
    if (!this.#headSeen) this.#giveHead(fault ?? new Fault('BYT_PROTOCOL'));
    if (this.#sink !== undefined) this.#giveEnd?.(fault);
  }
}

function firstByteTimedOut(exchange: Exchange): void {
  exchange.cancel(new Fault('UPS_FIRST_BYTE_TIMEOUT'));
}
