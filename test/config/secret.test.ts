import { join } from 'node:path';
import { inspect } from 'node:util';
import t from 'tap';
import { resolveSecret } from '../../src/config/resolve-secret.js';
import { CredentialHeaders, Secret } from '../../src/config/secret.js';
import { isCredentialName, looksLikeSecret } from '../../src/config/secret-text.js';

const folder = t.testdir({
  secrets: {
    MOUNTED: 'from-folder\n',
    EMPTY: '\n',
    TWO_LINES: 'a\nb\n',
    BINARY: Buffer.from([0xff, 0xfe, 0x41]),
  },
  'token.txt': 'from-file\r\n',
});
const sources = (env: NodeJS.ProcessEnv) => ({ env, folder: join(folder, 'secrets'), cwd: folder });

async function found(name: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const secret = await resolveSecret(name, sources(env));
  return secret instanceof Secret ? secret.reveal() : secret.rule;
}

t.test('environment, then the file that is named, then the secrets folder', async (t) => {
  t.equal(await found('MOUNTED', { MOUNTED: 'from-env' }), 'from-env');
  t.equal(await found('MOUNTED', { MOUNTED_FILE: join(folder, 'token.txt') }), 'from-file');
  t.equal(
    await found('MOUNTED', { MOUNTED_FILE: 'token.txt' }),
    'from-file',
    'relative to the working directory',
  );
  t.equal(await found('MOUNTED'), 'from-folder');
  t.equal(await found('MOUNTED', { MOUNTED: '', MOUNTED_FILE: '' }), 'from-folder', 'empty counts as unset');
  t.equal(await found('NOWHERE'), 'secret-missing');
  t.equal(await found('NOWHERE', { NOWHERE: '' }), 'secret-missing');
});

t.test('names of Object.prototype are nowhere', async (t) => {
  t.equal(await found('toString'), 'secret-missing');
});

t.test('line ends at the end are cut off, nothing else', async (t) => {
  t.equal(await found('A', { A: 'x\n' }), 'x');
  t.equal(await found('A', { A: 'x\r\n\n' }), 'x');
  t.equal(await found('A', { A: 'a b' }), 'a b');
  t.equal(await found('A', { A: 'x \n' }), 'secret-form');
  t.equal(await found('A', { A: ' x' }), 'secret-form');
});

t.test('what no header can carry', async (t) => {
  for (const value of ['a\nb', 'a\rb', 'a\tb', 'a\0b', 'caf\u00e9', 'a\u007fb', '\u4e2d']) {
    t.equal(await found('A', { A: value }), 'secret-form', JSON.stringify(value));
  }
  t.equal(await found('TWO_LINES'), 'secret-form');
  t.equal(await found('BINARY'), 'secret-form');
  t.equal(await found('A', { A: 'x'.repeat(16_384) }), 'x'.repeat(16_384));
  t.equal(await found('A', { A: 'x'.repeat(16_385) }), 'secret-form');
});

t.test('undecided or unusable', async (t) => {
  t.equal(await found('A', { A: 'x', A_FILE: 'token.txt' }), 'secret-ambiguous');
  t.equal(await found('EMPTY'), 'secret-empty');
  t.equal(await found('A', { A_FILE: 'nowhere' }), 'secret-file');
  t.equal(await found('A', { A_FILE: 'secrets' }), 'secret-file');
});

t.test('no finding holds a value', async (t) => {
  const cases: [string, NodeJS.ProcessEnv][] = [
    ['A', { A: 'S3CRET\nS3CRET' }],
    ['A', { A: 'S3CRET', A_FILE: 'token.txt' }],
    ['A', { A: ` S3CRET` }],
  ];
  for (const [name, env] of cases) {
    const finding = await resolveSecret(name, sources(env));
    t.notOk(finding instanceof Secret);
    t.notMatch(JSON.stringify(finding), 'S3CRET');
  }
});

t.test('a secret never shows', async (t) => {
  const secret = new Secret('TOKEN', 'S3CRET');
  const headers = new CredentialHeaders(
    new Map<string, string | { secret: Secret; format: string }>([
      ['accept', 'a/b'],
      ['authorization', { secret, format: 'Bearer {}' }],
    ]),
  );
  for (const thing of [secret, headers, { secret, headers }, [headers], new Map([['a', headers]])]) {
    const shown = [
      JSON.stringify(thing),
      inspect(thing, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
      inspect(thing, { customInspect: false, showHidden: true, depth: Number.POSITIVE_INFINITY }),
      String(thing),
      `${Object.entries(thing)}`,
    ];
    for (const text of shown) t.notMatch(text, 'S3CRET');
  }
  t.equal(`${secret}`, '[secret TOKEN]');
  t.equal(
    JSON.stringify({ headers }),
    '{"headers":{"accept":"a/b","authorization":"Bearer [secret TOKEN]"}}',
  );
});

t.test('the headers are the credentials for whoever sends them', async (t) => {
  // What a careless replacement would read as a pattern.
  const secret = new Secret('TOKEN', "$&$'{}");
  const headers = new CredentialHeaders(new Map([['authorization', { secret, format: 'Bearer {}' }]]));
  t.equal(headers.get('authorization'), "Bearer $&$'{}");
  t.same([...headers], [['authorization', "Bearer $&$'{}"]]);
  t.same([...headers.entries()], [...headers]);
  t.same([...headers.keys()], ['authorization']);
  t.same([...headers.values()], ["Bearer $&$'{}"]);
  t.equal(headers.size, 1);
  t.equal(headers.has('authorization'), true);
  t.equal(headers.get('accept'), undefined);
  const seen: string[] = [];
  headers.forEach((value, name) => {
    seen.push(`${name}: ${value}`);
  });
  t.same(seen, ["authorization: Bearer $&$'{}"]);
});

t.test('header names that carry credentials', async (t) => {
  const names = [
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'x-api-key',
    'api-key',
    'private-token',
    'x-vault-token',
    'client-secret',
    'x-goog-api-key',
  ];
  for (const name of names) t.ok(isCredentialName(name), name);
  for (const name of ['accept', 'user-agent', 'x-github-api-version', 'token-kind', 'x-keyboard']) {
    t.notOk(isCredentialName(name), name);
  }
});

t.test('texts that look like secrets', async (t) => {
  const secrets = [
    'Bearer abc',
    'basic dXNlcjpwYXNz',
    'token abc',
    'ghp_abc123',
    'gho_abc123',
    'github_pat_11ABC',
    'sk_live_abc',
    'rk_test_abc',
    'xoxb-123',
    'xoxp-123-abc',
    'glpat-abc_1',
    'AKIAIOSFODNN7EXAMPLE',
    `AIza${'x'.repeat(35)}`,
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
    '-----BEGIN RSA PRIVATE KEY-----',
    'https://example.org/?t=ghp_abc123',
  ];
  for (const text of secrets) t.ok(looksLikeSecret(text), text);
  for (const text of [
    '',
    'application/vnd.github+json',
    'GITHUB_TOKEN',
    'Bearer {}',
    'Bearer',
    '2022-11-28',
    'bearer of news?'.replace(' ', '-'),
  ]) {
    t.notOk(looksLikeSecret(text), text);
  }
});
