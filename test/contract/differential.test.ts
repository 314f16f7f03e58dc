import fc from 'fast-check';
import t from 'tap';
import type { SelectDefinition } from '../../src/contract/index.js';
import { project } from '../../src/contract/project.js';
import { runSelect } from '../../src/contract/select.js';
import { compileSelect } from '../../src/contract/select-plan.js';
import { Fault, type Problem } from '../../src/fault/index.js';
import { KEEP } from '../../src/json/index.js';
import { oracle } from '../support/json-schema-oracle.js';
import { projectValue } from '../support/project-value.js';
import { documents, schemas } from './generate.js';
import { admit, callContext, shown } from './support.js';

const SEED = 20_260_101;
const SCHEMAS = 400;
const DOCUMENTS_EACH = 25;

t.test(
  'generated schemas of the sound profile: an independent validator agrees, and so does what is kept',
  async (t) => {
    const counts = { admitted: 0, refused: 0, accepted: 0, rejected: 0, projected: 0, smaller: 0 };
    const samples = fc.sample(
      fc.tuple(schemas, fc.array(documents, { minLength: DOCUMENTS_EACH, maxLength: DOCUMENTS_EACH })),
      {
        seed: SEED,
        numRuns: SCHEMAS,
      },
    );
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
        const where = `${shown(schema)} on ${shown(value)}`;
        if (verdict !== expected(value)) t.fail(`verdict ${verdict}: ${where}`);
        // The soundness law: S accepts D exactly when S accepts project(S, D).
        if (admitted.validator.accepts(kept) !== verdict) t.fail(`kept ${shown(kept)}: ${where}`);
      }
    }
    t.comment(JSON.stringify(counts));
    t.ok(counts.admitted > SCHEMAS / 2, `${counts.admitted} admitted`);
    t.ok(counts.accepted > 500, `${counts.accepted} accepted`);
    t.ok(counts.rejected > 500, `${counts.rejected} rejected`);
    t.ok(counts.projected > SCHEMAS / 10, `${counts.projected} schemas keep less than everything`);
    t.ok(counts.smaller > 300, `${counts.smaller} values became smaller`);
  },
);

const SELECTS: readonly SelectDefinition[] = [
  {
    a: { from: '/a', optional: true },
    deep: { from: '/b/a', optional: true },
    third: { from: '/b/c/dd', optional: true },
  },
  { a: '/a', first: { from: '/b/0', optional: true } },
  { list: { each: '/a', max: 2, optional: true, select: { b: { from: '/b', optional: true } } } },
  {
    list: { each: '/b', take: 1, total: 'n', optional: true, item: '' },
    a: { from: '/a/0/b', optional: true },
  },
  { each: '', max: 3, select: { inner: { each: '/a', max: 9, item: '', optional: true } } },
  {
    t: { from: '/a', text: 'display', max_length: 2, optional: true },
    m: { from: '/b', map: { 1: 'x', a: 'y' }, optional: true },
  },
];

t.test('selection finds the same in what is kept as in the whole answer', async (t) => {
  const counts = { same: 0, selected: 0, smaller: 0 };
  const show = (made: unknown) => JSON.stringify(made instanceof Fault ? [made.code, made.detail] : made);
  const answers = fc.sample(documents, { seed: SEED, numRuns: 2_000 });
  for (const definition of SELECTS) {
    const problems: Problem[] = [];
    const scope = { request: {}, hasBody: true };
    const { plan, reads } = compileSelect(definition, { document: undefined, path: [] }, scope, problems);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    const projection = project([], reads);
    for (const answer of answers) {
      const kept = projectValue(projection, answer);
      if (JSON.stringify(kept) !== JSON.stringify(answer)) counts.smaller++;
      const whole = runSelect(plan, answer, callContext());
      if (!(whole instanceof Fault)) counts.selected++;
      if (show(whole) === show(runSelect(plan, kept, callContext()))) counts.same++;
      else t.fail(`${shown(definition)} on ${shown(answer)}`);
    }
  }
  t.equal(counts.same, SELECTS.length * answers.length);
  t.ok(counts.selected > 1_000 && counts.smaller > 1_000, JSON.stringify(counts));
});
