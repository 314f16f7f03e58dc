import type { Socket } from 'node:net';

/** Who has a connection: sees the bytes before undici's parser does. */
export interface WireUser {
  /** The parser is through with the first `taken` bytes of this connection and asks for more. */
  beforeRead(taken: number): void;
  /** It gets these. */
  onRead(chunk: Uint8Array): void;
  /** Whoever reads is done with a chunk when the call that hands it over returns: it need not outlive that. */
  readonly isReading: boolean;
}

/**
 * The socket under one undici client. undici hands out neither the socket nor the bytes that are no body (status
 * lines, chunk sizes and extensions, trailers), and what is not seen cannot be bounded.
 *
 * It reads the socket into memory that is used again and again, past the stream that a socket is: a stream makes a
 * buffer of 64 KiB for every read, which costs more than all that is done with the bytes.
 */
export class Wire {
  socket: Socket | undefined;
  /** The exchange that uses the connection, or used it last. */
  user: WireUser | undefined;
  /** Bytes the parser has had from this connection. */
  taken = 0;
  /** What was read and the parser has not had. */
  #waiting: Buffer[] = [];
  /** The parser was told to stop, and has not come back for more. */
  #isStopped = false;
  #reset = false;

  /** Whether the other side ended the connection, in order or not. */
  get peerClosed(): boolean {
    return this.#reset || this.socket?.readableEnded === true;
  }

  /** To be called before undici has the socket, so that this listener for errors comes first. */
  watch(socket: Socket): void {
    this.socket = socket;
    this.user = undefined;
    this.taken = 0;
    this.#waiting = [];
    this.#isStopped = false;
    this.#reset = false;

    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (this.socket !== socket || error.syscall === undefined) return;
      this.#reset = true;
      // At ECONNRESET after a head that announces the end of the connection, undici 7 (client-h1.js,
      // onHttpSocketError) takes a body without length for complete, where RFC 9112 section 8 has it incomplete. And
      // it asserts that its parser is not paused, inside an event listener: an upstream that resets while its body is
      // held back would end the process. Any other error is a broken connection to it.
      if (error.code === 'ECONNRESET') error.code = 'EPIPE';
    });

    // With no size it is the parser who reads, and with 0 the stream itself, to be told of the end
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      if (this.socket !== socket) return read(size);
      // The end stands behind what waits here, of which the stream knows nothing. TLS tells of it in one go with the
      // last bytes, also to who was just told to stop; and undici asserts at the end that its parser is not.
      if (size === 0) return this.#isStopped || this.#waiting.length > 0 ? null : read(size);
      this.#isStopped = false;
      this.user?.beforeRead(this.taken);
      const chunk = this.#waiting.shift();
      // Nothing is in the stream, but its end may be; and a socket that was stopped is read on
      if (chunk === undefined) return read();
      this.taken += chunk.length;
      this.user?.onRead(chunk);
      return socket.destroyed ? null : chunk;
    };

    // What the parser gives back when it is told to stop, be it nothing
    socket.unshift = (rest: Buffer) => {
      this.#isStopped = true;
      if (rest.length === 0) return;
      this.taken -= rest.length;
      this.#waiting.unshift(Buffer.from(rest));
    };
  }

  /**
   * Hands the parser what was read from the socket, in memory that the next read overwrites. Returns whether there is to
   * be a next read now; else the socket is read on when the parser comes back for more.
   *
   * Only what goes to a reader at once is handed over in that memory. Of anything else the parser or the exchange may
   * keep a part, a header cut in two or a body that nobody reads yet, and so they get a copy.
   */
  onBytes(socket: Socket, bytes: Buffer): boolean {
    if (this.socket !== socket) {
      // RFC 9112 section 9.2: a connection on which something comes before any request is of no use
      socket.destroy(new Error('bytes before the request'));
      return false;
    }
    const isPassing = this.user?.isReading === true && this.#waiting.length === 0;
    this.#waiting.push(isPassing ? bytes : Buffer.from(bytes));
    socket.emit('readable');
    if (isPassing && this.#waiting[0] === bytes) this.#waiting[0] = Buffer.from(bytes);
    return !this.#isStopped && this.#waiting.length === 0;
  }
}
