import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { DEFAULT_KEY_SET_OPTIONS, RemoteKeys } from '../../src/upstream/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import {
  contentDigest,
  detachedJws,
  ED25519,
  hmac,
  jws,
  OTHER_ED25519,
  OTHER_SECRET,
  P256,
  publicKeys,
  RSA,
  ring,
  SECRET,
  secrets,
} from '../support/signing.js';
import { playUpstream, type Step } from '../support/tcp-upstream.js';
import {
  CLAIMS,
  COMPONENTS,
  contractOf,
  DOCUMENT,
  digestClaim,
  GOOD,
  header,
  inToken,
  KINDS,
  message,
  SECONDS,
  type Signed,
  type SignedKind,
  type Signing,
  signMessage,
} from './signed-answers.js';
import { accepted, call, type Lines, refused } from './signed-call.js';

t.test('a JWS whose payload is the answer', async (t) => {
  for (const framing of ['length', 'chunked', 'dripped'] as const) {
    accepted(t, await call(t, DOCUMENT, DOCUMENT.sign, { framing }), 'signed name', framing);
  }
  const beside = (token: string) => ({ lines: [], body: inToken(token) });
  const claims = { ...CLAIMS, id: 1, name: 'signed name' };
  const other = { keys: ring({ k: publicKeys(OTHER_ED25519.publicKey) }), signature: DOCUMENT.signature };
  const unsecured = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  const cases: [title: string, make: () => Promise<Signed> | Signed, code: string, kind?: typeof other][] = [
    ['no token', () => ({ lines: [], body: Buffer.from(GOOD) }), 'SIG_MISSING'],
    ['a token that is no text', () => ({ lines: [], body: Buffer.from('{"token":{"id":1}}') }), 'SIG_FORM'],
    ['another key', async () => beside(await jws(claims)), 'SIG_INVALID', other],
    ['none', () => beside(unsecured), 'SIG_ALGORITHM'],
    ['expired', async () => beside(await jws({ ...claims, exp: SECONDS - 6 })), 'SIG_TIME'],
    ['not yet valid', async () => beside(await jws({ ...claims, nbf: SECONDS + 6 })), 'SIG_TIME'],
    ['another audience', async () => beside(await jws({ ...claims, aud: 'others' })), 'SIG_CLAIMS'],
    ['another issuer', async () => beside(await jws({ ...claims, iss: 'https://x.example' })), 'SIG_CLAIMS'],
    [
      'the public key taken for a secret',
      async () => {
        const pem = ED25519.publicKey.export({ type: 'spki', format: 'pem' });
        const { createSecretKey } = await import('node:crypto');
        return beside(await jws(claims, createSecretKey(Buffer.from(pem)), { alg: 'HS256' }));
      },
      'SIG_ALGORITHM',
    ],
  ];
  for (const [title, make, code, kind = DOCUMENT] of cases)
    refused(t, await call(t, kind, make), code, title);

  t.equal(
    (await call(t, DOCUMENT, async () => beside(await jws({ ...claims, id: 2 })))).record.operator_code,
    'CHK_BIND',
    'checks see the payload',
  );
  t.equal(
    (await call(t, DOCUMENT, async () => beside(await jws({ ...claims, name: 1 })))).record.operator_code,
    'CON_NO_ALTERNATIVE',
    'and so does the schema',
  );
  const twice = Buffer.from(JSON.stringify(claims).replace('"id":1', '"id":1,"id":1'));
  const doubled = await call(t, DOCUMENT, async () => beside(await jws(twice)));
  refused(t, doubled, 'SIG_FORM', 'the payload is scanned as strictly as an answer');
  t.equal(doubled.record.fault?.note, 'the payload: PRS_DUPLICATE_NAME');
  const inexact = Buffer.from(JSON.stringify(claims).replace('"id":1', '"id":9007199254740993'));
  t.equal(
    (await call(t, DOCUMENT, async () => beside(await jws(inexact)))).record.operator_code,
    'PRS_INTEGER_RANGE',
    'and its numbers are exact',
  );
  const outer = async () => {
    const token = await jws(claims);
    return { lines: [], body: Buffer.from(`{"token":"${token}","token":"${token}"}`) };
  };
  t.equal(
    (await call(t, DOCUMENT, outer)).record.operator_code,
    'PRS_DUPLICATE_NAME',
    'and what is around it too',
  );
});

const K = ring({ k: publicKeys(ED25519.publicKey) });
const MESSAGE = message('ed25519', K);

t.test('HTTP message signatures: what is pinned', async (t) => {
  const parameters = (text: string) => (signing: Signing) =>
    signMessage(signing, 'ed25519', { parameters: text });
  const components =
    (make: (signing: Signing, digest: string) => [string, string][]) =>
    (signing: Signing): Signed =>
      signMessage(signing, 'ed25519', { components: make });
  const full = ({ status, method, targetUri }: Signing, digest: string): [string, string][] => [
    ['"@status"', String(status)],
    ['"content-digest"', digest],
    ['"@method";req', method],
    ['"@target-uri";req', targetUri],
  ];
  const cases: [title: string, make: (signing: Signing) => Signed, code: string | null][] = [
    ['algorithm as pinned', parameters(`created=${SECONDS};alg="ed25519"`), null],
    ['other order', parameters(`keyid="k";nonce="n";tag="t";created=${SECONDS}`), null],
    [
      'more components',
      components((signing, digest) => [['"content-type"', 'application/json'], ...full(signing, digest)]),
      null,
    ],
    ['another algorithm', parameters(`created=${SECONDS};alg="rsa-v1_5-sha256"`), 'SIG_ALGORITHM'],
    ['no created', parameters('keyid="k"'), 'SIG_FORM'],
    ['created is no integer', parameters(`created="${SECONDS}"`), 'SIG_FORM'],
    ['a parameter that is not understood', parameters(`created=${SECONDS};x=1`), 'SIG_FORM'],
    ['expired', parameters(`created=${SECONDS - 10};expires=${SECONDS - 5}`), 'SIG_TIME'],
    ['expired just now, within skew', parameters(`created=${SECONDS - 10};expires=${SECONDS - 4}`), null],
    ['too old', parameters(`created=${SECONDS - 66}`), 'SIG_TIME'],
    ['from the future', parameters(`created=${SECONDS + 6}`), 'SIG_TIME'],
    ...COMPONENTS.map((name, index): [string, (signing: Signing) => Signed, string] => [
      `${name} not covered`,
      components((signing, digest) => full(signing, digest).filter((_, i) => i !== index)),
      'SIG_COVERAGE',
    ]),
    ['nothing covered', components(() => []), 'SIG_COVERAGE'],
    [
      'a header that is not there',
      components((signing, digest) => [...full(signing, digest), ['"x-none"', '']]),
      'SIG_COVERAGE',
    ],
    [
      'a component twice',
      components((signing, digest) => [...full(signing, digest), ['"@status"', '200']]),
      'SIG_COVERAGE',
    ],
    [
      'a part of the digest',
      components((signing, digest) =>
        full(signing, digest).map(([id, value]) =>
          id === '"content-digest"'
            ? ['"content-digest";key="sha-256"', value.slice('sha-256='.length)]
            : [id, value],
        ),
      ),
      'SIG_COVERAGE',
    ],
    [
      'the request of another call',
      (signing) => signMessage({ ...signing, targetUri: signing.targetUri.replace('/1', '/2') }, 'ed25519'),
      'SIG_INVALID',
    ],
    ['another method', (signing) => signMessage({ ...signing, method: 'POST' }, 'ed25519'), 'SIG_INVALID'],
    ['another status', (signing) => signMessage({ ...signing, status: 201 }, 'ed25519'), 'SIG_INVALID'],
    [
      'another key',
      (signing) => signMessage(signing, 'ed25519', { key: OTHER_ED25519.privateKey }),
      'SIG_INVALID',
    ],
    [
      'another algorithm with its own key',
      (signing) => signMessage(signing, 'ecdsa-p256-sha256'),
      'SIG_INVALID',
    ],
  ];
  for (const [title, make, code] of cases) {
    const outcome = await call(t, MESSAGE, make);
    if (code === null) accepted(t, outcome, 'signed name', title);
    else refused(t, outcome, code, title);
  }

  const sender = (label: string) => (signing: Signing) => {
    const mine = signMessage(signing, 'ed25519');
    const others = signMessage(signing, 'ed25519', { key: OTHER_ED25519.privateKey });
    return {
      body: signing.body,
      lines: [
        ...mine.lines,
        ...others.lines.slice(1).map(([name, value]) => [name, value.replace('sig1', label)] as const),
      ],
    };
  };
  refused(t, await call(t, MESSAGE, sender('other')), 'SIG_FORM', 'two signatures, and none is pinned');
  const pinned = {
    ...MESSAGE,
    signature: {
      id: 'signed',
      message_signature: {
        key: 'k',
        algorithm: 'ed25519',
        components: COMPONENTS,
        max_age: '60s',
        label: 'sig1',
      },
    },
  } as const;
  accepted(t, await call(t, pinned, sender('other')), 'signed name', 'two signatures, the label is pinned');
  refused(
    t,
    await call(t, pinned, (signing) => ({
      ...sender('sig2')(signing),
      lines: sender('sig2')(signing).lines.filter(([, value]) => !value.startsWith('sig1=')),
    })),
    'SIG_MISSING',
    'the pinned one is gone',
  );
  const tagged = {
    ...MESSAGE,
    signature: {
      id: 'signed',
      message_signature: {
        key: 'k',
        algorithm: 'ed25519',
        components: COMPONENTS,
        max_age: '60s',
        tag: 'assay',
      },
    },
  } as const;
  accepted(t, await call(t, tagged, parameters(`created=${SECONDS};tag="assay"`)), 'signed name', 'the tag');
  refused(
    t,
    await call(t, tagged, parameters(`created=${SECONDS};tag="else"`)),
    'SIG_MISSING',
    'another tag',
  );
});

t.test('key ids', async (t) => {
  const keyed = message(
    'ed25519',
    ring({ k: publicKeys({ key: ED25519.publicKey, kid: 'k' }, { key: OTHER_ED25519.publicKey, kid: 'o' }) }),
  );
  const by =
    (keyid: string, key = ED25519.privateKey) =>
    (signing: Signing) =>
      signMessage(signing, 'ed25519', { parameters: `created=${SECONDS}${keyid}`, key });
  accepted(t, await call(t, keyed, by(';keyid="k"')));
  accepted(t, await call(t, keyed, by(';keyid="o"', OTHER_ED25519.privateKey)));
  refused(t, await call(t, keyed, by(';keyid="o"')), 'SIG_INVALID', 'a key under the id of another');
  refused(t, await call(t, keyed, by(';keyid="x"')), 'SIG_KEY', 'an unknown id');
  refused(t, await call(t, keyed, by('')), 'SIG_KEY', 'no id, and two keys fit');
});

t.test('HMAC: key, algorithm and form', async (t) => {
  const kind = KINDS['HMAC as GitHub sends it'] as SignedKind;
  const name = 'x-hub-signature-256';
  const cases: [title: string, value: (body: Uint8Array) => string, code: string | null][] = [
    ['upper case', (body) => `sha256=${hmac(body).toUpperCase()}`, null],
    ['another key', (body) => `sha256=${hmac(body, 'hex', OTHER_SECRET)}`, 'SIG_INVALID'],
    ['no prefix', (body) => hmac(body), 'SIG_FORM'],
    ['another prefix', (body) => `sha1=${hmac(body, 'hex', SECRET, 'sha1')}`, 'SIG_FORM'],
    ['a shorter hash', (body) => `sha256=${hmac(body, 'hex', SECRET, 'sha1')}`, 'SIG_FORM'],
    ['base64', (body) => `sha256=${hmac(body, 'base64')}`, 'SIG_FORM'],
    ['more after it', (body) => `sha256=${hmac(body)}00`, 'SIG_FORM'],
    ['cut', (body) => `sha256=${hmac(body).slice(0, 62)}`, 'SIG_FORM'],
    ['empty', () => 'sha256=', 'SIG_FORM'],
    ['two in a line', (body) => `sha256=${hmac(body)}, sha256=${hmac(body)}`, 'SIG_FORM'],
    ['of no body', () => `sha256=${hmac(Buffer.alloc(0))}`, 'SIG_INVALID'],
  ];
  for (const [title, value, code] of cases) {
    const outcome = await call(
      t,
      kind,
      header(name, ({ body }) => value(body)),
    );
    if (code === null) accepted(t, outcome, 'signed name', title);
    else refused(t, outcome, code, title);
  }
  const changing = { ...kind, keys: ring({ k: secrets(OTHER_SECRET, SECRET) }) };
  accepted(t, await call(t, changing, kind.sign), 'signed name', 'the previous key');
});

t.test('JWS over the body or its digest: key, algorithm, audience', async (t) => {
  const digest = KINDS['JWS with a digest of the body'] as SignedKind;
  const body = KINDS['JWS over the body'] as SignedKind;
  const claims = (bytes: Uint8Array, more: object = {}) => ({
    ...CLAIMS,
    body: { sha256: digestClaim(bytes) },
    ...more,
  });
  const cases: [
    title: string,
    kind: SignedKind,
    value: (body: Uint8Array) => Promise<string>,
    code: string,
  ][] = [
    ['another key', digest, (bytes) => jws(claims(bytes), OTHER_ED25519.privateKey), 'SIG_INVALID'],
    [
      'another algorithm',
      digest,
      (bytes) => jws(claims(bytes), P256.privateKey, { alg: 'ES256' }),
      'SIG_ALGORITHM',
    ],
    ['a secret', digest, (bytes) => jws(claims(bytes), SECRET, { alg: 'HS256' }), 'SIG_ALGORITHM'],
    ['expired', digest, (bytes) => jws(claims(bytes, { exp: SECONDS - 6 })), 'SIG_TIME'],
    ['not yet valid', digest, (bytes) => jws(claims(bytes, { nbf: SECONDS + 6 })), 'SIG_TIME'],
    ['another audience', digest, (bytes) => jws(claims(bytes, { aud: 'others' })), 'SIG_CLAIMS'],
    ['no digest', digest, () => jws(CLAIMS), 'SIG_CLAIMS'],
    ['a digest of another body', digest, () => jws(claims(Buffer.from('{}'))), 'SIG_DIGEST'],
    [
      'a critical extension',
      digest,
      (bytes) => jws(claims(bytes), ED25519.privateKey, { alg: 'EdDSA', crit: ['b64'], b64: true }),
      'SIG_ALGORITHM',
    ],
    ['a payload that is not detached', body, (bytes) => jws(bytes), 'SIG_FORM'],
    ['another key, detached', body, (bytes) => detachedJws(bytes, OTHER_ED25519.privateKey), 'SIG_INVALID'],
    [
      'another algorithm, detached',
      body,
      (bytes) => detachedJws(bytes, RSA.privateKey, { alg: 'PS256' }),
      'SIG_ALGORITHM',
    ],
  ];
  for (const [title, kind, value, code] of cases) {
    refused(
      t,
      await call(
        t,
        kind,
        header('x-jws', (signing) => value(signing.body)),
      ),
      code,
      title,
    );
  }
  // RFC 8725 section 2.1, the other way round: a contract that wants a secret never takes a public key
  const withSecret = {
    signature: { id: 'signed', jws: { key: 'k', algorithms: ['HS256'], covers: 'body', header: 'x-jws' } },
    keys: ring({ k: secrets(SECRET) }),
  } as const;
  accepted(
    t,
    await call(
      t,
      withSecret,
      header('x-jws', (signing) => detachedJws(signing.body, SECRET, { alg: 'HS256' })),
    ),
  );
  t.throws(
    () => planOf({ origin: 'http://x', contract: contractOf(withSecret.signature), keys: K }),
    /is no secret/,
  );
  t.throws(
    () => planOf({ origin: 'http://x', contract: contractOf(MESSAGE.signature) }),
    /there is no key k/,
  );
});

t.test('every alternative is signed, but for failures that say otherwise', async (t) => {
  const kind = KINDS['HMAC as GitHub sends it'] as SignedKind;
  const contract: ContractDefinition = {
    ...contractOf(kind.signature),
    responses: [
      THING.responses[0] as ContractDefinition['responses'][number],
      { status: 404, failure: 'NOT_FOUND' },
      { status: 410, failure: 'NOT_FOUND', unsigned: true },
    ],
  };
  const answer = (status: string, lines: Lines = []) =>
    call(t, kind, (signing) => ({ body: signing.body, lines }), { contract, status });
  t.equal((await answer('404 Not Found')).record.operator_code, 'SIG_MISSING', 'an unsigned 404');
  const signed = await call(t, kind, kind.sign, { contract, status: '404 Not Found' });
  t.equal(signed.record.operator_code, 'CON_DECLARED_FAILURE', 'a signed one');
  t.equal(signed.record.attempts[0]?.wire_bytes, GOOD.length, 'its body was read');
  const forged = await call(
    t,
    kind,
    async (signing) => ({ ...(await kind.sign(signing)), body: Buffer.from('{}') }),
    { contract, status: '404 Not Found' },
  );
  t.equal(forged.record.operator_code, 'SIG_INVALID', 'a signed one with another body');
  const endless = await call(t, kind, kind.sign, {
    contract,
    status: '404 Not Found',
    limits: { wireBytes: 10 },
  });
  t.equal(
    endless.record.operator_code,
    'BYT_WIRE_TOO_LARGE',
    'a body that nobody needs is bounded all the same',
  );
  t.equal((await answer('410 Gone')).record.operator_code, 'CON_DECLARED_FAILURE', 'an unsigned 410');
  t.equal(
    (await answer('503 Service Unavailable')).record.operator_code,
    'UPS_SERVER_ERROR',
    'no answer of the contract',
  );
});

t.test('an answer without body is signed like any other', async (t) => {
  const kind = KINDS['HMAC as GitHub sends it'] as SignedKind;
  for (const [title, mac, code] of [
    ['signed', hmac(Buffer.alloc(0)), 'CON_DECLARED_FAILURE'],
    ['signed as another body', hmac(Buffer.from(GOOD)), 'SIG_INVALID'],
  ] as const) {
    const head = `HTTP/1.1 204 No Content\r\nx-hub-signature-256: sha256=${mac}\r\n\r\n`;
    const upstream = await playUpstream([{ send: head }, { close: true }]);
    const run = harness([
      planOf({ origin: upstream.url, contract: contractOf(kind.signature), keys: kind.keys }),
    ]);
    t.equal((await run.call('/things/1')).record.operator_code, code, title);
    await run.close();
    await upstream.close();
  }
});

t.test('a token may stand anywhere', async (t) => {
  const claims = { ...CLAIMS, id: 1, name: 'signed name' };
  for (const [from, body] of [
    ['', (token: string) => token],
    ['/0/a~1b', (token: string) => [{ 'a/b': token }]],
    ['/0', (token: string) => ({ 0: token })],
  ] as const) {
    const { jws: terms } = DOCUMENT.signature as Extract<typeof DOCUMENT.signature, { jws: unknown }>;
    const kind = { ...DOCUMENT, signature: { id: 'signed', jws: { ...terms, from } } };
    const make = async () => ({ lines: [], body: Buffer.from(JSON.stringify(body(await jws(claims)))) });
    accepted(t, await call(t, kind, make), 'signed name', from);
  }
});

t.test('secrets are compared in constant time', async (t) => {
  for (const file of ['hmac', 'message-signature', 'content-digest', 'jws']) {
    const source = readFileSync(`src/evidence/${file}.ts`, 'utf8');
    t.match(source, /timingSafeEqual\(/, file);
    t.notMatch(source, /\.(?:equals|compare)\(/, file);
  }
});

t.test('several signatures: all of them', async (t) => {
  const mac = KINDS['HMAC as GitHub sends it'] as SignedKind;
  const contract = contractOf({ id: 'whole', content_digest: {} }, mac.signature);
  const both = async (signing: Signing) => {
    const { lines, body } = await mac.sign(signing);
    return { body, lines: [...lines, ['content-digest', contentDigest(body)] as const] };
  };
  accepted(t, await call(t, mac, both, { contract }));
  const without = await call(t, mac, mac.sign, { contract });
  t.equal(without.record.operator_code, 'SIG_MISSING');
  t.equal(without.record.fault?.rule, 'whole');
  const digestOnly = await call(
    t,
    mac,
    header('content-digest', ({ body }) => contentDigest(body)),
    { contract },
  );
  t.equal(digestOnly.record.fault?.rule, 'signed');
});

t.test('refused by its head, an answer is not read', async (t) => {
  let sent = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n');
      const timer = setInterval(() => {
        sent += 1;
        socket.write('x');
      }, 5);
      socket.on('close', () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const kind = KINDS['HMAC as GitHub sends it'] as SignedKind;
  const run = harness([
    planOf({ origin: `http://127.0.0.1:${port}`, contract: contractOf(kind.signature), keys: kind.keys }),
  ]);
  const { record } = await run.call('/things/1');
  t.equal(record.operator_code, 'SIG_MISSING');
  t.ok(sent < 100);
  await run.close();
  await new Promise((resolve) => server.close(resolve));
});

t.test('keys from a key set behind a URL', async (t) => {
  const jwk = (key: typeof ED25519.publicKey, kid: string) => ({ ...key.export({ format: 'jwk' }), kid });
  let set: Step[] = [];
  const issuer = await playUpstream(() => set);
  const serve = (keys: object[], status = '200 OK') => {
    const text = JSON.stringify({ keys });
    set = [
      {
        send: `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      },
      { close: true },
    ];
  };
  const keysOf = () => {
    const options = { ...DEFAULT_KEY_SET_OPTIONS, retryMs: 1, timeoutMs: 500 };
    return ring({
      k: { kind: 'public', keys: new RemoteKeys({ origin: issuer.url, target: '/jwks', ...options }) },
    });
  };
  const sign =
    (kid: string, key = ED25519.privateKey) =>
    async ({ body }: Signing) => ({
      body,
      lines: [
        [
          'x-jws',
          await jws({ ...CLAIMS, body: { sha256: digestClaim(body) } }, key, { alg: 'EdDSA', kid }),
        ] as const,
      ],
    });
  const { signature } = KINDS['JWS with a digest of the body'] as SignedKind;
  const kind = { signature, keys: keysOf() };
  serve([jwk(ED25519.publicKey, 'one')]);
  t.equal(issuer.requests.length, 0, 'nothing is fetched before it is needed');
  accepted(t, await call(t, kind, sign('one')));
  accepted(t, await call(t, kind, sign('one')));
  t.equal(issuer.requests.length, 1, 'and once only');
  serve([jwk(ED25519.publicKey, 'one'), jwk(OTHER_ED25519.publicKey, 'two')]);
  accepted(t, await call(t, kind, sign('two', OTHER_ED25519.privateKey)), 'signed name', 'a new key');
  refused(t, await call(t, kind, sign('two')), 'SIG_INVALID', 'its id with another key');
  refused(t, await call(t, kind, sign('three')), 'SIG_KEY', 'an id that is not there');
  serve([], '500 Oops');
  refused(t, await call(t, { signature, keys: keysOf() }, sign('one')), 'SIG_KEYS_UNAVAILABLE', 'no set');
  set = [{ sleep_ms: 3_000 }];
  refused(
    t,
    await call(t, { signature, keys: keysOf() }, sign('one')),
    'SIG_KEYS_UNAVAILABLE',
    'no set in time',
  );
  const late = await call(t, { signature, keys: keysOf() }, sign('one'), { limits: { totalMs: 100 } });
  t.equal(late.record.operator_code, 'UPS_TOTAL_TIMEOUT', "the call's own deadline comes first");
  await issuer.close();
});
