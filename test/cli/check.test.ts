import { join } from 'node:path';
import t from 'tap';
import { assay } from './assay.js';
import { ACCEPT, CONTRACT, config, project } from './project.js';
import { asShown } from './shown.js';

/** Runs `assay check` on a project; the folder's own name is taken out of what it prints. */
async function check(t: Parameters<typeof project>[0], changes: Record<string, string> = {}) {
  const dir = await project(t, { 'config/assay.yaml': absolute(''), ...changes });
  const file = join(dir, 'config/assay.yaml');
  const contracts = { CONTRACTS: join(dir, 'schemas') };
  const { exit, out, err } = await assay(['check', '--config', file], { env: contracts });
  const clean = (text: string): string => text.replaceAll(dir, 'DIR');
  return { exit, out: clean(out), err: clean(err) };
}

function absolute(more: string): string {
  return `contracts: \${CONTRACTS}\n${config('http://127.0.0.1:9')}${more}`;
}

t.test('all is well: a summary for each contract', async (t) => {
  const { exit, out, err } = await check(t);
  t.equal(exit, 'OK');
  t.equal(err, '');
  asShown(t, 'check', out.replace(/[0-9a-f]{12}/g, 'DIGEST______'));
});

t.test('problems of configuration and contract, all at once, as a person reads them', async (t) => {
  const { exit, out, err } = await check(t, {
    'config/assay.yaml': absolute('')
      .replace('upstream: shop', 'upstream: shpo')
      .replace('audit: { file', 'audit: { flie'),
    'schemas/thing/1/contract.yaml': CONTRACT.replace(', maxLength: 20', ''),
  });
  t.equal(exit, 'CONFIG');
  t.equal(out, '');
  t.match(err, /shpo/);
  t.match(err, /flie/);
  t.match(err, /\n\d problems in DIR\/config\/assay.yaml and what it names\n$/);
  asShown(t, 'check-problems', err);
});

t.test('a fixture that does not behave as claimed', async (t) => {
  const { exit, out, err } = await check(t, {
    'schemas/thing/1/fixtures/accept/thing.yaml': ACCEPT.replace('result: { id: 1,', 'result: { id: 2,'),
  });
  t.equal(exit, 'FIXTURES');
  t.equal(out, '');
  asShown(t, 'check-fixtures', err);
});

t.test('no configuration: which path, and what to do', async (t) => {
  const dir = await project(t);
  const missing = join(dir, 'config/other.yaml');
  t.strictSame(await assay(['check', '-c', missing]), {
    exit: 'CONFIG',
    out: '',
    err: `assay: no configuration at ${missing}: there is no such file\n  = check the path that --config gives\n`,
  });
  t.match(await assay(['check', '-c', dir]), { exit: 'CONFIG', err: /it is a directory/ });
});
