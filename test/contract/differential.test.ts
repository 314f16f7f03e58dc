import fc from 'fast-check';
import t from 'tap';
import { project } from '../../src/contract/project.js';
import { KEEP } from '../../src/json/index.js';
import { oracle } from '../support/json-schema-oracle.js';
import { projectValue } from '../support/project-value.js';
import { documents, schemas } from './generate.js';
import { admit } from './support.js';

const SEED = 20_260_101;
const SCHEMAS = 400;
const DOCUMENTS_EACH = 25;

t.test('generated schemas of the sound profile: an independent validator agrees, and so does what is kept', async (t) => {
  const counts = { admitted: 0, refused: 0, accepted: 0, rejected: 0, projected: 0, smaller: 0 };
  const samples = fc.sample(fc.tuple(schemas, fc.array(documents, { minLength: DOCUMENTS_EACH, maxLength: DOCUMENTS_EACH })), {
    seed: SEED,
    numRuns: SCHEMAS,
  });
  for (const [schema, values] of samples) {
    const admitted = admit(schema, 'sound');
    if ('problems' in admitted) {
      counts.refused++;
      continue;
    }
    counts.admitted++;
    const expected = await oracle(schema);
    const projection = project([admitted.bundle], []);
    if (projection !== KEEP) counts.projected++;
    for (const value of values) {
      const verdict = admitted.validator.accepts(value);
      if (verdict === true) counts.accepted++;
      else counts.rejected++;
      const kept = projectValue(projection, value);
      if (JSON.stringify(kept) !== JSON.stringify(value)) counts.smaller++;
      const where = `${JSON.stringify(schema)} on ${JSON.stringify(value)}`;
      if (verdict !== expected(value)) t.fail(`verdict ${verdict}: ${where}`);
      // The soundness law: S accepts D exactly when S accepts project(S, D).
      if (admitted.validator.accepts(kept) !== verdict) t.fail(`kept ${JSON.stringify(kept)}: ${where}`);
    }
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.admitted > SCHEMAS / 2, `${counts.admitted} admitted`);
  t.ok(counts.accepted > 500, `${counts.accepted} accepted`);
  t.ok(counts.rejected > 500, `${counts.rejected} rejected`);
  t.ok(counts.projected > SCHEMAS / 10, `${counts.projected} schemas keep less than everything`);
  t.ok(counts.smaller > 300, `${counts.smaller} values became smaller`);
});
