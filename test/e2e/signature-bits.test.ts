import fc from 'fast-check';
import t from 'tap';
import { harness, planOf } from '../support/harness.js';
import { memoryAnswer } from '../support/memory-answer.js';
import { contractOf, DOCUMENT, GOOD, KINDS, NOW } from './signed-answers.js';
import { accepted, JSON_TYPE } from './signed-call.js';

t.test('one bit anywhere, in the body or in what signs it, refuses the answer', async (t) => {
  for (const [name, kind] of [
    ...Object.entries(KINDS),
    ['JWS whose payload is the answer', DOCUMENT] as const,
  ]) {
    const contract = contractOf(kind.signature);
    const plan = planOf({ origin: 'http://upstream.invalid', contract, keys: kind.keys });
    const signing = {
      body: Buffer.from(GOOD),
      method: 'GET',
      targetUri: 'http://upstream.invalid/things/1',
      status: 200,
    };
    const { lines, body } = await kind.sign(signing);
    let answer = { lines, body, cut: 0 };
    const run = harness([plan], {
      now: () => NOW,
      send: () => async () => {
        const at = answer.cut % (answer.body.length + 1);
        const chunks = [answer.body.subarray(0, at), answer.body.subarray(at)].filter(
          (chunk) => chunk.length > 0,
        );
        return memoryAnswer(200, [...JSON_TYPE, ...answer.lines], chunks);
      },
    });
    accepted(t, await run.call('/things/1'), 'signed name', name);
    // A token stands in the body, beside things that nobody signed
    const token = /"token":"([^"]+)"/.exec(Buffer.from(body).toString())?.[1];
    const bodyBits = token === undefined ? body.length * 8 : token.length * 8;
    const bodyFrom = token === undefined ? 0 : Buffer.from(body).indexOf(token) * 8;
    const lineBits = lines.map(([, value]) => value.length * 8);
    const bits = bodyBits + lineBits.reduce((sum, length) => sum + length, 0);
    await fc.assert(
      fc.asyncProperty(fc.nat(bits - 1), fc.nat(), async (place, cut) => {
        let bit = place;
        let changed = { lines, body, cut };
        if (bit < bodyBits) changed = { ...changed, body: flipped(body, bodyFrom + bit) };
        else {
          bit -= bodyBits;
          const index = lineBits.findIndex((length) => {
            if (bit < length) return true;
            bit -= length;
            return false;
          });
          changed = {
            ...changed,
            lines: lines.map(
              ([line, value], i) =>
                [line, i === index ? flipped(Buffer.from(value), bit).toString('latin1') : value] as const,
            ),
          };
        }
        answer = changed;
        const { record, text } = await run.call('/things/1');
        t.not(record.operator_code, null, `${name}, bit ${place}`);
        t.notOk(text.includes('signed name'));
      }),
      { seed: 9421, numRuns: 120 },
    );
    t.same(run.bugs, [], name);
    await run.close();
  }
});

function flipped(bytes: Uint8Array, bit: number): Buffer {
  const other = Buffer.from(bytes);
  other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return other;
}
