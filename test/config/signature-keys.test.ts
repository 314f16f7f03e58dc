import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import t from 'tap';
import { loadSettings, type Settings } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { harness } from '../support/harness.js';
import { contentDigest, detachedJws, ED25519, hmac, messageSignature } from '../support/signing.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';
import { HOME } from './as-shown.js';

const folder = t.testdir({});
let count = 0;

async function load(origin: string, keys: string, env: NodeJS.ProcessEnv): Promise<Settings> {
  const file = join(folder, `${count++}.yaml`);
  writeFileSync(
    file,
    `version: 1
upstreams:
  api:
    base_url: ${origin}
    keys:
${keys}
routes:
  - { tool: signed_item, upstream: api, method: GET, path: "/items/{id}", contract: signed_item@1 }
`,
  );
  const result = await loadSettings(file, env, { cwd: HOME, secretsFolder: '/nowhere' });
  if ('settings' in result) return result.settings;
  throw new Error(result.diagnostics.map(formatDiagnostic).join('\n'));
}

const BODY = Buffer.from('{"state":"open"}');

/** What an upstream sends that signs as the contract signed_item demands. */
async function signed(secret: Buffer, kid?: string): Promise<Step[]> {
  const digest = contentDigest(BODY);
  const { input, signature } = messageSignature({
    components: [
      ['"@status"', '200'],
      ['"content-digest"', digest],
    ],
    parameters: `created=${Math.floor(Date.now() / 1000)}${kid === undefined ? '' : `;keyid="${kid}"`}`,
  });
  const header = kid === undefined ? { alg: 'EdDSA' } : { alg: 'EdDSA', kid };
  const lines = [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `content-length: ${BODY.length}`,
    `content-digest: ${digest}`,
    `signature-input: ${input}`,
    `signature: ${signature}`,
    `x-mac: ${hmac(BODY, 'hex', createSecretKey(secret))}`,
    `x-jws: ${await detachedJws(BODY, ED25519.privateKey, header)}`,
  ];
  return [{ send: `${lines.join('\r\n')}\r\n\r\n${BODY}` }, { close: true }];
}

const SECRET = 'S3CRET, and thirty-two bytes or more of it';

async function outcome(
  keys: string,
  env: NodeJS.ProcessEnv,
  answer: Promise<Step[]>,
): Promise<string | null> {
  const script = await answer;
  const upstream = await playUpstream(script);
  const settings = await load(upstream.url, keys, env);
  const run = harness(settings.routes);
  const { record } = await run.call('/api/items/1');
  await run.close();
  await upstream.close();
  return record.operator_code;
}

t.test('keys from secrets and files verify what their other halves signed', async (t) => {
  const files = `      issuer: { file: keys/ed25519.pem }\n      set: { file: keys/set.json }\n`;
  const text = Buffer.from(SECRET);
  const cases: [
    title: string,
    keys: string,
    env: NodeJS.ProcessEnv,
    answer: Promise<Step[]>,
    code: string | null,
  ][] = [
    ['text', `      hook: { secret: KEY }\n${files}`, { KEY: SECRET }, signed(text), null],
    [
      'base64',
      `      hook: { secret: KEY, encoding: base64 }\n${files}`,
      { KEY: text.toString('base64') },
      signed(text),
      null,
    ],
    [
      'hex',
      `      hook: { secret: KEY, encoding: hex }\n${files}`,
      { KEY: text.toString('hex') },
      signed(text),
      null,
    ],
    [
      'the previous secret',
      `      hook: { secret: KEY, previous: OLD }\n${files}`,
      { KEY: 'another of sixteen', OLD: SECRET },
      signed(text),
      null,
    ],
    [
      'another secret',
      `      hook: { secret: KEY }\n${files}`,
      { KEY: 'another of sixteen' },
      signed(text),
      'SIG_INVALID',
    ],
    [
      'a key id of the set',
      `      hook: { secret: KEY }\n${files}`,
      { KEY: SECRET },
      signed(text, 'test-key-ed25519'),
      null,
    ],
    [
      'another key id',
      `      hook: { secret: KEY }\n${files}`,
      { KEY: SECRET },
      signed(text, 'else'),
      'SIG_KEY',
    ],
    [
      'a key id that is demanded of a PEM file',
      `      hook: { secret: KEY }\n${files.replace('.pem', '.pem, kid: mine')}`,
      { KEY: SECRET },
      signed(text, 'test-key-ed25519'),
      'SIG_KEY',
    ],
  ];
  for (const [title, keys, env, answer, code] of cases)
    t.equal(await outcome(keys, env, answer), code, title);
});

t.test('no printed settings hold a secret', async (t) => {
  const keys = `      hook: { secret: KEY }\n      issuer: { file: keys/ed25519.pem }\n      set: { file: keys/set.json }\n`;
  const settings = await load('http://127.0.0.1:4000', keys, { KEY: SECRET });
  for (const text of [
    inspect(settings, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(settings),
  ]) {
    t.notOk(text.includes('S3CRET'));
    t.notOk(text.includes(Buffer.from(SECRET).toString('base64').slice(0, 12)));
  }
});

t.test('a key set behind a URL is not fetched at start', async (t) => {
  const issuer = await playUpstream([{ close: true }]);
  const keys = `      hook: { secret: KEY }
      issuer: { jwks: { url: "${issuer.url}/jwks.json?v=1", timeout: 100ms } }
      set: { jwks: { url: "https://issuer.example/", refresh: 1m, keep: 2m, retry: 1s, size: 1 KiB } }
`;
  t.equal((await load('http://127.0.0.1:4000', keys, { KEY: SECRET })).routes.length, 1);
  t.equal(issuer.requests.length, 0);
  t.equal(await outcome(keys, { KEY: SECRET }, signed(Buffer.from(SECRET))), 'SIG_KEYS_UNAVAILABLE');
  t.match(issuer.requests[0]?.toString(), /^GET \/jwks\.json\?v=1 HTTP\/1\.1\r\n/);
  await issuer.close();
});
