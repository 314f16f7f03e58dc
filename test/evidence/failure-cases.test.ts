import t from 'tap';
import type { CallContext, ContractDefinition, FailureCases } from '../../src/contract/index.js';
import { compileChecks } from '../../src/evidence/index.js';
import { Fault } from '../../src/fault/index.js';
import { assembleContract } from '../../src/route/index.js';
import { contextOf, REQUEST } from './rules.js';

const SCHEMA = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: { type: 'object', required: ['type'], properties: { type: { type: 'string', maxLength: 40 } } },
    },
    code: { type: 'integer' },
  },
};

const FAILURE: FailureCases = {
  reads: { types: { each: '/errors', item: '/type' }, code: '/code' },
  cases: [
    { when: '10 / code.orValue(1) > 9', code: 'CONFLICT' },
    { when: 'types.all(t, t == "NOT_FOUND")', code: 'NOT_FOUND' },
    { when: 'types.exists(t, t == "FORBIDDEN")', code: 'DENIED' },
  ],
};

function definition(failure: FailureCases, schema: object | null = SCHEMA): ContractDefinition {
  return {
    tool: 'x',
    version: '1.0.0',
    purpose: 'x',
    request: REQUEST,
    responses: [{ status: 200, ...(schema === null ? {} : { schema: schema as never }), failure }],
  };
}

function codeOf(value: unknown, context: CallContext = contextOf()): unknown {
  const made = compileChecks(definition(FAILURE));
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  const code = made.failures[0]?.code(value, context);
  return code instanceof Fault ? [code.code, code.detail.schema] : code;
}

const errors = (...types: string[]) => ({ code: 5, errors: types.map((type) => ({ type })) });

t.test('the first case that holds gives the code', async (t) => {
  t.equal(codeOf(errors('NOT_FOUND')), 'NOT_FOUND');
  t.equal(codeOf(errors('NOT_FOUND', 'NOT_FOUND')), 'NOT_FOUND');
  t.equal(codeOf(errors('NOT_FOUND', 'FORBIDDEN')), 'DENIED');
  t.equal(codeOf({ ...errors('NOT_FOUND'), code: 1 }), 'CONFLICT');
  t.equal(codeOf({ errors: [{ type: 'NOT_FOUND' }] }), 'CONFLICT', 'a value that is absent');
});

t.test('where none holds, or one before cannot be decided, the answer is refused', async (t) => {
  t.strictSame(codeOf(errors('OTHER')), ['CON_UNMAPPED_FAILURE', '/responses/0/failure/cases']);
  t.strictSame(codeOf(errors('NOT_FOUND', 'OTHER')), ['CON_UNMAPPED_FAILURE', '/responses/0/failure/cases']);
  t.strictSame(codeOf({ ...errors('NOT_FOUND'), code: 0 }), [
    'CON_THREW',
    '/responses/0/failure/cases/0/when',
  ]);
  t.strictSame(codeOf({ errors: [{ type: 7 }] }), ['CON_THREW', '/responses/0/failure']);
  t.strictSame(codeOf(null), ['CON_THREW', '/responses/0/failure']);
});

t.test('cases can look at the request and the time', async (t) => {
  const made = compileChecks(
    definition({
      reads: { code: '/code' },
      cases: [
        {
          when: 'code.orValue(0) == request.params.number && now > rfc3339("2026-01-01T00:00:00Z")',
          code: 'DENIED',
        },
      ],
    }),
  );
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  t.equal(made.failures[0]?.code({ code: 7 }, contextOf()), 'DENIED');
  t.match(made.failures[0]?.code({ code: 8 }, contextOf()), { code: 'CON_UNMAPPED_FAILURE' });
});

t.test('what is wrong with cases', async (t) => {
  const problems = (failure: FailureCases, schema?: object | null) => {
    const made = compileChecks(definition(failure, schema));
    return 'problems' in made ? made.problems.map(({ pointer, rule }) => [pointer, rule]) : [];
  };
  const at = '/responses/0/failure';
  t.strictSame(problems({ reads: { code: '/code' }, cases: [{ when: 'code == 1', code: 'DENIED' }] }), [
    [`${at}/cases/0/when`, 'check-rule'],
  ]);
  t.strictSame(
    problems({
      reads: { code: '/code', types: { each: '/errors', item: '/type' } },
      cases: [{ when: 'code.hasValue()', code: 'DENIED' }],
    }),
    [[`${at}/reads/types`, 'unused-read']],
  );
  t.strictSame(
    problems({ reads: { code: '/code' }, cases: [{ when: 'code.hasValue()', code: 'DENIED' }] }, null),
    [[`${at}/reads/code`, 'check-read']],
  );
  const longList = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'array', maxItems: 1_000, items: { type: 'integer' } } },
  };
  t.strictSame(
    problems(
      { reads: { a: '/a' }, cases: [{ when: 'a.all(x, a.exists(y, x == y))', code: 'DENIED' }] },
      longList,
    ),
    [[`${at}/cases/0/when`, 'rule-cost']],
  );
});

t.test(
  'the projection keeps what cases read, and a code has to be one that a contract can give',
  async (t) => {
    const assembled = assembleContract({ name: 'x@1', definition: definition(FAILURE), schemas: new Map() });
    if ('problems' in assembled) throw new Error(JSON.stringify(assembled.problems));
    const outcome = assembled.contract.alternatives[0]?.outcome;
    t.equal(outcome?.kind === 'failure' && outcome.code(errors('FORBIDDEN'), contextOf()), 'DENIED');
    t.match(assembled.contract.byStatus.get(200)?.projection, { members: new Map([['code', {}]]) });
    const wrong: FailureCases = {
      ...FAILURE,
      cases: [...FAILURE.cases, { when: 'code.hasValue()', code: 'INTERNAL' }],
    };
    const refused = assembleContract({ name: 'x@1', definition: definition(wrong), schemas: new Map() });
    t.match(refused, { problems: [{ pointer: '/responses/0/failure/cases/3/code', rule: 'agent-code' }] });
  },
);
