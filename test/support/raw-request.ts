import { connect } from 'node:net';

/** Sends bytes to a base URL and gives everything that came back until the connection ended. */
export function rawRequest(url: string, request: string | Uint8Array, timeoutMs = 10_000): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no end of the answer')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}
