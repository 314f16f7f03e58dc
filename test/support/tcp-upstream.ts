import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Bytes = string | Uint8Array;

/**
 * What a scripted upstream does next. Text is latin1, so that one character is one byte. `drip` sends one byte at a
 * time, `repeat` the same bytes up to `max` times; `close` sends FIN, `reset` RST. The forms with `_b64` are those
 * of the shared case files.
 */
export type Step =
  | { readonly send: Bytes }
  | { readonly send_b64: string }
  | { readonly sleep_ms: number }
  | { readonly drip: Bytes; readonly every_ms: number }
  | { readonly drip_b64: string; readonly every_ms: number }
  | { readonly repeat: Bytes; readonly every_ms: number; readonly max: number }
  | { readonly repeat_b64: string; readonly every_ms: number; readonly max: number }
  | { readonly close: true }
  | { readonly reset: true };

/** The same steps for every request, or steps by the number of the request (from 0) and its raw bytes. */
export type Script = readonly Step[] | ((requestIndex: number, rawRequest: Buffer) => readonly Step[]);

export interface TcpUpstream {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** Every request so far, head and body exactly as received. */
  readonly requests: Buffer[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Resolves once no connection is open. */
  closed(): Promise<void>;
  /** Drops every connection and stops listening. */
  close(): Promise<void>;
}

/** Plays a script on a loopback port, once per complete request; a connection serves requests until a step ends it. */
export async function playUpstream(script: Script): Promise<TcpUpstream> {
  const requests: Buffer[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let waiting: (() => void)[] = [];

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    });
    serve(socket, (raw) => {
      const index = requests.push(raw) - 1;
      return typeof script === 'function' ? script(index, raw) : script;
    });
  });
  const port = await listen(server);

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    closed: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Listens on a free loopback port and gives its number. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP port');
  return address.port;
}

function serve(socket: Socket, stepsFor: (raw: Buffer) => readonly Step[]): void {
  let received: Buffer = Buffer.alloc(0);
  let playing = Promise.resolve();
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let size = requestSize(received); size !== undefined; size = requestSize(received)) {
      const steps = stepsFor(Buffer.from(received.subarray(0, size)));
      received = received.subarray(size);
      playing = playing.then(() => play(socket, steps));
    }
  });
}

/** Length of the first complete request, with a Content-Length or without body; undefined while it is incomplete. */
function requestSize(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = /^content-length: *(\d+)\r?$/im.exec(bytes.toString('latin1', 0, end + 2))?.[1];
  const size = end + 4 + Number(length ?? 0);
  return bytes.length >= size ? size : undefined;
}

async function play(socket: Socket, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if ('send' in step) await write(socket, bytesOf(step.send));
    else if ('send_b64' in step) await write(socket, Buffer.from(step.send_b64, 'base64'));
    else if ('sleep_ms' in step) await pause(step.sleep_ms);
    else if ('drip' in step) await drip(socket, bytesOf(step.drip), step.every_ms);
    else if ('drip_b64' in step) await drip(socket, Buffer.from(step.drip_b64, 'base64'), step.every_ms);
    else if ('repeat' in step) await repeat(socket, bytesOf(step.repeat), step.every_ms, step.max);
    else if ('repeat_b64' in step)
      await repeat(socket, Buffer.from(step.repeat_b64, 'base64'), step.every_ms, step.max);
    else if ('close' in step) socket.end();
    else socket.resetAndDestroy();
  }
}

function bytesOf(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}

function drip(socket: Socket, bytes: Uint8Array, everyMs: number): Promise<void> {
  return paced(
    socket,
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
    everyMs,
  );
}

function repeat(socket: Socket, bytes: Uint8Array, everyMs: number, max: number): Promise<void> {
  return paced(socket, new Array<Uint8Array>(max).fill(bytes), everyMs);
}

async function paced(socket: Socket, pieces: readonly Uint8Array[], everyMs: number): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await write(socket, piece);
    await pause(everyMs);
  }
}

/** Resolves when there is room for more, or the connection is gone. */
async function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}

/** Does not keep a finished test alive. */
function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
