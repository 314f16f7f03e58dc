import t from 'tap';
import type { ResponseDefinition } from '../../src/contract/index.js';
import { KEEP } from '../../src/json/index.js';
import { BASE, closed, contractOf, troubles } from './support.js';

const TEXT: ResponseDefinition = {
  status: 200,
  parse: { pattern: '^v(?<version>[0-9.]{1,20})(?:-(?<tag>[a-z]{1,9}))?$' },
  select: { name: '/version' },
};
const LINES: ResponseDefinition = {
  status: 200,
  parse: 'ndjson',
  schema: {
    type: 'array',
    items: { type: 'object', required: ['n'], properties: { n: { type: 'string' }, m: { type: 'integer' } } },
  },
  select: { name: '/0/n' },
};

function refused(...responses: ResponseDefinition[]): string[] {
  return troubles({ responses });
}

t.test('a text alternative', async (t) => {
  const contract = contractOf({ responses: [TEXT] });
  t.equal(contract.accept, 'text/plain');
  const [text] = contract.alternatives;
  t.equal(text?.body, 'text');
  t.equal(text?.mediaType, 'text/plain');
  t.equal(text?.accepts({ version: '1' }), true, 'the schema is that of the groups');
  t.equal(text?.accepts({ version: '1', tag: 'rc' }), true);
  t.equal(text?.accepts({ tag: 'rc' }), false, 'one that every match has is required');
  t.equal(text?.accepts({ version: '1', more: '' }), false);
  t.equal(text?.accepts({ version: '1'.repeat(21) }), false);
});

t.test('an alternative of lines', async (t) => {
  const contract = contractOf({
    responses: [LINES, { ...LINES, status: 201, parse: { ndjson: { max: 5 } } }],
  });
  t.equal(contract.accept, 'application/x-ndjson');
  const [lines, few] = contract.alternatives;
  t.equal(lines?.body, 'ndjson');
  t.equal(lines?.maxLines, undefined);
  t.equal(few?.maxLines, 5);
  const group = contract.byStatus.get(200);
  t.equal(group?.lines?.keepsLines, true);
  const line = group?.lines?.line;
  t.same(line === KEEP || line === undefined ? line : [...line.members.keys()].sort(), ['m', 'n']);
  t.equal(contractOf({}).byStatus.get(200)?.lines, undefined, 'JSON has no lines');
});

t.test('lines that nobody looks at are only counted', async (t) => {
  const contract = contractOf({
    responses: [{ ...LINES, schema: { type: 'array' }, select: { name: 'request.params.owner' } }],
  });
  t.equal(contract.byStatus.get(200)?.lines?.keepsLines, false);
  const counted = contractOf({
    responses: [
      { ...LINES, schema: { type: 'array', maxItems: 3 }, select: { name: 'request.params.owner' } },
    ],
  });
  t.equal(counted.byStatus.get(200)?.lines?.keepsLines, true, 'maxItems counts them');
});

t.test('media types of one status that are read in different ways stand side by side', async (t) => {
  const contract = contractOf({
    responses: [TEXT, LINES, { status: 200, schema: { type: 'object' }, failure: 'CONFLICT' }],
  });
  t.equal(contract.accept, 'application/x-ndjson, text/plain, application/json');
  t.same(
    contract.alternatives.map(({ body }) => body),
    ['text', 'ndjson', 'json'],
  );
});

t.test('one media type that would be read in two ways', async (t) => {
  const json: ResponseDefinition = { status: 200, schema: { type: 'object' }, failure: 'CONFLICT' };
  t.same(refused(TEXT, { ...json, media_type: 'text/plain' }), ['mixed-parse /responses/1']);
  t.same(refused({ ...LINES, media_type: 'application/x+json' }, json), ['mixed-parse /responses/1']);
  t.same(refused(LINES, { ...LINES, parse: { ndjson: { max: 5 } } }), ['mixed-parse /responses/1']);
  t.same(refused(TEXT, { ...TEXT, parse: { pattern: '^(?<version>none)$' } }), [], 'two patterns');
  t.same(refused(TEXT, { ...json, status: 500, media_type: 'text/plain' }), [], 'another status');
});

t.test('application/json can be read as lines', async (t) => {
  const contract = contractOf({ responses: [{ ...LINES, media_type: 'application/json' }] });
  t.equal(contract.accept, 'application/json');
  t.equal(contract.alternatives[0]?.mediaType, 'application/json', 'as it is, without its +json');
});

t.test('what does not load', async (t) => {
  t.same(refused({ ...TEXT, parse: { pattern: '^v$' } }), ['not-in-answer /responses/0/select/name']);
  t.same(refused({ ...TEXT, parse: { pattern: '^v$' }, select: { name: 'request.params.owner' } }), []);
  t.same(refused({ ...TEXT, parse: { pattern: '(?<version>1)' } }), [
    'unanchored-pattern /responses/0/parse/pattern',
  ]);
  t.same(refused({ ...TEXT, select: { name: '/versoin' } }), ['not-in-answer /responses/0/select/name']);
  t.same(refused({ ...TEXT, schema: { type: 'array', items: {} } }).slice(0, 1), [
    'parse-schema /responses/0/schema/type',
  ]);
  t.same(
    refused({
      ...TEXT,
      schema: { type: 'object', required: ['verison'], properties: { build: { type: 'string' } } },
    }),
    ['parse-schema /responses/0/schema', 'parse-schema /responses/0/schema'],
  );
  const { schema: _, ...bare } = LINES;
  t.same(refused(bare).slice(-1), ['parse-schema /responses/0/parse']);
  t.same(refused({ ...LINES, schema: { type: 'object' }, select: { name: '/n' } }), [
    'parse-schema /responses/0/schema/type',
  ]);
});

t.test('the types of groups and lines are compared with the result', async (t) => {
  const result = closed({ name: { type: 'integer', minimum: 0, maximum: 9 } });
  t.same(troubles({ responses: [TEXT], result }), ['result-type /responses/0/select/name']);
  const converted = { ...TEXT, select: { name: { from: '/version', convert: 'integer' as const } } };
  t.same(troubles({ responses: [converted], result }), []);
});

t.test('a signed payload is JSON', async (t) => {
  const jws = (covers: 'document' | 'body') => ({
    responses: [TEXT],
    signatures: [{ id: 'signed', jws: { key: 'k', algorithms: ['EdDSA'], covers } }],
  });
  t.same(troubles(jws('document')), ['parse-signed /responses/0/parse']);
  t.same(troubles(jws('body')), []);
});

t.test('the digest is of what is written', async (t) => {
  const one = contractOf({ responses: [TEXT] });
  const spelled = contractOf({
    responses: [{ ...TEXT, schema: { type: 'object', properties: { version: { type: 'string' } } } }],
  });
  t.not(one.digest, spelled.digest);
  t.equal(BASE.responses.length, 1);
});
