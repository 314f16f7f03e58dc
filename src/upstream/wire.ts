import type { Socket } from 'node:net';

/** Who has a connection: sees the bytes before undici's parser does. */
export interface WireUser {
  /** The parser is through with the first `taken` bytes of this connection and asks for more. */
  beforeRead(taken: number): void;
  /** It gets these. */
  onRead(chunk: Uint8Array): void;
}

/**
 * The socket under one undici client. undici hands out neither the socket nor the bytes that are no body (status
 * lines, chunk sizes and extensions, trailers), and what is not seen cannot be bounded.
 */
export class Wire {
  socket: Socket | undefined;
  /** The exchange that uses the connection, or used it last. */
  user: WireUser | undefined;
  #reset = false;

  /** Bytes the parser has had from this connection. */
  get taken(): number {
    return this.socket === undefined ? 0 : this.socket.bytesRead - this.socket.readableLength;
  }

  /** Whether the other side ended the connection, in order or not. */
  get peerClosed(): boolean {
    return this.#reset || this.socket?.readableEnded === true;
  }

  /** To be called before undici has the socket, so that this listener for errors comes first. */
  watch(socket: Socket): void {
    this.socket = socket;
    this.user = undefined;
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

    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const user = this.socket === socket ? this.user : undefined;
      user?.beforeRead(this.taken);
      const chunk: unknown = read(size);
      if (chunk instanceof Uint8Array) user?.onRead(chunk);
      return socket.destroyed ? null : chunk;
    };
  }
}
