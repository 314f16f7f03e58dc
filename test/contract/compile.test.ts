import t from 'tap';
import {
  type ContractDefinition,
  compileContract,
  ITEM,
  type JsonSchema,
  type ResponseDefinition,
  type SelectDefinition,
} from '../../src/contract/index.js';
import { type AgentCode, DECLARABLE_CODES, Fault } from '../../src/fault/index.js';
import { KEEP } from '../../src/json/index.js';
import { BASE, callContext, closed, compile, contractOf, troubles } from './support.js';

const SELECT = { select: { name: '/name' } };
const OPEN: JsonSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

t.test('a compiled contract', async (t) => {
  const contract = contractOf({
    responses: [
      { status: 200, schema: OPEN, ...SELECT },
      { status: [404, 410], failure: 'NOT_FOUND' },
      {
        status: 200,
        schema: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
        failure: { by: '/error', map: { gone: 'NOT_FOUND' } },
      },
    ],
  });
  t.match(contract, {
    tool: 'thing',
    version: '1.2.3',
    name: 'thing@1',
    purpose: 'What a test needs.',
    digest: /^[0-9a-f]{64}$/,
    accept: 'application/json',
    caseInsensitiveNames: false,
    numbers: 'number',
  });
  t.strictSame([...contract.byStatus.keys()], [200, 404, 410]);
  t.strictSame(
    contract.byStatus.get(200)?.alternatives.map((a) => a.index),
    [0, 2],
  );
  t.strictSame(
    contract.alternatives.map((a) => [a.body, a.mediaType, [...a.statuses], a.outcome.kind]),
    [
      ['json', 'json', [200], 'select'],
      ['none', 'json', [404, 410], 'failure'],
      ['json', 'json', [200], 'failure'],
    ],
  );
  const [first, second, third] = contract.alternatives;
  t.equal(first?.accepts({ name: 'x' }), true);
  t.equal(first?.accepts({}), false);
  t.strictSame(first?.explain({}), [
    { instance: '/name', schema: '/responses/0/schema/required', rule: 'required' },
  ]);
  t.equal(second?.accepts(undefined), true);
  t.strictSame(second?.explain(undefined), []);
  t.equal(third?.accepts({ error: 'gone' }), true);
  if (first?.outcome.kind === 'select') {
    t.strictSame(first.outcome.select({ name: 'x', other: 1 }, callContext()), { data: { name: 'x' } });
  }
  t.equal(contract.result.validate({ name: 'x' }), undefined);
  t.strictSame(contract.result.validate({ name: 'x', y: 1 }), {
    instance: '/y',
    schema: '/result/additionalProperties',
    rule: 'additionalProperties',
  });
  t.equal(contract.result.maxBytes, Buffer.byteLength(JSON.stringify({ name: '\u{1f600}'.repeat(20) })));
});

t.test(
  'the projection of a status keeps what its alternatives, selects, failures and checks look at',
  async (t) => {
    const contract = contractOf(
      {
        responses: [
          { status: 200, schema: { type: 'object' }, select: { name: '/user/login' } },
          {
            status: 200,
            schema: { type: 'object', required: ['ok'] },
            failure: { by: '/error', map: { x: 'DENIED' } },
          },
          { status: 404, failure: 'NOT_FOUND' },
          {
            status: 500,
            schema: { type: 'object', additionalProperties: false },
            failure: 'UPSTREAM_UNAVAILABLE',
          },
        ],
      },
      {},
      [[['items', ITEM, 'id']]],
    );
    const projection = contract.byStatus.get(200)?.projection;
    if (projection === undefined || projection === KEEP) throw new Error('kept whole');
    t.strictSame([...projection.members.keys()].sort(), ['error', 'items', 'ok', 'user']);
    t.strictSame(contract.byStatus.get(404)?.projection, { members: new Map() });
    t.equal(contract.byStatus.get(500)?.projection, KEEP);
  },
);

t.test('a failure by a value of the answer', async (t) => {
  const response: ResponseDefinition = {
    status: 200,
    schema: { type: 'object' },
    failure: { by: '/e', map: { gone: 'NOT_FOUND', 1: 'DENIED', null: 'CONFLICT', true: 'RATE_LIMITED' } },
  };
  const outcome = contractOf({ responses: [{ status: 201, schema: OPEN, ...SELECT }, response] })
    .alternatives[1]?.outcome;
  if (outcome?.kind !== 'failure') throw new Error('not a failure');
  const cases: [unknown, AgentCode][] = [
    ['gone', 'NOT_FOUND'],
    [1, 'DENIED'],
    [null, 'CONFLICT'],
    [true, 'RATE_LIMITED'],
  ];
  for (const [value, code] of cases) t.equal(outcome.code({ e: value }, callContext()), code);
  for (const value of [
    { e: 'other' },
    { e: 'toString' },
    { e: ['gone'] },
    { e: {} },
    {},
    { e: 'GONE' },
    [],
  ]) {
    const fault = outcome.code(value, callContext());
    t.ok(fault instanceof Fault && fault.code === 'CON_UNMAPPED_FAILURE', JSON.stringify(value));
    t.match(fault, { detail: { instance: '/e', schema: '/responses/1/failure/map' } });
  }
});

t.test('every code that an upstream can say of a call may be declared, and no other', async (t) => {
  const second = (failure: ResponseDefinition['failure']) =>
    troubles({
      responses: [
        { status: 200, schema: OPEN, ...SELECT },
        { status: 404, schema: { type: 'object' }, ...(failure === undefined ? {} : { failure }) },
      ],
    });
  for (const code of DECLARABLE_CODES) t.strictSame(second(code), []);
  for (const code of ['INTERNAL', 'OVERLOADED', 'OUTCOME_UNKNOWN', 'toString'] as AgentCode[]) {
    t.strictSame(second(code), ['agent-code /responses/1/failure']);
    t.strictSame(second({ by: '/e', map: { x: code } }), ['agent-code /responses/1/failure/map/x']);
  }
});

t.test('what is wrong with an alternative', async (t) => {
  const good: ResponseDefinition = { status: 200, schema: OPEN, ...SELECT };
  const cases: [response: ResponseDefinition, ...problems: string[]][] = [
    [{ status: 404 }, 'one-outcome /responses/1'],
    [{ status: 404, schema: OPEN, ...SELECT, failure: 'NOT_FOUND' }, 'one-outcome /responses/1'],
    [{ status: [404, 404], failure: 'NOT_FOUND' }, 'status /responses/1/status'],
    [{ status: 101, failure: 'NOT_FOUND' }, 'status /responses/1/status'],
    [{ status: 302, failure: 'NOT_FOUND' }, 'status /responses/1/status'],
    [{ status: 600, failure: 'NOT_FOUND' }, 'status /responses/1/status'],
    [{ status: 204, schema: OPEN, ...SELECT }, 'no-body /responses/1/schema'],
    [
      { status: 404, media_type: 'Application/JSON', failure: 'NOT_FOUND' },
      'media-type /responses/1/media_type',
    ],
    [
      { status: 404, media_type: 'application/json; charset=utf-8', failure: 'NOT_FOUND' },
      'media-type /responses/1/media_type',
    ],
    [{ status: 404, failure: { by: '/e', map: { x: 'NOT_FOUND' } } }, 'no-body /responses/1/failure/by'],
    [
      { status: 404, schema: OPEN, failure: { by: 'e', map: { x: 'NOT_FOUND' } } },
      'source /responses/1/failure/by',
    ],
    [{ status: 201, select: { name: '/name' } }, 'no-body /responses/1/select/name'],
    [{ status: 201, select: { name: 'request.params.owner' } }],
    [{ status: 200, failure: 'NOT_FOUND' }, 'indistinct-alternatives /responses/1/status'],
    [
      { status: 200, select: { name: 'request.params.owner' } },
      'indistinct-alternatives /responses/1/status',
    ],
    [
      { status: 200, media_type: 'text/html', failure: 'NOT_FOUND' },
      'indistinct-alternatives /responses/1/status',
    ],
    [{ status: [200, 404], failure: 'NOT_FOUND' }, 'indistinct-alternatives /responses/1/status'],
    [{ status: 200, schema: OPEN, ...SELECT }],
    [{ status: 404, schema: 'missing.schema.json', failure: 'NOT_FOUND' }, 'reference /responses/1/schema'],
    [
      { status: 404, schema: { type: 'object', nullable: true }, failure: 'NOT_FOUND' },
      'unknown-keyword /responses/1/schema/nullable',
    ],
  ];
  for (const [response, ...problems] of cases) {
    t.strictSame(troubles({ responses: [good, response] }), problems, JSON.stringify(response));
  }
  t.strictSame(
    troubles({
      responses: [good, { status: [404, 410], failure: 'NOT_FOUND' }, { status: 410, failure: 'DENIED' }],
    }),
    ['indistinct-alternatives /responses/2/status'],
    'two that are not read',
  );
});

t.test('the result schema', async (t) => {
  const { result: _, ...withoutResult } = BASE;
  const source = (definition: ContractDefinition) =>
    compileContract({ name: 'thing@1', definition, schemas: new Map() }, []);
  t.match(source(withoutResult), {
    problems: [{ rule: 'no-result-schema', pointer: '/responses/0/select' }],
  });
  const failing = source({ ...withoutResult, responses: [{ status: 200, failure: 'NOT_FOUND' }] });
  if ('problems' in failing) throw new Error('an all-failure contract needs no result');
  t.equal(failing.contract.result.schema, false);
  t.equal(failing.contract.result.maxBytes, 0);
  t.match(failing.contract.result.validate({}), { rule: 'no-result' });
  t.strictSame(troubles({ responses: [{ status: 200, failure: 'NOT_FOUND' }] }), [
    'unused-result-schema /result',
  ]);
  t.strictSame(
    troubles({ result: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } }),
    ['open-object /result'],
  );
  t.strictSame(troubles({ result: closed({ name: { type: 'string' } }) }), [
    'unbounded-string /result/properties/name',
  ]);
  t.strictSame(
    troubles({ result: 'r.schema.json' }, { 'r.schema.json': closed({ name: { type: 'string' } }) }),
    ['unbounded-string r.schema.json#/properties/name'],
  );
});

t.test('select and result schema are about the same object', async (t) => {
  const name = { type: 'string', maxLength: 9 };
  const deep = closed({
    user: closed({ login: name }),
    list: { type: 'array', maxItems: 2, items: closed({ id: { type: 'integer' } }) },
  });
  const list = { each: '/l', max: 2, select: { id: '/id' } };
  const cases: [select: SelectDefinition, result: JsonSchema, ...problems: string[]][] = [
    [{ name: '/n', extra: '/e' }, closed({ name }), 'not-in-result /responses/0/select/extra'],
    [{ name: '/n' }, closed({ name, more: name }), 'result-requires /responses/0/select'],
    [{ name: '/n' }, closed({ name, more: name }, ['name'])],
    [{ name: { from: '/n', optional: true } }, closed({ name }), 'result-requires /responses/0/select/name'],
    [
      { name: { from: '/n', text: 'display', max_length: 5 } },
      closed({ name }),
      'result-requires /responses/0/select',
    ],
    [{ user: { object: { login: '/l' } }, list }, deep],
    [
      { user: { object: { name: '/l' } }, list },
      deep,
      'not-in-result /responses/0/select/user/object/name',
      'result-requires /responses/0/select/user/object',
    ],
    [{ user: '/u', list }, deep, 'result-type /responses/0/select/user'],
    [{ user: { object: { login: '/l' } }, list: '/l' }, deep, 'result-type /responses/0/select/list'],
    [
      { user: { object: { login: '/l' } }, list: { each: '/l', max: 2, item: '' } },
      deep,
      'result-type /responses/0/select/list/item',
    ],
    [
      { user: { object: { login: '/l' } }, list: { ...list, select: { id: '/id', x: '/x' } } },
      deep,
      'not-in-result /responses/0/select/list/select/x',
    ],
    [
      { user: { object: { login: { object: { x: '/x' } } } }, list },
      deep,
      'result-type /responses/0/select/user/object/login/object',
    ],
    [
      { l: { each: '/l', take: 2, total: 'n', item: '' } },
      closed({ l: { type: 'array', maxItems: 2, items: name }, n: { type: 'integer' } }),
    ],
    [
      { l: { each: '/l', take: 2, total: 'm', item: '' } },
      closed({ l: { type: 'array', maxItems: 2, items: name }, n: { type: 'integer' } }),
      'not-in-result /responses/0/select/l',
      'result-requires /responses/0/select',
    ],
    [
      { each: '/l', max: 2, select: { name: '/n' } },
      { type: 'array', maxItems: 2, items: closed({ name }) },
    ],
    [{ each: '/l', max: 2, select: { name: '/n' } }, closed({ name }), 'result-type /responses/0/select'],
    [{ name: '/n' }, { type: 'array', maxItems: 2, items: name }, 'result-type /responses/0/select'],
    [
      { kind: '/k' },
      {
        type: 'object',
        oneOf: [closed({ kind: { const: 'a' } }), closed({ kind: { const: 'b' }, more: name })],
      },
    ],
    [
      { kind: '/k' },
      {
        type: 'object',
        oneOf: [closed({ kind: { const: 'a' }, x: name }), closed({ kind: { const: 'b' }, y: name })],
      },
      'result-requires /responses/0/select',
    ],
    [
      { a: '/a', b: '/b' },
      {
        type: 'object',
        allOf: [{ type: 'object', properties: { a: name }, required: ['a'] }],
        properties: { b: name },
        unevaluatedProperties: false,
      },
    ],
  ];
  for (const [select, result, ...problems] of cases) {
    t.strictSame(
      troubles({ responses: [{ status: 200, schema: { type: 'object' }, select }], result }),
      problems,
      JSON.stringify([select, result]),
    );
  }
  const made = compile({ result: closed({ name, missing: name }) });
  const [problem] = 'problems' in made ? made.problems : [];
  t.match(problem?.message, /"missing" \(\/result\)/, 'both sides are named');
});

t.test('select gives what the result schema takes, as far as both schemas say', async (t) => {
  const text = { type: 'string', maxLength: 9 };
  const whole = { type: 'integer' };
  const array = { type: 'array', maxItems: 2, items: text };
  const answer: JsonSchema = {
    type: 'object',
    properties: {
      s: { type: 'string' },
      i: whole,
      f: { type: 'number' },
      n: { type: ['integer', 'null'] },
      e: { enum: ['a', 'b'] },
      o: { type: 'object', properties: { s: { $ref: '#/$defs/s' } } },
      shut: { type: 'object', properties: { size: whole }, additionalProperties: false },
      c: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      l: { type: 'array', items: { type: 'object', properties: { i: whole } } },
      free: true,
    },
    $defs: { s: { type: 'string' } },
  };
  const cases: [select: SelectDefinition, result: JsonSchema, ...problems: string[]][] = [
    [
      { l: { each: '/l', max: 3, item: '/s' } },
      closed({ l: array }),
      'result-items /responses/0/select/l/max',
    ],
    [{ l: { each: '/l', max: 2, item: '/s' } }, closed({ l: array })],
    [
      { l: { each: '/l', take: 3, total: 't', item: '/s' } },
      closed({ l: array, t: text }),
      'result-items /responses/0/select/l/take',
      'result-type /responses/0/select/l/total',
    ],
    [{ each: '/l', max: 3, item: '/s' }, array, 'result-items /responses/0/select/max'],
    [
      { l: { each: '/l', max: 2, item: '/i' } },
      closed({ l: array }),
      'result-type /responses/0/select/l/item',
    ],
    [
      { l: { each: '/l', max: 2, select: { i: '/i' } } },
      closed({ l: { type: 'array', maxItems: 2, items: closed({ i: text }) } }),
      'result-type /responses/0/select/l/select/i',
    ],
    [{ v: '/s' }, closed({ v: text })],
    [{ v: '/s' }, closed({ v: whole }), 'result-type /responses/0/select/v'],
    [
      { v: { from: '/s', optional: true } },
      closed({ v: whole, w: text }, ['w']),
      'result-requires /responses/0/select',
      'result-type /responses/0/select/v',
    ],
    [{ v: '/o/s' }, closed({ v: { type: 'boolean' } }), 'result-type /responses/0/select/v'],
    [{ v: '/i' }, closed({ v: text }), 'result-type /responses/0/select/v'],
    [{ v: '/i' }, closed({ v: { type: 'number', minimum: 0, maximum: 9 } })],
    [{ v: '/f' }, closed({ v: whole })],
    [{ v: '/o' }, closed({ v: text }), 'result-type /responses/0/select/v'],
    // A null would pass.
    [{ v: '/n' }, closed({ v: { ...text, type: ['string', 'null'] } })],
    [{ v: '/n' }, closed({ v: text }), 'result-type /responses/0/select/v'],
    [{ v: '/e' }, closed({ v: { enum: ['a'] } })],
    [{ v: '/e' }, closed({ v: { enum: [1, true] } }), 'result-type /responses/0/select/v'],
    [{ v: '/c' }, closed({ v: { type: 'boolean' } })],
    [{ v: '/free' }, closed({ v: whole })],
    [{ v: '/unnamed' }, closed({ v: whole })],
    [{ v: '/shut/sise' }, closed({ v: whole }), 'not-in-answer /responses/0/select/v'],
    [{ v: '/shut/size' }, closed({ v: whole })],
    [
      { l: { each: '/shut/list', max: 2, item: '' } },
      closed({ l: array }),
      'not-in-answer /responses/0/select/l/each',
    ],
    [{ v: 'request.params.id' }, closed({ v: text }), 'result-type /responses/0/select/v'],
    [{ v: 'request.params.owner' }, closed({ v: text })],
    [{ v: 'header:etag' }, closed({ v: whole }), 'result-type /responses/0/select/v'],
    [{ v: { from: '/i', template: 'CR-{}' } }, closed({ v: text })],
    [{ v: { from: '/i', template: 'CR-{}' } }, closed({ v: whole }), 'result-type /responses/0/select/v'],
    [{ v: { from: '/s', convert: 'integer' } }, closed({ v: whole })],
    [{ v: { from: '/i', convert: 'epoch_s' } }, closed({ v: whole }), 'result-type /responses/0/select/v'],
    [{ v: { from: '/i', map: { 1: 'one', 2: 'two' } } }, closed({ v: { enum: ['one', 'two'] } })],
    [
      { v: { from: '/i', map: { 1: 'one', 2: 'tow' } } },
      closed({ v: { enum: ['one', 'two'] } }),
      'result-map /responses/0/select/v/map/2',
    ],
    [{ v: { from: '/s', map: { a: 1 } } }, closed({ v: text }), 'result-map /responses/0/select/v/map/a'],
    [{ v: { from: '/s', map: { a: 1 } } }, closed({ v: { type: 'number', minimum: 0, maximum: 9 } })],
    // What only one branch says is certain of no value.
    [{ v: '/s' }, { type: 'object', oneOf: [closed({ v: text }), closed({ v: whole })] }],
    [
      { u: { object: { x: '/s' } } },
      { type: 'object', oneOf: [closed({ u: closed({ x: text }) }), closed({ u: closed({ y: text }) })] },
    ],
  ];
  for (const [select, result, ...problems] of cases) {
    t.strictSame(
      troubles({ responses: [{ status: 200, schema: answer, select }], result }),
      problems,
      JSON.stringify([select, result]),
    );
  }
  const sentence = (select: SelectDefinition, result: JsonSchema) => {
    const made = compile({ responses: [{ status: 200, schema: answer, select }], result });
    return 'problems' in made ? made.problems[0] : undefined;
  };
  t.match(sentence({ l: { each: '/l', max: 30, item: '/s' } }, closed({ l: array })), {
    message: /^max is 30, .* at most 2 items \(\/result\/properties\/l\)/,
  });
  t.match(sentence({ v: '/i' }, closed({ v: text })), {
    message:
      'the field gives integer (/responses/0/schema/properties/i), and the result schema takes string (/result/properties/v)',
  });
  t.match(sentence({ v: '/shut/sise' }, closed({ v: whole })), { remedy: 'did you mean "size"?' });
});

t.test('numbers as text', async (t) => {
  t.equal(contractOf({ numbers: 'string' }).numbers, 'string');
  t.strictSame(
    troubles({
      numbers: 'string',
      responses: [
        {
          status: 200,
          schema: { type: 'object', properties: { n: { type: ['integer', 'null'] }, s: { type: 'string' } } },
          ...SELECT,
        },
      ],
    }),
    ['numbers-are-text /responses/0/schema/properties/n/type'],
  );
});

t.test('names and accept', async (t) => {
  t.equal(contractOf({ names: 'case_insensitive' }).caseInsensitiveNames, true);
  const accept = (...types: (string | undefined)[]) =>
    contractOf({
      responses: types.map((media_type, i) => ({
        status: 200 + i,
        ...(media_type === undefined ? {} : { media_type }),
        schema: OPEN,
        ...SELECT,
      })),
    }).accept;
  t.equal(
    accept(undefined, 'application/problem+json', 'application/json', 'application/problem+json'),
    'application/problem+json, application/json',
  );
  t.equal(accept('application/vnd.x'), 'application/vnd.x');
  t.equal(
    contractOf({ responses: [{ status: 204, select: { name: 'request.params.owner' } }] }).accept,
    '*/*',
  );
});

t.test('the digest says what the contract says, however it is laid out', async (t) => {
  const file = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const responses = [{ status: 200, schema: 'a.schema.json', ...SELECT }];
  const digest = (parts: Partial<ContractDefinition>, files: Record<string, unknown>) =>
    contractOf({ responses, ...parts }, files).digest;
  const same = digest({}, { 'a.schema.json': file });
  t.equal(
    digest(
      {},
      { 'a.schema.json': { required: ['name'], properties: { name: { type: 'string' } }, type: 'object' } },
    ),
    same,
    'order',
  );
  t.equal(
    digest({}, { 'unused.schema.json': { nullable: true }, 'a.schema.json': file }),
    same,
    'a file that is not used',
  );
  t.not(digest({}, { 'a.schema.json': { ...file, minProperties: 1 } }), same, 'a schema');
  t.not(digest({ purpose: 'Another.' }, { 'a.schema.json': file }), same, 'a word');
  t.not(digest({ version: '1.2.4' }, { 'a.schema.json': file }), same, 'a version');
  const used = { ...file, properties: { name: { $ref: 'b.schema.json' } } };
  t.not(
    digest({}, { 'a.schema.json': used, 'b.schema.json': { type: 'string' } }),
    digest({}, { 'a.schema.json': used, 'b.schema.json': { type: 'string', minLength: 1 } }),
    'a file used by a file',
  );
});

t.test('a compiled contract does not change, and the source is left as it was', async (t) => {
  const schemas = new Map<string, unknown>([
    ['r.schema.json', closed({ name: { type: 'string', maxLength: 20 } })],
  ]);
  const definition: ContractDefinition = { ...BASE, result: 'r.schema.json' };
  const before = JSON.stringify([definition, [...schemas]]);
  const made = compileContract({ name: 'thing@1', definition, schemas }, []);
  if ('problems' in made) throw new Error('problems');
  const { contract } = made;
  t.equal(JSON.stringify([definition, [...schemas]]), before);
  t.notOk(Object.isFrozen(definition) || Object.isFrozen(schemas.get('r.schema.json')));
  const open: unknown[] = [contract];
  const seen = new Set<unknown>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    t.ok(Object.isFrozen(next));
    open.push(...Object.values(next), ...(next instanceof Map ? next.values() : []));
  }
  t.ok(seen.size > 15);
  t.throws(() => (contract.byStatus as Map<number, unknown>).set(1, 1), /does not change/);
  t.throws(() => (contract.byStatus as Map<number, unknown>).clear(), /does not change/);
  const [first] = contract.alternatives;
  t.throws(() => (first?.statuses as Set<number> | undefined)?.add(1), /does not change/);
  t.strictSame(
    contract.alternatives[0]?.explain([])[0]?.rule,
    'type',
    'the second validator compiles a frozen schema',
  );
});

t.test('everything that is wrong is reported at once', async (t) => {
  t.strictSame(
    troubles({
      request: { params: { id: { type: 'string' } }, required_query: ['x'] },
      responses: [
        { status: 200, schema: { type: 'object', $id: 'x' }, select: { name: 'oops' } },
        { status: 404, failure: 'INTERNAL' },
      ],
      result: closed({ name: { type: 'string' } }),
    }),
    [
      'agent-code /responses/1/failure',
      'any-character /request/params/id',
      'source /responses/0/select/name',
      'unbounded-string /result/properties/name',
      'undeclared /request/required_query/0',
      'unknown-keyword /responses/0/schema/$id',
    ],
  );
});
