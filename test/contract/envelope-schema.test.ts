import t from 'tap';
import { envelopeSchema } from '../../src/contract/index.js';
import { metaSchemaFindings } from '../../src/contract/meta-schema.js';
import { AGENT_CODES } from '../../src/fault/index.js';
import { oracle } from '../support/json-schema-oracle.js';
import { closed, compiled, contractOf } from './support.js';

const CONTRACT = contractOf(
  {
    responses: [
      {
        status: 200,
        schema: { type: 'object' },
        select: { name: '/name', title: { from: '/t', text: 'display', max_length: 3, optional: true } },
      },
      { status: 404, failure: 'NOT_FOUND' },
    ],
    result: 'r.schema.json',
  },
  {
    'r.schema.json': {
      ...closed({ name: { $ref: '#/$defs/name' } }),
      $defs: { name: { type: 'string', maxLength: 9 } },
    },
  },
);

t.test('the envelope schema is JSON Schema 2020-12 and of the sound profile', async (t) => {
  const schema = envelopeSchema(CONTRACT);
  t.strictSame(metaSchemaFindings(schema), []);
  const { validator } = compiled(schema);
  const independent = await oracle(schema as object);
  const success = { tool: 'thing', request_id: 'req.12345678', outcome: 'success', data: { name: 'x' } };
  const failure = {
    tool: 'thing',
    request_id: 'req.12345678',
    outcome: 'failure',
    error: { code: 'NOT_FOUND', retryable: false },
  };
  const cases: [value: unknown, valid: boolean][] = [
    [success, true],
    [{ ...success, untrusted_text: { title: 'abc' } }, true],
    [{ ...success, untrusted_text: { title: 'abcd' } }, false],
    [{ ...success, untrusted_text: { other: 'a' } }, false],
    [{ ...success, data: { name: 'x'.repeat(10) } }, false],
    [{ ...success, data: { name: 'x', y: 1 } }, false],
    [{ ...success, data: {} }, false],
    [{ ...success, error: failure.error }, false],
    [{ ...success, extra: 1 }, false],
    [{ ...success, tool: 'other' }, false],
    [{ ...success, request_id: 'short' }, false],
    [{ ...success, outcome: 'failure' }, false],
    [failure, true],
    [{ ...failure, data: { name: 'x' } }, false],
    [{ ...failure, error: { code: 'OTHER', retryable: false } }, false],
    [{ ...failure, error: { ...failure.error, message: 'x' } }, false],
    [{ ...failure, untrusted_text: { title: 'a' } }, false],
    [null, false],
    [[], false],
    ...Object.entries(AGENT_CODES).map(([code, { retryable }]): [unknown, boolean] => [
      { ...failure, error: { code, retryable } },
      true,
    ]),
  ];
  for (const [value, valid] of cases) {
    t.equal(validator.accepts(value), valid, JSON.stringify(value));
    t.equal(independent(value), valid);
  }
});

t.test('without display text and without result', async (t) => {
  const plain = envelopeSchema(contractOf({}));
  t.notMatch(JSON.stringify(plain), /untrusted_text/);
  const failing = compiled(
    envelopeSchema(
      contractOf({ responses: [{ status: 200, failure: 'NOT_FOUND' }], ...{ result: undefined } } as never),
    ),
  ).validator;
  const common = { tool: 'thing', request_id: 'req.12345678' };
  t.equal(failing.accepts({ ...common, outcome: 'success', data: null }), false);
  t.equal(
    failing.accepts({ ...common, outcome: 'failure', error: { code: 'DENIED', retryable: false } }),
    true,
  );
});
