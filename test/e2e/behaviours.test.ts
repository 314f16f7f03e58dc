import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { AGENT_CODES } from '../../src/fault/index.js';
import { harness, planOf, THING } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';
import { BEHAVIOURS } from './behaviours.js';

const FRESH_THING: ContractDefinition = {
  ...THING,
  responses: THING.responses.map((response) =>
    response.checks === undefined
      ? response
      : {
          ...response,
          checks: [...response.checks, { id: 'recent', fresh: { header: 'date', within: '60s' } }],
        },
  ),
};

for (const behaviour of BEHAVIOURS) {
  t.test(behaviour.id, async (t) => {
    const upstream = await playUpstream([...behaviour.steps]);
    const plan = planOf({
      origin: upstream.url,
      contract: behaviour.fresh === true ? FRESH_THING : THING,
      ...(behaviour.limits === undefined ? {} : { limits: behaviour.limits }),
      ...(behaviour.codings === undefined ? {} : { upstream: { codings: behaviour.codings } }),
      ...(behaviour.method === undefined ? {} : { method: behaviour.method }),
    });
    const run = harness([plan]);
    t.teardown(async () => {
      await upstream.close();
      await run.close();
    });

    const { answer, text, record } = await run.call('/things/1', { method: behaviour.method ?? 'GET' });
    t.strictSame(run.bugs, []);
    t.equal(upstream.requests.length, 1, 'one request');
    if (behaviour.expect === 'success') {
      t.equal(record.operator_code, null);
      t.equal(answer.status, 200);
      t.equal(
        text,
        `{"tool":"thing","request_id":"${record.request_id}","outcome":"success","data":{"id":1,"name":"a"}}`,
      );
      return;
    }
    const codes = typeof behaviour.expect === 'string' ? [behaviour.expect] : behaviour.expect;
    t.ok(
      codes.some((code) => code === record.operator_code),
      `${record.operator_code} is one of ${codes}`,
    );
    const agent = behaviour.agent ?? record.agent_code ?? 'INTERNAL';
    t.equal(record.agent_code, agent);
    t.equal(answer.status, AGENT_CODES[agent].status);
    t.equal(
      text,
      `{"tool":"thing","request_id":"${record.request_id}","outcome":"failure","error":{"code":"${agent}","retryable":${AGENT_CODES[agent].retryable}}}`,
    );
    if (behaviour.offset !== undefined) t.equal(record.fault?.offset, behaviour.offset, 'offset');
    if (behaviour.retryAfter !== undefined) {
      t.equal(
        answer.headers['retry-after'] ?? null,
        behaviour.retryAfter === null ? null : String(behaviour.retryAfter),
      );
    }
  });
}
