import fc from 'fast-check';
import t from 'tap';
import { KeptBytes } from '../../src/json/index.js';

t.test('what is kept is what came, however it was cut, and a chunk may be used again', async (t) => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(chunks, (parts) => {
      const kept = new KeptBytes();
      const shared = Buffer.alloc(3_000);
      for (const part of parts) {
        shared.set(part);
        kept.append(shared.subarray(0, part.byteLength));
        shared.fill(0xee);
      }
      const whole = Buffer.concat(parts);
      t.equal(kept.byteLength, whole.byteLength);
      if (!kept.bytes().equals(whole)) throw new Error('other bytes');
    }),
    { seed: 9, numRuns: 200 },
  );
  t.equal(new KeptBytes().bytes().byteLength, 0);
});

t.test('a body that comes byte by byte takes about its own size', async (t) => {
  const kept = new KeptBytes();
  const chunk = Buffer.from('a');
  const size = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = size();
  for (let i = 0; i < 1 << 20; i++) kept.append(chunk);
  const after = size();
  t.equal(kept.byteLength, 1 << 20);
  t.ok(after - before < 128 << 20, 'no object for each byte');
});
