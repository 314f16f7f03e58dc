import fc from 'fast-check';
import t from 'tap';
import { OPERATOR_CODES } from '../../../src/fault/index.js';
import { Tally } from './differential.js';
import { generatedBodies, mutatedDocuments } from './properties.js';
import { webhookDocuments } from './real-documents.js';

const SEED = 20_250_714;

t.test('both scanners say the same of every body, cut in any way', async (t) => {
  const tally = new Tally();
  fc.assert(generatedBodies(tally), { seed: SEED, numRuns: 6_000 });
  t.comment(JSON.stringify(tally.counts));
  // PRS_PATTERN is of bodies that are no JSON.
  const codes = Object.keys(OPERATOR_CODES).filter((code) => /^PRS_(?!PATTERN)/.test(code));
  t.same(tally.rarerThan(1, codes), ['PRS_BOM'], 'every code is met');
  t.same(tally.rarerThan(1_000, ['accepted']), []);
});

t.test('both scanners say the same of real documents and of what may happen to them', async (t) => {
  const tally = new Tally();
  fc.assert(mutatedDocuments(webhookDocuments(), tally), { seed: SEED + 1, numRuns: 700 });
  t.comment(JSON.stringify(tally.counts));
  t.same(tally.rarerThan(5, ['accepted', 'PRS_SYNTAX', 'PRS_TRUNCATED', 'PRS_DUPLICATE_NAME']), []);
});
