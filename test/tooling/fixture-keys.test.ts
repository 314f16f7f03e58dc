import t from 'tap';
import type { FixtureDefinition, LoadedFixture } from '../../src/config/index.js';
import { assembleContract } from '../../src/route/index.js';
import { formatVerdict, runFixture } from '../../src/tooling/index.js';
import { sourceOf, THING } from '../support/harness.js';
import { contentDigest, ED25519, messageSignature } from '../support/signing.js';

const assembled = assembleContract(
  sourceOf({
    ...THING,
    signatures: [
      {
        id: 'signed',
        message_signature: {
          key: 'k',
          algorithm: 'ed25519',
          components: ['@status', 'content-digest', '@target-uri;req'],
          max_age: '60s',
        },
      },
    ],
  }),
);
if ('problems' in assembled) throw new Error(JSON.stringify(assembled.problems));

const BODY = Buffer.from('{"id":1,"name":"a"}');
const digest = contentDigest(BODY);
const made = messageSignature({
  components: [
    ['"@status"', '200'],
    ['"content-digest"', digest],
    ['"@target-uri";req', 'http://fixture.invalid/fixture/1'],
  ],
  parameters: 'created=1767225600',
});

const PEM = ED25519.publicKey.export({ type: 'spki', format: 'pem' }).toString();

async function verdict(
  keys: FixtureDefinition['keys'],
  more: Partial<FixtureDefinition> = {},
): Promise<string> {
  const fixture: LoadedFixture = {
    file: 'a.yaml',
    kind: 'accept',
    body: BODY,
    definition: {
      title: 'signed',
      request: { params: { id: 1 } },
      ...(keys === undefined ? {} : { keys }),
      answer: {
        status: 200,
        headers: {
          'content-type': 'application/json',
          'content-digest': digest,
          'signature-input': made.input,
          signature: made.signature,
        },
      },
      expect: { result: { id: 1, name: 'a' } },
      ...more,
    },
  };
  const found = await runFixture(assembled as Exclude<typeof assembled, { problems: unknown }>, fixture);
  return found.ok ? 'ok' : (/^ {2}got +(.*)$/m.exec(formatVerdict(found))?.[1] ?? '');
}

t.test('a fixture brings its keys and its clock', async (t) => {
  t.equal(await verdict({ k: { public_key: PEM } }), 'ok');
  t.equal(await verdict({ k: { jwks: { keys: [ED25519.publicKey.export({ format: 'jwk' })] } } }), 'ok');
  t.match(await verdict({ k: { public_key: PEM } }, { now: '2026-01-01T00:01:06Z' }), /^refusal SIG_TIME/);
  t.match(
    await verdict({ k: { public_key: PEM } }, { request: { params: { id: 2 } } }),
    /^refusal SIG_INVALID/,
  );
});

t.test('keys that are missing or wrong run nothing', async (t) => {
  const cases: [keys: FixtureDefinition['keys'], got: string][] = [
    [undefined, 'nothing was run: there is no key k among the keys of the fixture'],
    [
      { k: { secret: 'sixteen bytes or more' } },
      'nothing was run: the key k is a secret, and the algorithm needs a public key among the keys of the fixture',
    ],
    [
      { k: { public_key: 'no key' } },
      'nothing was run: keys.k does not hold exactly one PUBLIC KEY in PEM form',
    ],
    [{ k: { jwks: {} } }, 'nothing was run: keys.k has no array keys'],
  ];
  for (const [keys, got] of cases) t.equal(await verdict(keys), got);
});

t.test('keys without signatures are a mistake', async (t) => {
  const plain = assembleContract(sourceOf(THING));
  if ('problems' in plain) throw new Error('unsound');
  const found = await runFixture(plain, {
    file: 'a.yaml',
    kind: 'accept',
    body: BODY,
    definition: {
      title: 'unsigned',
      request: { params: { id: 1 } },
      keys: { k: { public_key: PEM } },
      answer: { status: 200 },
      expect: { result: { id: 1, name: 'a' } },
    },
  });
  t.equal(found.got, 'nothing was run: the fixture gives keys, and the contract demands no signatures');
});
