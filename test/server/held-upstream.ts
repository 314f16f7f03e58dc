import { createServer, type Server, type Socket } from 'node:net';
import type { Test } from 'tap';

async function listening(t: Test, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A loopback port that somebody has. */
export function takenPort(t: Test): Promise<number> {
  return listening(t, createServer());
}

export interface HeldUpstream {
  readonly url: string;
  /** The connection of the next request, which waits for its answer. */
  asked(): Promise<Socket>;
}

/** An upstream that holds its answers back until it is told. */
export async function heldUpstream(t: Test): Promise<HeldUpstream> {
  const waiting: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => waiting.push(socket));
    t.teardown(() => socket.destroy());
  });
  const port = await listening(t, server);
  return {
    url: `http://127.0.0.1:${port}`,
    async asked() {
      for (;;) {
        const socket = waiting.shift();
        if (socket !== undefined) return socket;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  };
}

/** Answers a held request with 200 and JSON. */
export function release(socket: Socket, json: string): void {
  socket.end(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
}
