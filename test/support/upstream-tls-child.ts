/**
 * Run in a process of its own, since Node reads NODE_EXTRA_CA_CERTS once: asks TLS servers with several
 * certificates, and prints what became of it as JSON.
 */
import { createServer, type TlsOptions } from 'node:tls';
import { Fault } from '../../src/fault/index.js';
import { UpstreamClient } from '../../src/upstream/index.js';
import { listen } from './tcp-upstream.js';
import { ask, planFor, read, response } from './upstream-client.js';
import { EXPIRED, GOOD, type Identity, OTHER } from './upstream-identities.js';

let reused = false;

async function outcomeOf(
  identity: Identity,
  host: string,
  options: TlsOptions = {},
  body = response('ok'),
): Promise<string> {
  const server = createServer({ ...identity, ...options }, (socket) => {
    reused ||= socket.isSessionReused();
    socket.on('error', () => {});
    socket.once('data', () => socket.end(body));
  });
  server.on('tlsClientError', () => {});
  const client = new UpstreamClient(planFor(`https://${host}:${await listen(server)}`));
  try {
    // Twice, so that a session could be used again
    await ask(client);
    const answer = await ask(client);
    if (answer instanceof Fault) return `${answer.code} ${answer.detail.note}`;
    const { fault, text } = await read(answer);
    return fault === undefined ? `${answer.status} ${text}` : `body ${fault.code}`;
  } finally {
    await client.destroy();
    server.close();
  }
}

/** Large answers over one connection, each read in its own way; how many came as they were sent, and over how many connections. */
async function largeAnswers(): Promise<string> {
  const sent = Buffer.from(Array.from({ length: 400_000 }, (_, i) => `${i},`).join(''));
  let connections = 0;
  const server = createServer(GOOD, (socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${sent.length}\r\n\r\n`);
      socket.write(sent);
    });
  });
  const client = new UpstreamClient({
    ...planFor(`https://localhost:${await listen(server)}`),
    connections: 1,
  });
  let right = 0;
  for (const { waitMs, pauses } of [
    { waitMs: 0, pauses: false },
    { waitMs: 50, pauses: false },
    { waitMs: 0, pauses: true },
    { waitMs: 50, pauses: true },
  ]) {
    const answer = await ask(client, { limits: { wireBytes: sent.length } });
    if (answer instanceof Fault) return answer.code;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const { body } = answer;
    const seen: Uint8Array[] = [];
    const fault = await body.drain((chunk) => {
      seen.push(Buffer.from(chunk));
      if (pauses && seen.length % 20 === 0) {
        body.flow?.pause();
        setTimeout(() => body.flow?.resume(), 1);
      }
      return undefined;
    });
    if (fault === undefined && Buffer.concat(seen).equals(sent)) right += 1;
  }
  await client.destroy();
  server.close();
  return `${right} over ${connections}`;
}

/** Answers whose connection is closed right behind them, held back while they come; how many came whole. */
async function closedBehind(): Promise<string> {
  let connections = 0;
  const bodies = Array.from({ length: 24 }, (_, i) => Buffer.alloc(66_000 + 5_000 * i, 'abcdefghij'));
  const server = createServer(GOOD, (socket) => {
    const body = bodies[connections % bodies.length] ?? Buffer.alloc(0);
    const length = connections % 2 === 0 ? `Content-Length: ${body.length}\r\n` : '';
    connections += 1;
    const head = Buffer.from(`HTTP/1.1 200 OK\r\nConnection: close\r\n${length}\r\n`);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, body])));
  });
  const client = new UpstreamClient(planFor(`https://localhost:${await listen(server)}`));
  let right = 0;
  for (const sent of bodies) {
    const answer = await ask(client, { limits: { wireBytes: sent.length } });
    if (answer instanceof Fault) return answer.code;
    const { body } = answer;
    const seen: Uint8Array[] = [];
    const fault = await body.drain((chunk) => {
      seen.push(Buffer.from(chunk));
      body.flow?.pause();
      setTimeout(() => body.flow?.resume(), 1);
      return undefined;
    });
    if (fault === undefined && Buffer.concat(seen).equals(sent)) right += 1;
  }
  await client.destroy();
  server.close();
  return `${right} over ${connections}`;
}

const results = {
  'name in the certificate': await outcomeOf(GOOD, 'localhost'),
  'address in the certificate': await outcomeOf(GOOD, '127.0.0.1'),
  'sessions used again': reused,
  'another name': await outcomeOf(OTHER, 'localhost'),
  expired: await outcomeOf(EXPIRED, 'localhost'),
  'no HTTP/1.1': await outcomeOf(GOOD, 'localhost', { ALPNProtocols: ['h2'] }),
  'cut in the body': await outcomeOf(GOOD, 'localhost', {}, response('ok').slice(0, -1)),
  'large answers': await largeAnswers(),
  'closed behind the answer': await closedBehind(),
};
process.stdout.write(JSON.stringify(results));
