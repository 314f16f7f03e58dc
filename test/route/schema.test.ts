import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import type { RelatedFinding } from '../../src/fault/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';

async function refused(body: string, contract: ContractDefinition) {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const upstream = await playUpstream(() => [
    { send: `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}` },
  ]);
  const run = harness([planOf({ origin: upstream.url, contract })]);
  const { record } = await run.call('/things/1');
  await run.close();
  await upstream.close();
  return { record, audited: run.audit.records[0] };
}

const finding = (alternative: number, instance: string, keyword: string): RelatedFinding => ({
  instance,
  schema: `/responses/${alternative}/schema${keyword}`,
  rule: keyword.split('/').at(-1) ?? '',
});

t.test('of the one alternative that could be meant, every finding is told', async (t) => {
  const { record, audited } = await refused('{"id":"x","name":""}', THING);
  const first = finding(0, '/id', '/properties/id/type');
  t.match(record, { operator_code: 'CON_NO_ALTERNATIVE', fault: first });
  const related = [finding(0, '/name', '/properties/name/minLength')];
  t.strictSame(record.fault?.related, related);
  t.strictSame(audited?.fault?.related, related);
});

t.test('where there is nothing more to tell, nothing is', async (t) => {
  const { record } = await refused('{"id":1}', THING);
  t.match(record, { operator_code: 'CON_NO_ALTERNATIVE', fault: finding(0, '/name', '/required') });
  t.equal(record.fault?.related, undefined);
});

t.test('of several alternatives the one that came closest is told', async (t) => {
  const [first] = THING.responses;
  if (first === undefined) return t.fail('THING has no response');
  const error = {
    type: 'object',
    required: ['error', 'at', 'by'],
    properties: { error: { type: 'string' }, at: { type: 'string' }, by: { type: 'string' } },
  } as const;
  const other = {
    status: 200,
    schema: error,
    failure: { by: '/error', map: { gone: 'NOT_FOUND' } },
  } as const;
  for (const [responses, index] of [
    [[first, other], 0],
    [[other, first], 1],
  ] as const) {
    const { record } = await refused('{"id":1}', { ...THING, responses });
    t.match(record, { operator_code: 'CON_NO_ALTERNATIVE', fault: finding(index, '/name', '/required') });
    t.equal(record.fault?.related, undefined);
  }
  return undefined;
});
