import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadContract } from '../../src/config/index.js';
import { assembleContract } from '../../src/route/index.js';
import { formatVerdict, proveContract, proveContracts } from '../../src/tooling/index.js';
import { shippedContracts } from '../schemas/shipped.js';

const ORIGINAL = 'schemas/review_status/1';

/** A copy of a shipped contract that a test may spoil. */
async function copy(
  root: string,
): Promise<{ folder: string; prove: () => ReturnType<typeof proveContract> }> {
  const folder = join(root, 'review_status', '1');
  cpSync(ORIGINAL, folder, { recursive: true });
  const prove = async () => {
    const loaded = loadContract(folder);
    if (!('source' in loaded)) throw new Error('the copy does not load');
    return proveContract(loaded);
  };
  return { folder, prove };
}

const yamlFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.startsWith('fixtures') && name.endsWith('.yaml'),
  ).length;

t.test('the shipped contracts prove themselves, every fixture counted', async (t) => {
  const shipped = await shippedContracts();
  const proof = await proveContracts(shipped.map(({ folder }) => folder));
  t.same(proof.failed.map(formatVerdict), []);
  t.equal(
    proof.passed,
    shipped.reduce((sum, { folder }) => sum + yamlFiles(folder.folder), 0),
  );
});

t.test('a wrong fixture fails the proof, the others still count', async (t) => {
  const { folder, prove } = await copy(t.testdir());
  const file = join(folder, 'fixtures/accept/wrong.yaml');
  writeFileSync(
    file,
    [
      'title: a wrong claim',
      'request: { params: { owner: octocat, repo: hello-world, number: 1347, review: 80 } }',
      'answer: { status: 404 }',
      'expect: { result: { change_id: CR-1347, decision: approved, reviewed_by: octocat } }',
    ].join('\n'),
  );
  const proof = await prove();
  t.equal(proof.passed, yamlFiles(folder) - 1);
  t.match(proof.failed, [
    { file, kind: 'accept', got: /^refusal CON_DECLARED_FAILURE, for the agent NOT_FOUND/ },
  ]);
  t.equal(proof.failed.length, 1);
});

t.test('a contract that accepts nothing, or refuses nothing, proves nothing', async (t) => {
  for (const kind of ['accept', 'refuse']) {
    const { folder, prove } = await copy(t.testdir());
    rmSync(join(folder, 'fixtures', kind), { recursive: true });
    const proof = await prove();
    t.match(proof.failed, [{ file: join(folder, 'fixtures', kind), kind, got: 'none', missing: true }], kind);
    t.equal(proof.failed.length, 1);
  }
});

t.test('a contract without fixtures fails twice', async (t) => {
  const { folder, prove } = await copy(t.testdir());
  rmSync(join(folder, 'fixtures'), { recursive: true });
  const proof = await prove();
  t.equal(proof.passed, 0);
  t.match(proof.failed, [{ kind: 'accept' }, { kind: 'refuse' }]);
});

t.test('a fixture that cannot be read fails the proof', async (t) => {
  const { folder, prove } = await copy(t.testdir());
  writeFileSync(
    join(folder, 'fixtures/accept/broken.yaml'),
    [
      'title: a key too many',
      'answer: { status: 404 }',
      'expect: { code: CON_DECLARED_FAILURE }',
      'answr: { status: 200 }',
    ].join('\n'),
  );
  const proof = await prove();
  t.equal(proof.passed, 0);
  t.match(proof.failed[0], {
    kind: 'contract',
    file: /broken\.yaml$/,
    diagnostic: { rule: 'unknown-key', line: 4 },
  });
  t.match(proof.failed.map(formatVerdict)[0], /broken\.yaml:4:1: .*answr/);
});

t.test('a contract that does not compile fails the proof', async (t) => {
  const { folder, prove } = await copy(t.testdir());
  writeFileSync(join(folder, 'result.schema.json'), '{"type":"object"}');
  const proof = await prove();
  t.equal(proof.passed, 0);
  t.match(proof.failed[0], { kind: 'contract', title: /load/, got: /additionalProperties: false/ });
});

t.test('what was compiled already is what is proven', async (t) => {
  const { folder } = await copy(t.testdir());
  const loaded = loadContract(folder);
  if (!('source' in loaded)) return t.fail('the copy does not load');
  const { source } = loaded;
  const [found, ...others] = source.definition.responses;
  if (found === undefined) return t.fail('the copy has no response');
  const lying = {
    ...source,
    definition: { ...source.definition, responses: [{ ...found, checks: [] }, ...others] },
  };
  const assembled = assembleContract(lying);
  if ('problems' in assembled) return t.fail('without its checks it does not compile');
  t.strictSame((await proveContract({ source, folder })).failed, []);
  const { failed } = await proveContract({ source, folder, assembled });
  t.strictSame(
    failed.map(({ file }) => file.slice(folder.length)).sort(),
    ['/fixtures/refuse/wrong-pull-request.yaml', '/fixtures/refuse/wrong-review.yaml'],
    'the fixtures that its checks refuse',
  );
  return undefined;
});
