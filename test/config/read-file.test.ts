import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { loadContract, loadFixtures, loadSettings } from '../../src/config/index.js';
import { parseYaml } from '../../src/config/yaml-file.js';

// Whatever stands where a configuration is looked for, the outcome is Diagnostics and never a throw.

const folder = t.testdir({
  folder: {},
  'binary.yaml': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]),
  'nul.yaml': 'version: 1\0\n',
  'latin1.yaml': Buffer.from('version: 1\n# caf\xe9\nroutes: []\n', 'latin1'),
  'cut.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xe2, 0x82]),
  'surrogate.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]),
  'large.yaml': `version: 1\n#${'x'.repeat(10 * 1_048_576)}\n`,
  'bom.yaml': '\ufeffversion: 1\nx: 1\n',
  'brackets.yaml': '['.repeat(20_000),
  'scalar.yaml': 'hello\n',
  'number.yaml': '1\n',
  'nothing.yaml': '',
  'keys.yaml': Array.from({ length: 5_000 }, (_, i) => `key${i}: 1\n`).join(''),
  file: { 'contract.yaml': { inner: 'x' } },
});

async function outcome(name: string): Promise<string[]> {
  const result = await loadSettings(join(folder, name), {});
  if ('settings' in result) return ['settings'];
  return result.diagnostics.map((d) => `${d.line}:${d.column} ${d.rule}`);
}

t.test('files of every kind', async (t) => {
  t.same(await outcome('missing.yaml'), ['1:1 no-file']);
  t.same(await outcome('scalar.yaml/x'), ['1:1 no-file']);
  t.same(await outcome('folder'), ['1:1 not-a-file']);
  t.same(await outcome('binary.yaml'), ['1:1 not-text']);
  t.same(await outcome('nul.yaml'), ['1:11 not-text']);
  t.same(await outcome('latin1.yaml'), ['2:6 not-utf8']);
  t.same(await outcome('cut.yaml'), ['1:4 not-utf8']);
  t.same(await outcome('surrogate.yaml'), ['1:4 not-utf8']);
  t.same(await outcome('large.yaml'), ['1:1 file-too-large']);
  t.same(await outcome('brackets.yaml'), ['1:101 too-deep']);
  t.same(await outcome('scalar.yaml'), ['1:1 wrong-type']);
  t.same(await outcome('number.yaml'), ['1:1 wrong-type']);
  t.same(await outcome('nothing.yaml'), ['1:1 empty-file']);
  const many = await outcome('keys.yaml');
  t.same(
    [many.length, many.filter((d) => d.endsWith('too-many-problems'))],
    [101, ['1:1 too-many-problems']],
  );
  t.same(await outcome('\0'), ['1:1 unreadable']);
  t.same(await outcome('bom.yaml'), ['1:1 missing-key', '1:1 missing-key', '2:1 unknown-key']);
});

t.test('a pipe is not waited for', { skip: process.platform === 'win32' }, async (t) => {
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
  t.same(await outcome('pipe.yaml'), ['1:1 not-a-file']);
});

t.test('contracts and fixtures that are not there', async (t) => {
  const rules = (result: object) => {
    const { diagnostics } = result as { diagnostics?: readonly { rule: string }[] };
    return Array.isArray(diagnostics) ? diagnostics.map((d) => d.rule) : [];
  };
  t.same(rules(loadContract(join(folder, 'nowhere'))), ['no-file']);
  t.same(rules(loadContract(join(folder, 'file'))), ['not-a-file']);
  t.same(loadFixtures(join(folder, 'nowhere')), { fixtures: [] });
});

t.test('no text throws', async (t) => {
  const pieces = [
    'a',
    ':',
    ' ',
    '\n',
    '-',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '&x',
    '*x',
    '!',
    '|',
    '>',
    '%',
    '?',
    '#',
    ',',
    '\t',
    '\\',
    '${',
    '<<',
    '...',
    '---',
    'é',
    '\r',
  ];
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let i = 0; i < 3_000; i++) {
    const text = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]).join('');
    const file = parseYaml(text);
    file.locate('/a/0/x');
    if (file.value === undefined && file.problems.length === 0)
      t.fail(`nothing said of ${JSON.stringify(text)}`);
  }
  t.pass('3,000 texts');
});
