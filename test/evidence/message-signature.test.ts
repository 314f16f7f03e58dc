import { createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import t from 'tap';
import type { MessageSignatureDefinition } from '../../src/contract/index.js';
import {
  AnswerVerifier,
  compileSignatures,
  type KeyRing,
  SignatureRules,
  type SignedAnswer,
} from '../../src/evidence/index.js';
import { fitsMessage, isMac, isSigned } from '../../src/evidence/message-signature.js';
import { signatureBase } from '../../src/evidence/message-signature-base.js';
import { parseDictionary } from '../../src/evidence/structured-field.js';
import { Fault } from '../../src/fault/index.js';
import { Cancellation, ResponseHeaders } from '../../src/upstream/index.js';
import { THING } from '../support/harness.js';
import { ED25519, P256, publicKeys, ring } from '../support/signing.js';

// RFC 9421 appendix B.2.1 to B.2.6: the bases as published, each with the signature and key of its section.
const RSA_PSS = createPublicKey(`-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----`);
const SHARED_SECRET = createSecretKey(
  Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  ),
);
const REQUEST_DIGEST =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';
const RESPONSE_DIGEST =
  'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:';

t.test('the signatures of RFC 9421 appendix B.2 verify over their bases, and over no other', async (t) => {
  const cases: [
    section: string,
    base: string,
    signature: string,
    check: (base: Buffer, signature: Buffer) => boolean,
  ][] = [
    [
      'B.2.1, rsa-pss-sha512',
      '"@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
      'd2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==',
      (base, signature) => isSigned('rsa-pss-sha512', base, RSA_PSS, signature),
    ],
    [
      'B.2.2, rsa-pss-sha512',
      `"@authority": example.com\n"content-digest": ${REQUEST_DIGEST}\n"@query-param";name="Pet": dog\n"@signature-params": ("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"`,
      'LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==',
      (base, signature) => isSigned('rsa-pss-sha512', base, RSA_PSS, signature),
    ],
    [
      'B.2.3, rsa-pss-sha512',
      `"date": Tue, 20 Apr 2021 02:07:55 GMT\n"@method": POST\n"@path": /foo\n"@query": ?param=Value&Pet=dog\n"@authority": example.com\n"content-type": application/json\n"content-digest": ${REQUEST_DIGEST}\n"content-length": 18\n"@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"`,
      'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==',
      (base, signature) => isSigned('rsa-pss-sha512', base, RSA_PSS, signature),
    ],
    [
      'B.2.5, hmac-sha256',
      '"date": Tue, 20 Apr 2021 02:07:55 GMT\n"@authority": example.com\n"content-type": application/json\n"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
      'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=',
      (base, signature) => isMac(base, SHARED_SECRET, signature),
    ],
    [
      'B.2.6, ed25519',
      '"date": Tue, 20 Apr 2021 02:07:55 GMT\n"@method": POST\n"@path": /foo\n"@authority": example.com\n"content-type": application/json\n"content-length": 18\n"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
      (base, signature) => isSigned('ed25519', base, ED25519.publicKey, signature),
    ],
  ];
  for (const [section, base, coded, check] of cases) {
    const signature = Buffer.from(coded, 'base64');
    t.ok(check(Buffer.from(base), signature), section);
    t.notOk(
      check(Buffer.from(base.replace('1618884473', '1618884474')), signature),
      `${section}, another base`,
    );
    const other = Buffer.from(signature);
    other[5] = (other[5] ?? 0) ^ 1;
    t.notOk(check(Buffer.from(base), other), `${section}, another signature`);
    t.notOk(check(Buffer.from(base), signature.subarray(1)), `${section}, cut`);
  }
});

function verifierOf(terms: MessageSignatureDefinition['message_signature'], keys: KeyRing): AnswerVerifier {
  const compiled = compileSignatures({ ...THING, signatures: [{ id: 'signed', message_signature: terms }] });
  if (!(compiled instanceof SignatureRules)) throw new Error(JSON.stringify(compiled));
  const bound = compiled.withKeys(keys);
  if (!(bound instanceof AnswerVerifier)) throw new Error(JSON.stringify(bound));
  return bound;
}

const CREATED = 1_618_884_473;
const TEST_REQUEST: Pick<SignedAnswer, 'request' | 'upstream' | 'cancellation'> = {
  request: {
    method: 'POST',
    target: '/foo?param=Value&Pet=dog',
    headers: new Map([
      ['content-type', 'application/json'],
      ['content-digest', REQUEST_DIGEST],
    ]),
    body: Buffer.from('{"hello": "world"}'),
  },
  upstream: {
    name: 'test',
    origin: 'https://example.com',
    basePath: '',
    headers: new Map(),
    codings: ['gzip'],
    connections: 1,
    connectMs: 1,
    headerBytes: 1,
  },
  cancellation: new Cancellation(),
};

async function run(verifier: AnswerVerifier, answer: SignedAnswer, body: Uint8Array): Promise<string> {
  const running = verifier.begin(answer);
  if (running instanceof Fault) return running.code;
  running.update(body);
  const verdict = await running.finish({ document: undefined });
  return verdict instanceof Fault ? verdict.code : 'verified';
}

t.test('the signed response of RFC 9421 appendix B.2.4 verifies as a whole', async (t) => {
  const body = Buffer.from('{"message": "good dog"}');
  const lines = (changes: Record<string, string> = {}) => {
    const headers = {
      date: 'Tue, 20 Apr 2021 02:07:56 GMT',
      'content-type': 'application/json',
      'content-digest': RESPONSE_DIGEST,
      'content-length': '23',
      'signature-input':
        'sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
      signature:
        'sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:',
      ...changes,
    };
    return new ResponseHeaders(Object.entries(headers));
  };
  const verifier = verifierOf(
    { key: 'rfc', algorithm: 'ecdsa-p256-sha256', components: ['@status', 'content-digest'], max_age: '60s' },
    ring({ rfc: publicKeys({ key: P256.publicKey, kid: 'test-key-ecc-p256' }) }),
  );
  const answer = { ...TEST_REQUEST, status: 200, headers: lines(), now: CREATED * 1000 };
  t.equal(await run(verifier, answer, body), 'verified');
  t.equal(await run(verifier, { ...answer, status: 201 }, body), 'SIG_INVALID', 'another status');
  t.equal(
    await run(verifier, { ...answer, headers: lines({ 'content-length': '24' }) }, body),
    'SIG_INVALID',
  );
  t.equal(await run(verifier, answer, Buffer.from('{"message": "good cat"}')), 'SIG_DIGEST', 'another body');
  t.equal(await run(verifier, { ...answer, now: (CREATED + 66) * 1000 }, body), 'SIG_TIME', 'later');
});

t.test('the response of RFC 9421 section 2.4 is bound to its request', async (t) => {
  const body = Buffer.from('{"busy": true, "message": "Your call is very important to us"}');
  const headers = new ResponseHeaders([
    ['date', 'Tue, 20 Apr 2021 02:07:56 GMT'],
    ['content-type', 'application/json'],
    ['content-length', '62'],
    [
      'content-digest',
      'sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:',
    ],
    [
      'signature-input',
      'reqres=("@status" "content-digest" "content-type" "@authority";req "@method";req "@path";req "content-digest";req);created=1618884479;keyid="test-key-ecc-p256"',
    ],
    [
      'signature',
      'reqres=:dMT/A/76ehrdBTD/2Xx8QuKV6FoyzEP/I9hdzKN8LQJLNgzU4W767HK05rx1i8meNQQgQPgQp8wq2ive3tV5Ag==:',
    ],
  ]);
  const verifier = verifierOf(
    {
      key: 'rfc',
      algorithm: 'ecdsa-p256-sha256',
      components: [
        '@status',
        'content-digest',
        '@method;req',
        '@authority;req',
        '@path;req',
        'content-digest;req',
      ],
      max_age: '60s',
    },
    ring({ rfc: publicKeys(P256.publicKey) }),
  );
  const answer: SignedAnswer = { ...TEST_REQUEST, status: 503, headers, now: CREATED * 1000 + 6_000 };
  t.equal(await run(verifier, answer, body), 'verified');
  const others: [title: string, SignedAnswer][] = [
    ['method', { ...answer, request: { ...answer.request, method: 'PUT' } }],
    ['path', { ...answer, request: { ...answer.request, target: '/bar?param=Value&Pet=dog' } }],
    ['host', { ...answer, upstream: { ...answer.upstream, origin: 'https://example.org' } }],
    ['port', { ...answer, upstream: { ...answer.upstream, origin: 'https://example.com:8443' } }],
    ['base path', { ...answer, upstream: { ...answer.upstream, basePath: '/v1' } }],
    [
      'body',
      { ...answer, request: { ...answer.request, headers: new Map([['content-digest', RESPONSE_DIGEST]]) } },
    ],
  ];
  for (const [title, other] of others)
    t.equal(await run(verifier, other, body), 'SIG_INVALID', `another ${title}`);
  const silent = { ...answer, request: { ...answer.request, headers: new Map<string, string>() } };
  t.equal(await run(verifier, silent, body), 'SIG_COVERAGE', 'a request without the covered header');
});

t.test('an RSASSA-PSS key is taken where its own parameters allow the algorithm', async (t) => {
  const fits = (options: object) => {
    const { publicKey } = generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      ...options,
    } as never) as unknown as {
      publicKey: KeyObject;
    };
    return fitsMessage('rsa-pss-sha512', { key: publicKey, alg: undefined, kid: undefined });
  };
  t.ok(fits({}), 'not restricted');
  t.ok(fits({ hashAlgorithm: 'sha512', mgf1HashAlgorithm: 'sha512', saltLength: 64 }));
  t.notOk(fits({ hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha256', saltLength: 32 }));
});

t.test('components are made as RFC 9421 section 2 says, or not at all', async (t) => {
  const answer: SignedAnswer = {
    ...TEST_REQUEST,
    upstream: { ...TEST_REQUEST.upstream, origin: 'http://example.com:8080', basePath: '/v1' },
    status: 200,
    now: 0,
    headers: new ResponseHeaders([
      ['x-one', 'a'],
      ['x-one', 'b, c'],
      ['x-empty', ''],
      ['x-latin', 'caf\u00e9'],
      ['set-cookie', 'a=b'],
    ]),
  };
  const value = (item: string): string | undefined => {
    const list = parseDictionary(`x=(${item})`)?.get('x');
    if (list === undefined || !('items' in list)) throw new Error(item);
    return signatureBase(list, answer)?.split('\n')[0];
  };
  const known: [item: string, line: string][] = [
    ['"@status"', '"@status": 200'],
    ['"x-one"', '"x-one": a, b, c'],
    ['"x-empty"', '"x-empty": '],
    ['"x-one";bs', '"x-one";bs: :YQ==:, :YiwgYw==:'],
    ['"x-latin";bs', '"x-latin";bs: :Y2Fm6Q==:'],
    ['"@method";req', '"@method";req: POST'],
    ['"@scheme";req', '"@scheme";req: http'],
    ['"@authority";req', '"@authority";req: example.com:8080'],
    ['"@target-uri";req', '"@target-uri";req: http://example.com:8080/v1/foo?param=Value&Pet=dog'],
    ['"@request-target";req', '"@request-target";req: /v1/foo?param=Value&Pet=dog'],
    ['"@path";req', '"@path";req: /v1/foo'],
    ['"@query";req', '"@query";req: ?param=Value&Pet=dog'],
    ['"content-type";req', '"content-type";req: application/json'],
    ['"content-length";req', '"content-length";req: 18'],
    ['"accept-encoding";req', '"accept-encoding";req: gzip'],
    ['"host";req', '"host";req: example.com:8080'],
  ];
  for (const [item, line] of known) t.equal(value(item), line, item);
  const unknown = [
    '"@method"',
    '"@status";req',
    '"@signature-params"',
    '"@query-param";req;name="Pet"',
    '"@made-up"',
    '"x-none"',
    '"X-One"',
    '"x-latin"',
    '"set-cookie"',
    '"x-one";sf',
    '"x-one";key="a"',
    '"x-one";tr',
    '"x-one";bs=?0',
    '"x-one";req=1',
    '"x-one" "x-one"',
    'token',
    '"cookie";req',
  ];
  for (const item of unknown) t.equal(value(item), undefined, item);
});
