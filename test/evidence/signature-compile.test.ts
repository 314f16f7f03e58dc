import { createSecretKey } from 'node:crypto';
import t from 'tap';
import type { ContractDefinition, JwsDefinition, SignatureDefinition } from '../../src/contract/index.js';
import { compileSignatures, type KeyRing, SignatureRules } from '../../src/evidence/index.js';
import { assembleContract } from '../../src/route/index.js';
import { sourceOf, THING } from '../support/harness.js';
import { ED25519, P256, publicKeys, RSA, ring, SECRET, secrets } from '../support/signing.js';

const HMAC: SignatureDefinition = { id: 'signed', hmac: { key: 'k', header: 'x-mac', algorithm: 'sha256' } };
const JWS: JwsDefinition['jws'] = { key: 'k', algorithms: ['EdDSA'], covers: 'body', header: 'x-jws' };
const CLAIMS = { issuer: 'i', audience: 'a' };
const MESSAGE = {
  key: 'k',
  algorithm: 'ed25519',
  components: ['@status', 'content-digest'],
  max_age: '60s',
} as const;

function problems(definition: Partial<ContractDefinition>): string[] {
  const compiled = compileSignatures({ ...THING, ...definition });
  return compiled !== undefined && 'problems' in compiled
    ? compiled.problems.map(({ pointer, message }) => `${pointer}: ${message}`)
    : [];
}

const jws = (more: Partial<JwsDefinition['jws']>) =>
  problems({ signatures: [{ id: 'signed', jws: { ...JWS, ...more } }] });
const message = (more: object) =>
  problems({ signatures: [{ id: 'signed', message_signature: { ...MESSAGE, ...more } }] });

t.test('a contract without signatures demands nothing', async (t) => {
  t.equal(compileSignatures(THING), undefined);
  const assembled = assembleContract(sourceOf(THING));
  t.notOk('signatures' in assembled);
  t.ok(compileSignatures({ ...THING, signatures: [HMAC] }) instanceof SignatureRules);
});

t.test('what cannot be sound does not compile', async (t) => {
  const [result, ...failures] = THING.responses;
  if (result === undefined) throw new Error('no responses');
  const cases: [title: string, found: string[], expected: string[]][] = [
    [
      'two of one name',
      problems({ signatures: [HMAC, HMAC] }),
      ['/signatures/1/id: two signatures are called "signed"'],
    ],
    [
      'of no kind',
      problems({ signatures: [{ id: 'signed' } as SignatureDefinition] }),
      ['/signatures/0: a signature has one of: content_digest, hmac, message_signature, jws'],
    ],
    [
      'unsigned without signatures',
      problems({ responses: [result, { status: 404, failure: 'NOT_FOUND', unsigned: true }] }),
      ['/responses/1/unsigned: the contract demands no signatures'],
    ],
    [
      'an unsigned result',
      problems({ signatures: [HMAC], responses: [{ ...result, unsigned: true }, ...failures] }),
      ['/responses/0/unsigned: a result has to be signed'],
    ],
    [
      'an unsigned alternative beside a signed one',
      problems({
        signatures: [HMAC],
        responses: [result, { status: [200, 404], failure: 'NOT_FOUND', schema: true, unsigned: true }],
      }),
      [
        '/responses/1/unsigned: another alternative of status 200 is signed, so that a stripped answer could pass as this one',
      ],
    ],
    [
      'components without @status',
      message({ components: ['content-digest'] }),
      [
        '/signatures/0/message_signature/components: components lacks @status, without which any status would do',
      ],
    ],
    [
      'components without content-digest',
      message({ components: ['@status', 'content-digest;bs'] }),
      [
        '/signatures/0/message_signature/components: components lacks content-digest, without which any body would do',
      ],
    ],
    [
      'a component that is none',
      message({ components: ['@status', 'content-digest', '@method'] }),
      ['/signatures/0/message_signature/components/2: "@method" is not a component that can be known'],
    ],
    [
      'a duration that is none',
      message({ max_age: '1 minute' }),
      ['/signatures/0/message_signature/max_age: "1 minute" is not a valid duration'],
    ],
    [
      'none',
      jws({ algorithms: ['none'] }),
      ['/signatures/0/jws/algorithms/0: "none" is not an algorithm that can be allowed'],
    ],
    [
      'a secret beside public keys',
      jws({ algorithms: ['HS256', 'RS256'] }),
      [
        '/signatures/0/jws/algorithms: algorithms with a secret and algorithms with public keys stand side by side',
      ],
    ],
    [
      'a member that covers its own body',
      jws({ from: '/token' }),
      ['/signatures/0/jws/from: covers: body goes with header, not with from'],
    ],
    [
      'a document in a header',
      jws({ ...CLAIMS, covers: 'document' }),
      [
        '/signatures/0/jws/header: covers: document goes with from, not with header',
        '/responses/1: the answer is the payload of a JWS, and an alternative without schema has no answer to find it in',
      ],
    ],
    [
      'a digest that is not told',
      jws({ ...CLAIMS, covers: 'digest' }),
      ['/signatures/0/jws/covers: digest and covers: digest go together'],
    ],
    [
      'no issuer',
      jws({
        audience: 'a',
        covers: 'digest',
        digest: { claim: '/d', algorithm: 'sha-256', encoding: 'hex' },
      }),
      ['/signatures/0/jws: covers: digest needs issuer and audience, or a token of another service would do'],
    ],
    [
      'claims of a body',
      jws({ issuer: 'i' }),
      ['/signatures/0/jws/issuer: with covers: body the payload is the body, which has no issuer'],
    ],
  ];
  for (const [title, found, expected] of cases) t.same(found, expected, title);

  const { header: _, ...bare } = JWS;
  const document: SignatureDefinition = {
    id: 'signed',
    jws: { ...bare, ...CLAIMS, covers: 'document', from: '/token' },
  };
  t.same(problems({ signatures: [document], responses: [result] }), []);
  t.same(problems({ signatures: [document, { ...document, id: 'other' }], responses: [result] }), [
    '/signatures/1/jws/covers: two payloads cannot both be the answer',
  ]);
  t.same(problems({ signatures: [{ id: 'signed', jws: bare }] }), [
    '/signatures/0/jws/covers: covers: body needs header',
  ]);
});

t.test('problems of signatures are problems of the contract', async (t) => {
  const assembled = assembleContract(sourceOf({ ...THING, signatures: [HMAC, HMAC] }));
  t.same('problems' in assembled && assembled.problems.map(({ pointer }) => pointer), ['/signatures/1/id']);
});

t.test('a key that does not go with its algorithm is told when it is bound', async (t) => {
  const wrong = (signature: SignatureDefinition, keys: KeyRing): string[] => {
    const rules = compileSignatures({ ...THING, signatures: [signature] });
    if (!(rules instanceof SignatureRules)) throw new Error(JSON.stringify(rules));
    const bound = rules.withKeys(keys);
    return 'problems' in bound ? bound.problems.map((problem) => problem.message) : [];
  };
  const jws = (...algorithms: string[]): SignatureDefinition => ({
    id: 'signed',
    jws: { ...JWS, algorithms },
  });
  const signed = (algorithm: 'ed25519' | 'rsa-pss-sha512' | 'hmac-sha256'): SignatureDefinition => ({
    id: 'signed',
    message_signature: { ...MESSAGE, algorithm },
  });
  const ed = ring({ k: publicKeys(ED25519.publicKey) });
  const secret = ring({ k: secrets(SECRET) });
  const short = ring({ k: secrets(SECRET, createSecretKey(Buffer.from('fifteen bytes..'))) });
  t.same(wrong(HMAC, secret), []);
  t.same(wrong(HMAC, new Map()), ['there is no key k']);
  t.same(wrong(HMAC, ed), ['the key k is no secret']);
  t.same(wrong(HMAC, short), ['the secret of k has fewer than 16 bytes']);
  t.same(wrong(jws('HS512'), secret), ['the secret of k has fewer than 64 bytes'], 'RFC 7518 section 3.2');
  t.same(wrong(jws('EdDSA'), ed), []);
  t.same(wrong(jws('EdDSA'), secret), ['the key k is a secret, and the algorithm needs a public key']);
  t.same(wrong(jws('HS256'), ed), ['the key k is no secret']);
  t.same(wrong(jws('ES256'), ed), ['the key k is not of the kind that the algorithm needs']);
  t.same(wrong(jws('ES256', 'EdDSA'), ed), []);
  t.same(wrong(signed('ed25519'), ring({ k: publicKeys(P256.publicKey) })), [
    'the key k is not of the kind that the algorithm needs',
  ]);
  t.same(wrong(signed('rsa-pss-sha512'), ring({ k: publicKeys(RSA.publicKey) })), []);
  t.same(wrong(signed('hmac-sha256'), ed), ['the key k is no secret']);
});
