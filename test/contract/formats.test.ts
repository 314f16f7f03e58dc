import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import t from 'tap';
import { FORMATS } from '../../src/contract/formats.js';
import { SUITE_MISSING, suiteGroups } from '../support/json-schema-suite.js';
import { compiled, refusals, shown } from './support.js';

function ours(format: string, text: string): unknown {
  return compiled({ type: 'string', format }).validator.accepts(text);
}

function withAjvFormats(format: string, text: string): unknown {
  const ajv = new Ajv2020();
  ajvFormats.default(ajv);
  return ajv.compile({ type: 'string', format })(text);
}

t.test('what ajv-formats accepts by mistake is refused', async (t) => {
  for (const [format, text] of [
    ['date-time', '2026-01-01T00:00:00+01'],
    ['date-time', '2026-01-01 00:00:00Z'],
    ['date-time', '2026-01-01\n00:00:00Z'],
    ['duration', 'P1Y1D'],
    ['hostname', 'example.com.'],
    ['uri', 'http://a/%zz'],
    ['email', 'a@b_c.example'],
  ] as const) {
    if (withAjvFormats(format, text) !== true) t.comment(`ajv-formats refuses ${shown(text)} as well`);
    t.equal(ours(format, text), false, `${format} ${shown(text)}`);
  }
  t.equal(withAjvFormats('date-time', '2026-01-01T00:00:00+01'), true, 'the hazard is still there');
  t.equal(withAjvFormats('date-time', '2026-01-01 00:00:00Z'), true, 'the hazard is still there');
});

t.test('a format that nothing checks is refused at load', async (t) => {
  for (const format of [
    'idn-email',
    'idn-hostname',
    'iri',
    'iri-reference',
    'regex',
    'int32',
    'password',
    'phone',
  ]) {
    t.strictSame(refusals({ type: 'string', format }), ['unasserted-format /format'], format);
  }
});

t.test('a throw inside a format is a refusal', async (t) => {
  t.equal(ours('email', 'a@[unknown-tag:x]'), false);
});

t.test('the official format cases', { skip: SUITE_MISSING }, async (t) => {
  const printed = t.capture(console, 'log');
  const counts = { cases: 0, accepted: 0, falselyRefused: 0 };
  for (const { file, schema, description, tests } of suiteGroups('optional/format')) {
    const format = (schema as { format?: string }).format ?? '';
    const decide = FORMATS.get(format);
    if (decide === undefined) continue;
    for (const { data, valid, description: name } of tests) {
      if (typeof data !== 'string') continue;
      counts.cases++;
      const verdict = decide(data);
      if (verdict) counts.accepted++;
      if (verdict === valid) continue;
      // Undecided is refused: whether an internationalised label is a valid one.
      if (format === 'hostname' && valid && /(?:^|\.)xn--/i.test(data)) counts.falselyRefused++;
      else t.fail(`${file}: ${description}: ${name}: ${verdict}`);
    }
  }
  t.ok(counts.cases >= 400, `${counts.cases} cases`);
  t.ok(counts.accepted >= 150, `${counts.accepted} of them accepted`);
  t.ok(counts.falselyRefused < 20, `${counts.falselyRefused} internationalised host names`);
  t.strictSame(printed(), [], 'nothing that upstream wrote goes to the console');
});
