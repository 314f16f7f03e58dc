import { join } from 'node:path';
import t from 'tap';
import { loadContract, loadFixtures } from '../../src/config/index.js';
import { HOME } from './as-shown.js';

t.test('a contract and its schemas, in JSON and in YAML', async (t) => {
  const folder = join(HOME, 'schemas/item_status/1');
  const loaded = loadContract(folder);
  if (!('source' in loaded)) throw new Error('does not load');
  t.equal(loaded.folder, folder);
  t.equal(loaded.source.name, 'item_status@1');
  t.equal(loaded.source.definition.version, '1.0.0');
  t.same([...loaded.source.schemas.keys()], ['item.schema.json', 'result.schema.yaml']);
  t.match(loaded.source.schemas.get('result.schema.yaml'), { type: 'object', required: ['id', 'state'] });
  const problem = { rule: 'r', message: 'm', remedy: 'x' };
  t.same(
    loaded
      .diagnostics([
        { ...problem, pointer: '/responses/0/select/state' },
        { ...problem, pointer: '/properties/id/maximum', document: 'item.schema.json' },
      ])
      .map(({ file, line, column }) => [file.slice(folder.length), line, column]),
    [
      ['/contract.yaml', 14, 14],
      ['/item.schema.json', 5, 57],
    ],
  );
});

t.test('a draft may stand in a folder of any name', async (t) => {
  const folder = t.testdir({
    'contract.yaml':
      'tool: a\nversion: 3.0.0\npurpose: p\nrequest: {}\nresponses: [{ status: 404, failure: NOT_FOUND }]\n',
  });
  t.ok('source' in loadContract(folder, { anywhere: true }));
  t.notOk('source' in loadContract(folder));
});

t.test('fixtures: by kind and name, with the bytes of their bodies', async (t) => {
  const fixture = (answer: string, expect = 'result: 1') =>
    `title: x\nanswer:\n  status: 200\n${answer}expect: { ${expect} }\n`;
  const folder = t.testdir({
    fixtures: {
      accept: {
        'a-value.yaml': fixture('  body: { b: [1.50, "é"], a: null }\n'),
        'b-text.yaml': fixture('  body_text: "{ }\\n"\n'),
        'c-base64.yaml': fixture('  body_base64: AP/+\n'),
        'd-file.yaml': fixture('  body_file: ../refuse/body.json\n'),
        'e-empty.yaml': fixture(''),
        'f-null.yaml': fixture('  body: null\n'),
        'g-unused.json': '{}',
      },
      past: { 'a.yaml': fixture('  body_file: ../accept/g-unused.json\n') },
      refuse: { 'a.yaml': fixture('', 'code: PRS_EMPTY, agent: INVALID_RESPONSE'), 'body.json': '{"a":\n1}' },
    },
  });
  const loaded = loadFixtures(folder);
  if (!('fixtures' in loaded)) {
    throw new Error(loaded.diagnostics.map((d) => `${d.file} ${d.message}`).join('\n'));
  }
  t.same(
    loaded.fixtures.map(({ file, kind, body }) => [
      file.slice(folder.length),
      kind,
      Buffer.from(body).toString('latin1'),
    ]),
    [
      ['/fixtures/accept/a-value.yaml', 'accept', '{"b":[1.5,"Ã©"],"a":null}'],
      ['/fixtures/accept/b-text.yaml', 'accept', '{ }\n'],
      ['/fixtures/accept/c-base64.yaml', 'accept', '\0\xff\xfe'],
      ['/fixtures/accept/d-file.yaml', 'accept', '{"a":\n1}'],
      ['/fixtures/accept/e-empty.yaml', 'accept', ''],
      ['/fixtures/accept/f-null.yaml', 'accept', 'null'],
      ['/fixtures/past/a.yaml', 'past', '{}'],
      ['/fixtures/refuse/a.yaml', 'refuse', ''],
    ],
  );
  t.equal(loaded.fixtures[3]?.definition.answer.body_file, join(folder, 'fixtures/refuse/body.json'));
});
