import t from 'tap';
import { AGENT_CODES, OPERATOR_CODES } from '../../src/fault/index.js';
import { assay } from './assay.js';
import { asShown } from './shown.js';

t.test('every operator code: what, remedy, stage, agent code and status', async (t) => {
  for (const [code, row] of Object.entries(OPERATOR_CODES)) {
    const { exit, out } = await assay(['explain', code]);
    t.equal(exit, 'OK');
    const text = out.replace(/\n +/g, ' ').replace(/ +/g, ' ');
    const status = 'status' in row ? row.status : AGENT_CODES[row.agent].status;
    for (const part of [code, row.what, row.remedy, `stage ${row.stage}`, `${row.agent}, HTTP ${status},`]) {
      t.ok(text.includes(part), `${code}: ${part}`);
    }
    for (const line of out.split('\n')) t.ok(line.length <= 88, line);
  }
});

t.test('as a person reads it', async (t) => {
  asShown(t, 'explain', (await assay(['explain', 'CHK_BIND'])).out);
  t.equal((await assay(['explain', 'chk-bind'])).out, (await assay(['explain', 'CHK_BIND'])).out);
});

t.test('without a code: all of them, each once', async (t) => {
  const { exit, out } = await assay(['explain']);
  t.equal(exit, 'OK');
  const listed = [...out.matchAll(/^ {2}([A-Z][A-Z0-9_]+) /gm)].map(([, code]) => code);
  t.strictSame([...listed].sort(), Object.keys(OPERATOR_CODES).sort());
});

t.test('an agent code tells which operator codes lead to it', async (t) => {
  const { exit, out } = await assay(['explain', 'RATE_LIMITED']);
  t.equal(exit, 'OK');
  t.match(out, /HTTP 429 by default, may be repeated/);
  t.match(out, /^ {2}UPS_RATE_LIMITED$/m);
  t.match((await assay(['explain', 'OUTCOME_UNKNOWN'])).out, /No operator code leads to it by itself/);
});

t.test('an unknown code gets a suggestion', async (t) => {
  const cases: [string, string][] = [
    ['CHK_BIN', "assay explain: no code 'CHK_BIN'; did you mean CHK_BIND"],
    ['UPS_TSL', "assay explain: no code 'UPS_TSL'; did you mean UPS_TLS"],
    ['constructor', "assay explain: no code 'constructor'; assay explain lists them all\n"],
  ];
  for (const [typed, message] of cases) {
    const { exit, out, err } = await assay(['explain', typed]);
    t.equal(exit, 'USAGE');
    t.equal(out, '');
    t.ok(err.startsWith(message), err);
  }
});
