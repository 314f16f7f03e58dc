import { createServer, type Socket } from 'node:net';
import { DEMO_CALLS, DEMO_MOUNT, type DemoCall } from './demo-calls.js';
import { rawAnswer } from './raw-answer.js';
import { NOT_FOUND } from './sample-answers.js';

export interface SampleUpstream {
  /** `http://127.0.0.1:PORT`, without trailing slash. */
  readonly url: string;
  /** Stops listening and closes what is still open. */
  close(): Promise<void>;
}

/** Bytes of a request head that are waited for; the sidecar's are a fraction of it. */
const MAX_HEAD_BYTES = 65_536;

/**
 * An upstream that answers like GitHub, sound and unsound, one response for each path of DEMO_CALLS and 404 for any
 * other. It writes its bytes straight to the socket: an HTTP server would mend some of what it is to send. Port 0
 * takes a free one. Rejects when the port is taken.
 */
export async function startSampleUpstream(port: number, host = '127.0.0.1'): Promise<SampleUpstream> {
  const calls = new Map(DEMO_CALLS.map((call) => [upstreamPath(call), call]));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The sidecar closes the connection as soon as it refuses an answer: a reset is what shall happen.
    socket.on('error', () => socket.destroy());
    serve(socket, calls);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The path under which the upstream knows a call: without the sidecar's mount and without query. */
export function upstreamPath(call: DemoCall): string {
  const [path = ''] = call.path.slice(DEMO_MOUNT.length).split('?');
  return path;
}

function serve(socket: Socket, calls: ReadonlyMap<string, DemoCall>): void {
  let head = '';
  socket.on('data', (chunk) => {
    head += chunk.toString('latin1');
    if (head.length > MAX_HEAD_BYTES) {
      socket.destroy();
      return;
    }
    if (!head.includes('\r\n\r\n')) return;
    socket.removeAllListeners('data');
    const path = /^GET ([^ ?]+)(?:\?[^ ]*)? HTTP\/1\.1\r\n/.exec(head)?.[1] ?? '';
    const now = new Date();
    socket.end(calls.get(path)?.upstream(now) ?? rawAnswer({ status: 404, body: NOT_FOUND }, now));
  });
}
