import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

t.test('broken files of fixtures are problems like any other, all at once', async (t) => {
  const fixtures = 'schemas/thing/1/fixtures';
  const { exit, out, err } = await check(t, {
    [`${fixtures}/accept/key.yaml`]: ACCEPT.replace('title:', 'titel:'),
    [`${fixtures}/accept/lost.yaml`]: ACCEPT.replace(/body: \{.*?\}/, 'body_file: lost.json'),
    [`${fixtures}/accept/stray.json`]: '{}',
    [`${fixtures}/refuse/code.yaml`]: ACCEPT.replace(/expect:.*/, 'expect: { code: CHK_BIN }'),
    [`${fixtures}/refused/a.yaml`]: ACCEPT,
  });
  t.equal(exit, 'CONFIG');
  t.equal(out, '');
  for (const rule of ['unknown-key', 'body-file', 'stray-file', 'unknown-code']) t.match(err, `[${rule}]`);
  t.notMatch(err, 'claimed');
  t.notMatch(err, /\|\s*\n {2}=/);
  asShown(t, 'check-broken-fixtures', err);
});

t.test('a contract without a fixture that accepts', async (t) => {
  const dir = await project(t, { 'config/assay.yaml': absolute('') });
  await rm(join(dir, 'schemas/thing/1/fixtures/accept/thing.yaml'));
  const contracts = { CONTRACTS: join(dir, 'schemas') };
  const lacking = await assay(['check', '-c', join(dir, 'config/assay.yaml')], { env: contracts });
  t.equal(lacking.exit, 'FIXTURES');
  t.match(lacking.err, /\n1 kind of fixture that a contract needs: there is none\n/);
  t.notMatch(lacking.err, 'claimed');
});

t.test('a header that is not sent is told in one line', async (t) => {
  const optional = absolute('').replace(
    'base_url: http://127.0.0.1:9',
    'base_url: http://127.0.0.1:9\n    headers: { authorization: { secret: SHOP_TOKEN, optional: true } }',
  );
  const { exit, err } = await check(t, { 'config/assay.yaml': optional });
  t.equal(exit, 'OK');
  t.equal(err, 'assay: warning: upstreams.shop.headers.authorization is not sent: no secret SHOP_TOKEN\n');
});

t.test('a name that is no contract: where it was looked for, and nothing that follows from it', async (t) => {
  const dir = await project(t, {
    'config/assay.yaml': config('http://127.0.0.1:9').replace('thing@1', 'thnig@1'),
  });
  const { exit, err } = await assay(['check', '-c', join(dir, 'config/assay.yaml')]);
  t.equal(exit, 'CONFIG');
  t.match(err, `schemas/thnig/1/contract.yaml; contracts is the folder ${resolve('schemas')} [no-contract]`);
  t.notMatch(err, 'tool-mismatch');
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
