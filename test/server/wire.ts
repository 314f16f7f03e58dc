import { connect, type Socket } from 'node:net';

export function portOf(url: string): number {
  return Number(new URL(url).port);
}

export function open(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(url), '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Everything that comes on a socket until it closes, as latin1. */
export function received(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

/** Writes bytes and gives all that comes back until the other side closes. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await open(url);
  const answer = received(socket);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return answer;
}

export interface ParsedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Splits one answer; throws where a name stands twice or the length is not that of the body. */
export function parseAnswer(text: string, { head = false } = {}): ParsedAnswer {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`no complete head in ${JSON.stringify(text.slice(0, 200))}`);
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (name in headers) throw new Error(`${name} twice`);
    headers[name] = line.slice(colon + 1).trim();
  }
  const body = text.slice(end + 4);
  const declared = Number(headers['content-length']);
  if (head ? body !== '' : declared !== body.length)
    throw new Error(`${declared} declared, ${body.length} came`);
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}
