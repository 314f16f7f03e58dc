import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer as createPlain } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { listen } from '../support/tcp-upstream.js';
import { ask, clientFor, outcome, response } from '../support/upstream-client.js';
import { EXPIRED, GOOD, OTHER } from '../support/upstream-identities.js';

t.test('a certificate that nobody vouches for', async (t) => {
  const requests: Buffer[] = [];
  const server = createServer(GOOD, (socket) => socket.on('data', (chunk) => requests.push(chunk)));
  server.on('tlsClientError', () => {});
  t.teardown(() => server.close());
  const port = await listen(server);

  const answer = await ask(clientFor(t, `https://localhost:${port}`));
  t.ok(answer instanceof Fault);
  if (answer instanceof Fault)
    t.strictSame([answer.code, answer.detail], ['UPS_TLS', { note: 'DEPTH_ZERO_SELF_SIGNED_CERT' }]);

  // The switch that turns verification off in Node
  t.intercept(process, 'emitWarning', { value: () => {} });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.teardown(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  t.equal(await outcome(clientFor(t, `https://localhost:${port}`)), 'UPS_TLS');
  t.equal(requests.length, 0, 'nothing was sent');
});

t.test('another protocol on the port', async (t) => {
  for (const bytes of [response('ok'), 'SSH-2.0-OpenSSH_9.9\r\n', '\x15\x03\x03\x00\x02\x02\x28']) {
    const server = createPlain((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(Buffer.from(bytes, 'latin1')));
    });
    const client = clientFor(t, `https://127.0.0.1:${await listen(server)}`, { connectMs: 1_000 });
    t.equal(await outcome(client), 'UPS_TLS', JSON.stringify(bytes));
    server.close();
  }
});

t.test('a connection that ends in the handshake', async (t) => {
  for (const end of ['end', 'resetAndDestroy'] as const) {
    const server = createPlain((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket[end]());
    });
    const client = clientFor(t, `https://127.0.0.1:${await listen(server)}`);
    t.equal(await outcome(client), 'UPS_CONNECT', end);
    server.close();
  }
});

t.test('with certificates that the host trusts', async (t) => {
  const authorities = join(t.testdir(), 'authorities.pem');
  await writeFile(authorities, GOOD.cert + OTHER.cert + EXPIRED.cert);
  const child = fileURLToPath(new URL('../support/upstream-tls-child.js', import.meta.url));
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorities, NODE_TLS_REJECT_UNAUTHORIZED: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [child], { env });
  t.strictSame(JSON.parse(stdout), {
    'name in the certificate': '200 ok',
    'address in the certificate': '200 ok',
    'sessions used again': false,
    'another name': 'UPS_TLS ERR_TLS_CERT_ALTNAME_INVALID',
    expired: 'UPS_TLS CERT_HAS_EXPIRED',
    'no HTTP/1.1': 'UPS_TLS ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
    'cut in the body': 'body BYT_TRUNCATED',
    'large answers': '4 over 1',
    'closed behind the answer': '24 over 24',
  });
});
