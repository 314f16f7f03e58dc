import { brotliCompressSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { digestClaim, GOOD, KINDS, type Signing } from './signed-answers.js';
import { accepted, call, JSON_TYPE, type Lines } from './signed-call.js';

/** Text that does not compress to nothing: the same in every run. */
const filler = Array.from({ length: 900 }, (_, i) => digestClaim(Buffer.from(String(i)))).join('');

const large = (name = 'signed name') => Buffer.from(JSON.stringify({ id: 1, filler, more: filler, name }));

for (const [name, kind] of Object.entries(KINDS)) {
  t.test(`${name}: signed answers pass, however they arrive`, async (t) => {
    for (const framing of ['length', 'chunked', 'dripped'] as const) {
      accepted(t, await call(t, kind, kind.sign, { framing }), 'signed name', framing);
    }
    const streamed = (signing: Signing) => kind.sign({ ...signing, body: large() });
    for (const framing of ['length', 'chunked'] as const) {
      accepted(t, await call(t, kind, streamed, { framing }), 'signed name', `large, ${framing}`);
    }
  });

  t.test(`${name}: it covers the bytes of the wire, before content decoding`, async (t) => {
    for (const [coding, compress] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      const lines: Lines = [...JSON_TYPE, ['content-encoding', coding]];
      const signedCoded = (signing: Signing) => kind.sign({ ...signing, body: compress(large()) });
      accepted(t, await call(t, kind, signedCoded, { lines, framing: 'chunked' }), 'signed name', coding);
      // Signed first and coded behind the signer's back
      const codedAfter = async (signing: Signing) => {
        const signed = await kind.sign(signing);
        return { ...signed, body: compress(signed.body) };
      };
      const outcome = await call(t, kind, codedAfter, { lines });
      t.match(outcome.record.operator_code, /^SIG_(?:INVALID|DIGEST)$/, `${coding} after signing`);
    }
  });

  t.test(`${name}: unsigned, changed or cut is refused`, async (t) => {
    const changed = async (signing: Signing) => ({
      ...(await kind.sign(signing)),
      body: Buffer.from(GOOD.replace('signed', 'forged')),
    });
    const broken = /^SIG_(?:INVALID|DIGEST)$/;
    for (const framing of ['length', 'dripped'] as const) {
      t.match(
        (await call(t, kind, changed, { framing })).record.operator_code,
        broken,
        `changed, ${framing}`,
      );
    }
    const largeChanged = async (signing: Signing) => ({
      ...(await kind.sign({ ...signing, body: large() })),
      body: large('forged name'),
    });
    const outcome = await call(t, kind, largeChanged, { framing: 'chunked' });
    t.match(outcome.record.operator_code, broken, 'changed, streamed');
    const longer = async (signing: Signing) => ({
      ...(await kind.sign(signing)),
      body: Buffer.from(`${GOOD}\n`),
    });
    t.match((await call(t, kind, longer)).record.operator_code, broken, 'one byte more');
    const stripped = await call(t, kind, (signing) => ({ lines: [], body: signing.body }));
    t.equal(stripped.record.operator_code, 'SIG_MISSING', 'stripped');
    const names = [
      ...new Set(
        (
          await kind.sign({ body: Buffer.from(GOOD), method: 'GET', targetUri: 'http://x/', status: 200 })
        ).lines.map(([line]) => line),
      ),
    ];
    for (const line of names) {
      const without = async (signing: Signing) => {
        const signed = await kind.sign(signing);
        return { ...signed, lines: signed.lines.filter(([other]) => other !== line) };
      };
      t.equal((await call(t, kind, without)).record.operator_code, 'SIG_MISSING', `without ${line}`);
      const twice = async (signing: Signing) => {
        const signed = await kind.sign(signing);
        return { ...signed, lines: [...signed.lines, ...signed.lines.filter(([other]) => other === line)] };
      };
      t.equal((await call(t, kind, twice)).record.operator_code, 'SIG_FORM', `${line} twice`);
    }
  });
}
