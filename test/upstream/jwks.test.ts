import { generateKeyPairSync } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import {
  Cancellation,
  DEFAULT_KEY_SET_OPTIONS,
  type KeyQuery,
  type KeySetOptions,
  RemoteKeys,
  readKeySet,
  readPublicKey,
  type Send,
} from '../../src/upstream/index.js';
import { memoryAnswer } from '../support/memory-answer.js';
import { ED25519, OTHER_ED25519, P256, RSA } from '../support/signing.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';

const jwkOf = (key: typeof ED25519.publicKey, more: object = {}) => ({
  ...key.export({ format: 'jwk' }),
  ...more,
});
const SET = {
  keys: [
    jwkOf(ED25519.publicKey, { kid: 'a' }),
    jwkOf(P256.publicKey, { kid: 'b', alg: 'ES256', use: 'sig' }),
  ],
};

t.test('a key set is read strictly', async (t) => {
  const read = (set: unknown): string => {
    const keys = readKeySet(Buffer.from(typeof set === 'string' ? set : JSON.stringify(set)));
    return typeof keys === 'string' ? keys : keys.map(({ kid, alg }) => `${kid}/${alg}`).join(' ');
  };
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const cases: [title: string, set: unknown, expected: string][] = [
    ['sound', SET, 'a/undefined b/ES256'],
    ['for encryption', { keys: [...SET.keys, jwkOf(RSA.publicKey, { use: 'enc' })] }, 'a/undefined b/ES256'],
    [
      'for another operation',
      { keys: [...SET.keys, jwkOf(RSA.publicKey, { key_ops: ['encrypt'] })] },
      'a/undefined b/ES256',
    ],
    ['of an unknown kind', { keys: [...SET.keys, { kty: 'AKP', pub: 'x' }] }, 'a/undefined b/ES256'],
    [
      'a curve without a use here',
      { keys: [...SET.keys, { kty: 'EC', crv: 'secp256k1' }] },
      'a/undefined b/ES256',
    ],
    [
      'a private key',
      { keys: [ED25519.privateKey.export({ format: 'jwk' })] },
      'has a private or secret key in keys[0]',
    ],
    ['a secret', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, 'has a private or secret key in keys[0]'],
    ['a short key', { keys: [jwkOf(short)] }, 'has no sound public key in keys[0]'],
    [
      'a broken key',
      { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }] },
      'has no sound public key in keys[0]',
    ],
    [
      'a point off the curve',
      { keys: [jwkOf(P256.publicKey, { x: 'A'.repeat(43) })] },
      'has no sound public key in keys[0]',
    ],
    [
      'a kid that is no text',
      { keys: [jwkOf(ED25519.publicKey, { kid: 1 })] },
      'has a kid or alg that is no text in keys[0]',
    ],
    ['no key', { keys: [] }, 'has no key for signatures'],
    ['no keys', {}, 'has no array keys'],
    ['one key', SET.keys[0], 'has no array keys'],
    ['something else', { keys: ['a'] }, 'has something else than a JWK in keys[0]'],
    ['too many', { keys: Array.from({ length: 65 }, () => SET.keys[0]) }, 'has more than 64 keys'],
    [
      'a name twice',
      `{"keys":[],"keys":${JSON.stringify(SET.keys)}}`,
      'holds no sound JSON (PRS_DUPLICATE_NAME)',
    ],
    ['not whole', '{"keys":[', 'holds no sound JSON (PRS_TRUNCATED)'],
    ['nothing', '', 'holds no sound JSON (PRS_EMPTY)'],
  ];
  for (const [title, set, expected] of cases) t.equal(read(set), expected, title);
});

t.test('a key file is one public key', async (t) => {
  const pem = ED25519.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const sec1 = P256.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  t.ok(typeof readPublicKey(pem) !== 'string');
  t.ok(typeof readPublicKey(`a comment\n${pem}`) !== 'string', 'text around it');
  t.equal(readPublicKey(sec1), 'holds a private key');
  t.equal(readPublicKey(pem + sec1), 'holds a private key');
  t.equal(readPublicKey(pem + pem), 'does not hold exactly one PUBLIC KEY in PEM form');
  t.equal(readPublicKey('ssh-ed25519 AAAA'), 'does not hold exactly one PUBLIC KEY in PEM form');
  t.equal(readPublicKey(pem.replace(/\n[A-Za-z0-9+/=]+\n/, '\nAAAA\n')), 'holds no sound public key');
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const shortPem = short.export({ type: 'spki', format: 'pem' }).toString();
  t.equal(readPublicKey(shortPem), 'holds an RSA key of fewer than 2048 bits');
});

/** A key set on a clock and a network that the test moves by hand. */
class Bench {
  now = 0;
  fetches = 0;
  set: unknown = SET;
  status = 200;
  /** Resolves the fetches under way. */
  go: () => void = () => {};
  wait = false;
  readonly keys: RemoteKeys;

  constructor(options: Partial<KeySetOptions> = {}) {
    const send: Send = async (request) => {
      this.fetches += 1;
      t.equal(request.target, '/jwks');
      if (this.wait) await new Promise<void>((resolve) => (this.go = resolve));
      const body = Buffer.from(JSON.stringify(this.set));
      return memoryAnswer(this.status, [['content-type', 'application/jwk-set+json']], [body]);
    };
    this.keys = new RemoteKeys(
      { origin: 'https://issuer.invalid', target: '/jwks', ...DEFAULT_KEY_SET_OPTIONS, ...options },
      { now: () => this.now, connect: () => ({ send, destroy: async () => {} }) },
    );
  }

  async find(kid: string | undefined, fits: KeyQuery['fits'] = () => true): Promise<string> {
    const found = await this.keys.find({ kid, fits }, new Cancellation());
    return found instanceof Fault ? found.code : (found.asymmetricKeyType ?? '');
  }
}

t.test('one fetch serves all until it is old', async (t) => {
  const bench = new Bench();
  t.same(await Promise.all([bench.find('a'), bench.find('b'), bench.find('a')]), [
    'ed25519',
    'ec',
    'ed25519',
  ]);
  t.equal(bench.fetches, 1, 'calls that come together wait together');
  bench.now = 600_000;
  t.equal(await bench.find('a'), 'ed25519');
  t.equal(bench.fetches, 1);
  bench.now = 600_001;
  bench.set = { keys: [SET.keys[1]] };
  t.equal(await bench.find('a'), 'ed25519', 'a call does not wait for the refresh');
  t.equal(bench.fetches, 2);
  await new Promise(setImmediate);
  t.equal(await bench.find('a'), 'SIG_KEY', 'a key that was taken out is gone');
});

t.test('a key is chosen by its id, and without one only where nothing else fits', async (t) => {
  const bench = new Bench();
  t.equal(await bench.find(undefined, ({ key }) => key.asymmetricKeyType === 'ec'), 'ec');
  t.equal(await bench.find(undefined), 'SIG_KEY', 'two fit');
  t.equal(
    await bench.find('a', ({ key }) => key.asymmetricKeyType === 'ec'),
    'SIG_KEY',
    'its id, but another kind',
  );
  const twice = new Bench();
  twice.set = { keys: [SET.keys[0], jwkOf(OTHER_ED25519.publicKey, { kid: 'a' })] };
  t.equal(await twice.find('a'), 'SIG_KEY', 'two keys with one id');
});

t.test('an unknown key id asks again, but not as often as anybody likes', async (t) => {
  const bench = new Bench();
  t.equal(await bench.find('new'), 'SIG_KEY');
  t.equal(bench.fetches, 1);
  for (let i = 0; i < 50; i++) t.equal(await bench.find(`made up ${i}`), 'SIG_KEY');
  t.equal(bench.fetches, 1, 'made up ids cost the issuer nothing');
  bench.set = { keys: [...SET.keys, jwkOf(OTHER_ED25519.publicKey, { kid: 'new' })] };
  bench.now = 29_999;
  t.equal(await bench.find('new'), 'SIG_KEY');
  bench.now = 30_000;
  t.equal(await bench.find('new'), 'ed25519');
  t.equal(bench.fetches, 2);
});

t.test('what cannot be fetched refuses, at once for a while, and recovers by itself', async (t) => {
  const bench = new Bench();
  bench.status = 503;
  t.equal(await bench.find('a'), 'SIG_KEYS_UNAVAILABLE');
  bench.status = 200;
  bench.now = 4_999;
  t.equal(await bench.find('a'), 'SIG_KEYS_UNAVAILABLE');
  t.equal(bench.fetches, 1);
  bench.now = 5_000;
  t.equal(await bench.find('a'), 'ed25519');

  bench.status = 503;
  bench.now = 3_000_000;
  t.equal(await bench.find('a'), 'ed25519', 'a set that is not too old goes on without its refresh');
  await new Promise(setImmediate);
  bench.now = 5_000 + 3_600_000;
  t.equal(await bench.find('a'), 'ed25519');
  await new Promise(setImmediate);
  bench.now += 1;
  t.equal(await bench.find('a'), 'SIG_KEYS_UNAVAILABLE', 'one that is too old counts for nothing');
  bench.status = 200;
  bench.now += 5_000;
  t.equal(await bench.find('a'), 'ed25519');
});

t.test('a call that ends does not wait for the set', async (t) => {
  const bench = new Bench();
  bench.wait = true;
  const cancellation = new Cancellation();
  const found = bench.keys.find({ kid: 'a', fits: () => true }, cancellation);
  cancellation.cancel(new Fault('UPS_TOTAL_TIMEOUT'));
  const outcome = await found;
  t.equal(outcome instanceof Fault && outcome.code, 'UPS_TOTAL_TIMEOUT');
  bench.go();
  t.equal(await bench.find('a'), 'ed25519', 'the fetch went on for the others');
  t.equal(bench.fetches, 1);
});

function answer(body: string, head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json'): Step[] {
  return [{ send: `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}` }, { close: true }];
}

t.test('over a socket: nothing but a small, whole, sound set in time', async (t) => {
  const sound = JSON.stringify(SET);
  const cases: [title: string, steps: Step[], expected: string, note?: string][] = [
    ['sound', answer(sound), 'ed25519'],
    [
      'not found',
      answer(sound, 'HTTP/1.1 404 Not Found\r\nContent-Type: application/json'),
      'SIG_KEYS_UNAVAILABLE',
      'status 404',
    ],
    [
      'a redirect',
      answer('', 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/'),
      'SIG_KEYS_UNAVAILABLE',
      'status 302',
    ],
    [
      'no JSON',
      answer(sound, 'HTTP/1.1 200 OK\r\nContent-Type: text/html'),
      'SIG_KEYS_UNAVAILABLE',
      'no JSON',
    ],
    [
      'compressed',
      answer(sound, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip'),
      'SIG_KEYS_UNAVAILABLE',
      'a content coding that was not asked for',
    ],
    ['too large', answer(`${' '.repeat(2_000)}${sound}`), 'SIG_KEYS_UNAVAILABLE', 'BYT_WIRE_TOO_LARGE'],
    [
      'unsound',
      answer('{"keys":[],"keys":[]}'),
      'SIG_KEYS_UNAVAILABLE',
      'the set holds no sound JSON (PRS_DUPLICATE_NAME)',
    ],
    [
      'cut',
      [
        { send: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{' },
        { reset: true },
      ],
      'SIG_KEYS_UNAVAILABLE',
      'BYT_TRUNCATED',
    ],
    ['slow', [{ sleep_ms: 2_000 }], 'SIG_KEYS_UNAVAILABLE'],
    [
      'dripping',
      [
        { send: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{' },
        { repeat: ' ', every_ms: 20, max: 100 },
      ],
      'SIG_KEYS_UNAVAILABLE',
      'UPS_TOTAL_TIMEOUT',
    ],
  ];
  for (const [title, steps, expected, note] of cases) {
    const upstream = await playUpstream(steps);
    const options = { ...DEFAULT_KEY_SET_OPTIONS, timeoutMs: 250, bytes: 2_000 };
    const keys = new RemoteKeys({ origin: upstream.url, target: '/.well-known/jwks.json?v=1', ...options });
    const found = await keys.find({ kid: 'a', fits: () => true }, new Cancellation());
    t.equal(found instanceof Fault ? found.code : found.asymmetricKeyType, expected, title);
    if (note !== undefined && found instanceof Fault) t.equal(found.detail.note, note, title);
    t.equal(upstream.requests.length, 1, `${title}: one request`);
    const head = upstream.requests[0]?.toString() ?? '';
    t.match(head, /^GET \/\.well-known\/jwks\.json\?v=1 HTTP\/1\.1\r\n/);
    t.match(head, /\r\naccept-encoding: identity\r\n/i);
    await upstream.closed();
    await upstream.close();
  }
  const gone: Server = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const keys = new RemoteKeys({
    origin: `http://127.0.0.1:${port}`,
    target: '/',
    ...DEFAULT_KEY_SET_OPTIONS,
  });
  const found = await keys.find({ kid: 'a', fits: () => true }, new Cancellation());
  t.equal(found instanceof Fault && found.detail.note, 'UPS_CONNECT', 'nobody listens');
});
