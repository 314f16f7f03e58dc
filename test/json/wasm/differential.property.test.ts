import fc from 'fast-check';
import t from 'tap';
import { agree, everyCut } from './differential.js';
import { body, options } from './generators.js';

const SEED = 20_250_714;

t.test('both scanners say the same of every body, cut in any way', async (t) => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(body, options, fc.array(fc.nat(), { maxLength: 6 }), (bytes, options, cuts) => {
      const inside = cuts.map((cut) => cut % (bytes.length + 1));
      const outcome = agree(bytes, options, everyCut(bytes.length), inside);
      const what = 'code' in outcome ? outcome.code : 'accepted';
      counts[what] = (counts[what] ?? 0) + 1;
    }),
    { seed: SEED, numRuns: Number(process.env['RUNS'] ?? 5_000) },
  );
  t.comment(JSON.stringify(counts));
  t.ok((counts['accepted'] ?? 0) > 500);
});
