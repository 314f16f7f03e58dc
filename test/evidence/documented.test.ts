import { readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import type {
  CallContext,
  CheckDefinition,
  ContractDefinition,
  JsonSchema,
} from '../../src/contract/index.js';
import { compileChecks } from '../../src/evidence/index.js';
import { Fault } from '../../src/fault/index.js';
import { assembleContract } from '../../src/route/index.js';
import { ResponseHeaders } from '../../src/upstream/index.js';

/** An example of docs/checks.md. */
interface Example {
  readonly schema: JsonSchema;
  readonly check?: CheckDefinition;
  readonly holds?: readonly unknown[];
  readonly refused?: readonly unknown[];
  readonly failure?: NonNullable<ContractDefinition['responses'][number]['failure']>;
  readonly codes?: Readonly<Record<string, readonly unknown[]>>;
}

const REQUEST: ContractDefinition['request'] = {
  params: { id: { type: 'integer' }, owner: { type: 'string', pattern: '^[A-Za-z]{1,39}$' } },
  query: { per_page: { type: 'integer' }, 'sort-by': { type: 'string', enum: ['name'] } },
  required_query: ['per_page'],
  body: {
    media_type: 'application/json',
    required: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['amount'],
      properties: { amount: { type: 'integer' } },
    },
  },
};

const CONTEXT: CallContext = {
  request: {
    params: { id: 7, owner: 'octocat' },
    query: { per_page: 10 },
    headers: {},
    body: { amount: 12 },
  },
  requestId: 'req.12345678',
  headers: new ResponseHeaders([['date', 'Wed, 31 Dec 2025 23:59:00 GMT']]),
  now: Date.UTC(2026, 0, 1),
};

const markdown = readFileSync('docs/checks.md', 'utf8');
const fences = [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
  kind: kind ?? '',
  text: text ?? '',
}));
const examples = fences.filter(({ kind }) => kind === 'yaml').map(({ text }) => parse(text) as Example);

function contractOf({ schema, check, failure }: Example): ContractDefinition {
  const result = {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'integer' } },
  };
  const about = { tool: 'x', version: '1.0.0', purpose: 'x', request: REQUEST };
  if (failure !== undefined) return { ...about, responses: [{ status: 200, schema, failure }] };
  const select = { id: 'request.params.id' };
  return {
    ...about,
    responses: [{ status: 200, schema, select, checks: check === undefined ? [] : [check] }],
    result,
  };
}

t.test('each example of docs/checks.md does what it says', async (t) => {
  t.ok(examples.length >= 12, `${examples.length} examples`);
  for (const example of examples) {
    const definition = contractOf(example);
    const name = example.check?.id ?? 'failure';
    const assembled = assembleContract({ name: 'x@1', definition, schemas: new Map() });
    if ('problems' in assembled)
      throw new Error(`${name}: ${JSON.stringify(assembled.problems, undefined, 1)}`);
    const [alternative] = assembled.contract.alternatives;
    const [[check] = []] = assembled.checks;
    t.ok((example.holds ?? []).length + Object.keys(example.codes ?? {}).length > 0, name);
    for (const value of example.holds ?? []) {
      t.equal(alternative?.accepts(value), true, `${name} accepts ${JSON.stringify(value)}`);
      t.equal(check?.run(value, CONTEXT), undefined, `${name} holds ${JSON.stringify(value)}`);
    }
    for (const value of example.refused ?? []) {
      t.equal(alternative?.accepts(value), true, `${name} accepts ${JSON.stringify(value)}`);
      t.ok(check?.run(value, CONTEXT) instanceof Fault, `${name} refuses ${JSON.stringify(value)}`);
    }
    for (const [code, values] of Object.entries(example.codes ?? {})) {
      for (const value of values) {
        t.equal(alternative?.accepts(value), true, `${name} accepts ${JSON.stringify(value)}`);
        const given = alternative?.outcome.kind === 'failure' && alternative.outcome.code(value, CONTEXT);
        t.equal(given instanceof Fault ? given.code : given, code, JSON.stringify(value));
      }
    }
  }
});

t.test(
  'docs/checks.md names every function that a rule can call, and shows errors as they are',
  async (t) => {
    const made = compileChecks(
      contractOf({
        schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        check: { id: 'r', rule: 'nothing(a)', reads: { a: '/a' } },
      }),
    );
    const remedy = 'problems' in made ? (made.problems[0]?.remedy ?? '') : '';
    const names = remedy.slice('the functions are '.length, remedy.indexOf(';')).split(', ');
    t.ok(names.length > 5, remedy);
    for (const name of names) t.match(markdown, `${name}(`);
    for (const folder of ['rules', 'cost']) {
      const shown = readFileSync(`test/config/bad-rules/${folder}/expected.txt`, 'utf8');
      t.ok(
        fences.some(({ kind, text }) => kind === '' && shown.includes(text)),
        folder,
      );
    }
  },
);
