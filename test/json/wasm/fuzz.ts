import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { Tally } from './differential.js';
import { generatedBodies, mutatedDocuments } from './properties.js';
import { webhookDocuments } from './real-documents.js';

/*
 * The properties of the tests, with other input every time, for as long as there is time: `npm run fuzz -- --minutes 10`.
 * Exits 1 at the first disagreement, with the input and what repeats it.
 */

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const firstSeed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed)) {
  throw new Error('--minutes takes a number above zero, --seed an integer');
}

const end = performance.now() + minutes * 60_000;
const documents = webhookDocuments();
const tally = new Tally();
let inputs = 0;
process.stdout.write(`seed ${firstSeed}\n`);

for (let seed = firstSeed; performance.now() < end; seed++) {
  const bodies = fc.check(generatedBodies(tally), { seed, numRuns: 2_000 });
  const mutated = fc.check(mutatedDocuments(documents, tally), { seed, numRuns: 200 });
  inputs += bodies.numRuns + mutated.numRuns;
  report(bodies, seed);
  report(mutated, seed);
}
const accepted = tally.counts.accepted ?? 0;
process.stdout.write(`${inputs} inputs, ${accepted} accepted, no disagreement\n`);

function report<T>(details: fc.RunDetails<T>, seed: number): void {
  if (!details.failed) return;
  process.stdout.write(`${fc.defaultReportMessage(details)}\nnpm run fuzz -- --seed ${seed}\n`);
  process.exit(1);
}
