import t from 'tap';
import { project } from '../../src/contract/project.js';
import { KEEP } from '../../src/json/index.js';
import { SUITE_MISSING, suiteGroups } from '../support/json-schema-suite.js';
import { projectValue } from '../support/project-value.js';
import { admit, shown } from './support.js';

/** Assertion of format is a choice of the reader's (Validation section 7.2.1); a contract chooses it, this file does not. */
const WITHOUT_FORMAT_ASSERTION = 'format.json';

t.test(
  'on what the sound profile admits, the verdict is the official one',
  { skip: SUITE_MISSING },
  async (t) => {
    const counts = { admitted: 0, refused: 0, cases: 0, projected: 0 };
    for (const { file, description, schema, tests } of suiteGroups('.')) {
      if (file === WITHOUT_FORMAT_ASSERTION) continue;
      const admitted = admit(schema, 'sound');
      if ('problems' in admitted) {
        counts.refused++;
        continue;
      }
      counts.admitted++;
      const projection = project([admitted.bundle], []);
      if (projection !== KEEP) counts.projected++;
      for (const { description: name, data, valid } of tests) {
        counts.cases++;
        const where = shown([file, description, name]);
        if (admitted.validator.accepts(data) !== valid) t.fail(`verdict: ${where}`);
        // The soundness law of projections.
        if (admitted.validator.accepts(projectValue(projection, data)) !== valid)
          t.fail(`projected: ${where}`);
        if ((admitted.validator.first(data) === undefined) !== valid) t.fail(`first: ${where}`);
        if ((admitted.validator.explain(data).length === 0) !== valid) t.fail(`explain: ${where}`);
      }
    }
    // The suite grows; what counts is that the profile is neither empty nor everything.
    t.ok(counts.admitted >= 200, `${counts.admitted} of its schemas are admitted`);
    t.ok(counts.refused >= 100, `${counts.refused} are refused`);
    t.ok(counts.cases >= 750, `${counts.cases} cases have the official verdict`);
    t.ok(counts.projected >= 100, `${counts.projected} schemas keep less than everything`);
  },
);
