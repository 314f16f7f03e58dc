import t from 'tap';
import type { OperatorCode } from '../../src/fault/index.js';
import { formatVerdict, runFixture } from '../../src/tooling/index.js';
import { shippedContracts } from './shipped.js';

/**
 * What the fixtures of the shipped contracts show, together: the start of a title, and the codes that such an answer may
 * be refused with. A kind without a fixture, or a fixture of no kind, fails here, so that coverage cannot shrink unseen.
 */
const REFUSALS: Readonly<Record<string, readonly OperatorCode[]>> = {
  'array for an object': ['CON_NO_ALTERNATIVE'],
  'bad request': ['REQ_BODY_INVALID', 'REQ_PARAM_INVALID', 'REQ_QUERY_INVALID', 'REQ_QUERY_UNKNOWN'],
  'bidirectional text': ['SEL_TEXT'],
  'byte order mark': ['PRS_BOM'],
  'declared failure': ['CON_DECLARED_FAILURE'],
  denied: ['UPS_DENIED'],
  'duplicate member': ['PRS_DUPLICATE_NAME'],
  'empty body': ['PRS_EMPTY'],
  'empty identifier': ['CON_NO_ALTERNATIVE'],
  'future timestamp': ['CHK_FRESH_FUTURE'],
  'HTML labelled as JSON': ['PRS_SYNTAX'],
  'HTML with 200': ['BYT_MEDIA_TYPE'],
  'huge integer': ['PRS_INTEGER_RANGE'],
  'lone surrogate': ['PRS_SURROGATE'],
  'missing figures': ['CON_NO_ALTERNATIVE'],
  'missing shards': ['CON_NO_ALTERNATIVE'],
  'missing timestamp': ['CHK_FRESH_UNKNOWN'],
  'not UTF-8': ['PRS_UTF8'],
  'null for an object': ['CON_NO_ALTERNATIVE'],
  'object for an array': ['CON_NO_ALTERNATIVE'],
  'old timestamp': ['CHK_FRESH_STALE'],
  'oversized string': ['CON_NO_ALTERNATIVE', 'SEL_TEXT'],
  'prototype member': ['PRS_PROTO_NAME'],
  'rate limited': ['UPS_RATE_LIMITED'],
  redirect: ['BYT_REDIRECT'],
  rule: ['CHK_RULE'],
  'success that also carries an error': ['CON_NO_ALTERNATIVE'],
  'tag characters': ['SEL_TEXT'],
  'the deployment story': ['CON_NO_ALTERNATIVE'],
  'too many items': ['SEL_TOO_MANY'],
  'trailing HTML': ['PRS_TRAILING'],
  'truncated JSON': ['PRS_TRUNCATED'],
  'undecided rule': ['CHK_RULE_UNDECIDED'],
  'undeclared status': ['BYT_STATUS', 'UPS_SERVER_ERROR'],
  'unexpected property in a closed alternative': ['CON_NO_ALTERNATIVE'],
  'unexpected text': ['CON_RESULT'],
  'unknown value': ['SEL_MAP'],
  'unmapped failure': ['CON_UNMAPPED_FAILURE'],
  'unparsable timestamp': ['CHK_FRESH_UNKNOWN'],
  'wrong charset': ['BYT_CHARSET'],
  'wrong id': ['CHK_BIND'],
  'wrong media type': ['BYT_MEDIA_TYPE'],
  'zero-width text': ['SEL_TEXT'],
};

const shipped = await shippedContracts();
const fixtures = shipped.flatMap((contract) => contract.fixtures);
const kindOf = (title: string): string => title.split(':')[0] ?? '';

t.test('the example contracts are there', async (t) => {
  t.same(
    shipped.map(({ contract }) => contract.name),
    [
      ...[
        'account_balance@1',
        'channel_info@1',
        'commit_activity@1',
        'default_branch@1',
        'deployment_state@1',
      ],
      ...['issue_summary@1', 'job_run@1', 'list_repositories@1', 'log_hits@1', 'review_status@1'],
    ],
  );
});

t.test('every fixture gives what it claims', async (t) => {
  for (const contract of shipped) {
    for (const fixture of contract.fixtures) {
      const verdict = await runFixture(contract, fixture);
      t.ok(verdict.ok, formatVerdict(verdict));
    }
  }
});

t.test('every contract has fixtures of each kind', async (t) => {
  for (const { contract, fixtures } of shipped) {
    const count = (kind: string) => fixtures.filter((fixture) => fixture.kind === kind).length;
    t.ok(count('accept') >= 3, `${contract.name}: accept`);
    t.ok(count('past') >= 1, `${contract.name}: past`);
    t.ok(count('refuse') >= 8, `${contract.name}: refuse`);
  }
});

t.test('every contract is shown a whole vendor answer, many times its result', async (t) => {
  for (const { contract, fixtures } of shipped) {
    const whole = fixtures.filter(({ definition }) => kindOf(definition.title) === 'realistic');
    t.ok(whole.length >= 1, contract.name);
    for (const { file, body, definition } of whole) {
      const result = 'result' in definition.expect ? JSON.stringify(definition.expect.result) : '';
      t.ok(
        body.byteLength > 10 * result.length,
        `${file}: ${body.byteLength} against ${result.length} bytes`,
      );
    }
  }
});

t.test('every kind of refusal is shown, with its code', async (t) => {
  const shown = new Map<string, OperatorCode[]>();
  for (const { kind, definition, file } of fixtures) {
    if (!('code' in definition.expect)) continue;
    t.equal(kind, 'refuse', file);
    const name = kindOf(definition.title);
    shown.set(name, [...(shown.get(name) ?? []), definition.expect.code]);
  }
  t.same([...shown.keys()].sort(), Object.keys(REFUSALS).sort());
  for (const [name, codes] of Object.entries(REFUSALS)) {
    t.same([...new Set(shown.get(name))].sort(), [...codes].sort(), name);
  }
});

t.test('every refusal says what the agent is told', async (t) => {
  for (const { definition, file } of fixtures) {
    if ('code' in definition.expect) t.type(definition.expect.agent, 'string', file);
  }
});

t.test('refusals about a place name it', async (t) => {
  const placed = /^(?:CON_NO_ALTERNATIVE|CON_RESULT|CHK_BIND|SEL_)/;
  for (const { definition, file } of fixtures) {
    const { expect } = definition;
    if ('code' in expect && placed.test(expect.code)) t.type(expect.pointer, 'string', file);
  }
});

t.test('no two fixtures have one title', async (t) => {
  const titles = fixtures.map(({ definition, file }) => `${file.split('/')[1]} ${definition.title}`);
  t.equal(new Set(titles).size, titles.length);
});
