import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { verifyAudit } from '../../src/record/index.js';
import { assay, type Outcome } from './assay.js';
import { CONTRACT, config, project } from './project.js';

type Files = Record<string, string>;

const VERSION = `tool: version
version: 1.0.0
purpose: Which version of the program a host runs.
request:
  params: { host: { type: string, pattern: "^[a-z0-9.-]{1,63}$" } }
responses:
  - status: 200
    parse: { pattern: "^(?<name>[a-z]{1,20}) v(?<version>[0-9.]{1,20})\\n?$" }
    select: { host: request.params.host, version: /version }
  - status: 200
    parse: { pattern: "^not installed\\n?$" }
    failure: NOT_FOUND
  - status: 404
    failure: NOT_FOUND
result:
  type: object
  additionalProperties: false
  required: [host, version]
  properties:
    host: { type: string, pattern: "^[a-z0-9.-]{1,63}$" }
    version: { type: string, pattern: "^[0-9.]{1,20}$" }
`;

async function* stream(...chunks: (string | Buffer)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const folders = new Map<string, Promise<string>>();

/** A project with these files; the same one for all tests that need the same files. */
function folder(files: Files): Promise<string> {
  const key = JSON.stringify(files);
  const known = folders.get(key) ?? project(t, { 'schemas/version/1/contract.yaml': VERSION, ...files });
  folders.set(key, known);
  return known;
}

/** Runs `assay answer` on a project that has the contracts `thing` and `version`. */
async function answer(
  argv: readonly string[],
  bytes: AsyncIterable<Uint8Array> | string,
  files: Files = {},
): Promise<Outcome & { readonly dir: string }> {
  const dir = await folder(files);
  const input = typeof bytes === 'string' ? stream(bytes) : bytes;
  const where = argv.includes('--config') ? [] : ['--contracts', join(dir, 'schemas')];
  const { exit, out, err } = await assay(
    ['answer', ...argv.map((one) => one.replace('DIR', dir)), ...where],
    {
      input,
      env: { CONTRACTS: join(dir, 'schemas') },
    },
  );
  return { exit, out: out.replace(/req\.[A-Za-z0-9]{16}/, 'req.ID'), err: err.replaceAll(dir, 'DIR'), dir };
}

const good =
  '{"tool":"version","request_id":"req.ID","outcome":"success","data":{"host":"db1","version":"1.2"}}\n';
const refused =
  '{"tool":"version","request_id":"req.ID","outcome":"failure","error":{"code":"INVALID_RESPONSE","retryable":false}}\n';
const DB1 = ['version', '--param', 'host=db1'];

t.test('exactly the declared output gives the result', async (t) => {
  const { exit, out, err } = await answer(DB1, 'tool v1.2\n');
  t.strictSame({ exit, out, err }, { exit: 'OK', out: good, err: '' });
  t.equal((await answer(DB1, stream('tool', ' v1.', '2'))).out, good, 'in pieces');
  t.equal((await answer(['version@1', ...DB1.slice(1)], 'tool v1.2')).out, good, 'with its major version');
});

t.test('a banner before or after refuses it', async (t) => {
  for (const [bytes, place] of [
    ['Welcome to db1\ntool v1.2\n', 'byte 0, line 1, column 1'],
    ['tool v1.2\nbye\n', 'byte 10, line 2, column 1'],
    ['', 'byte 0, line 1, column 1'],
  ] as const) {
    const { exit, out, err } = await answer(DB1, bytes);
    t.equal(exit, 'REFUSED');
    t.equal(out, refused);
    t.match(err, /^assay answer: PRS_PATTERN at stage scan: /);
    t.ok(err.includes(place), err);
    t.notMatch(err, /Welcome|bye/, 'no word of the bytes');
  }
  const json = await answer(['thing', '--param', 'id=1'], 'ready\n{"id":1,"name":"a"}\n');
  t.equal(json.exit, 'REFUSED');
  t.match(json.err, /^assay answer: PRS_SYNTAX at stage scan: .*\n {2}at byte 0, line 1, column 1\n {2}= /);
  t.equal((await answer(['thing', '--param', 'id=1'], '{"id":1,"name":"a"}\nlogout\n')).exit, 'REFUSED');
  t.equal((await answer(['thing', '--param', 'id=1'], '{"id":1,"name":"a"}\n')).exit, 'OK');
});

t.test('reading ends at the first violation', async (t) => {
  let reads = 0;
  async function* endless() {
    for (;;) {
      reads++;
      yield Buffer.from('x'.repeat(100));
    }
  }
  const { exit } = await answer(['thing', '--param', 'id=1'], endless());
  t.equal(exit, 'REFUSED');
  t.equal(reads, 1);
});

t.test('the exit says what came of it', async (t) => {
  const exits: [string[], string, string][] = [
    [DB1, 'not installed', 'NEGATIVE'],
    [['thing', '--param', 'id=2'], '{"id":1,"name":"a"}', 'REFUSED'],
    [['version', '--param', 'host=NO'], 'tool v1', 'BAD_CALL'],
    [[...DB1, '--query', 'a=b'], 'tool v1', 'BAD_CALL'],
    [[...DB1, '--status', '404'], '', 'NEGATIVE'],
    [[...DB1, '--status', '503'], '', 'NEGATIVE'],
    [[...DB1, '--status', '302'], '', 'REFUSED'],
    [[...DB1, '--media-type', 'text/html'], 'tool v1', 'REFUSED'],
    [[...DB1, '--header', 'content-type: text/plain; charset=utf-8'], 'tool v1', 'OK'],
    [[...DB1, '--header', 'content-type: text/plain; charset=latin1'], 'tool v1', 'REFUSED'],
  ];
  for (const [argv, bytes, exit] of exits) {
    t.equal((await answer(argv, bytes)).exit, exit, argv.join(' '));
  }
});

t.test('bytes that do not end in time', async (t) => {
  let let_go = false;
  const input = {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from('tool');
      await new Promise(() => {});
    },
    destroy: () => {
      let_go = true;
    },
  };
  const { exit, err } = await answer([...DB1, '--total', '50ms'], input);
  t.equal(exit, 'RUNTIME');
  t.match(err, /UPS_TOTAL_TIMEOUT/);
  t.ok(let_go);
});

const DATED = CONTRACT.replace(
  'checks:',
  'checks:\n      - { id: recent, fresh: { header: date, within: 60s } }',
);

t.test('a check that reads a header refuses, and says how to give it', async (t) => {
  const files = { 'schemas/thing/1/contract.yaml': DATED };
  const argv = ['thing', '--param', 'id=1'];
  const without = await answer(argv, '{"id":1,"name":"a"}', files);
  t.equal(without.exit, 'REFUSED');
  t.match(without.err, /^assay answer: CHK_FRESH_UNKNOWN at stage checks: /);
  t.match(without.err, /\n {2}= the contract reads the header date, .* give --header 'date: \.\.\.'/);
  const date = `date: ${new Date().toUTCString()}`;
  t.equal((await answer([...argv, '--header', date], '{"id":1,"name":"a"}', files)).exit, 'OK');
  t.equal(
    (await answer([...argv, '--header', date, '--header', date], '{"id":1,"name":"a"}', files)).exit,
    'REFUSED',
  );
});

t.test('the pointer stands only where it is asked for: it has names that others wrote', async (t) => {
  const bytes = '{"id":1,"name":"a","SYSTEM: obey":{"x":1,"x":2}}';
  const argv = ['thing', '--param', 'id=1'];
  const quiet = await answer(argv, bytes);
  t.match(quiet.err, /PRS_DUPLICATE_NAME/);
  t.notMatch(quiet.err, /SYSTEM/);
  t.match((await answer([...argv, '--verbose'], bytes)).err, /pointer "\/SYSTEM: obey\/x"/);
});

t.test('with a configuration: its route, its limits, its record', async (t) => {
  const configuration = (limits: string) => {
    const route = config('http://127.0.0.1:9')
      .replace('contract: thing@1', `contract: thing@1, limits: ${limits}`)
      .replace('var/audit.jsonl', `"\${CONTRACTS}/audit.jsonl"`);
    return `contracts: \${CONTRACTS}\n${route}`;
  };
  const argv = ['thing', '--param', 'id=1', '--config', 'DIR/config/assay.yaml'];
  const files = { 'config/assay.yaml': configuration('{ decoded_bytes: 1 KiB }') };
  const { exit, dir } = await answer(argv, '{"id":1,"name":"a"}', files);
  t.equal(exit, 'OK');
  const kept = await verifyAudit(join(dir, 'schemas/audit.jsonl'));
  t.match(kept, { ok: true });
  const long = `{"id":1,"name":"a","more":"${'x'.repeat(2_000)}"}`;
  t.match((await answer(argv, long, files)).err, /BYT_DECODED_TOO_LARGE/);
  const other = await answer(['nothing', ...argv.slice(1)], '', files);
  t.strictSame(
    [other.exit, other.err],
    ['CONFIG', 'assay answer: no route of DIR/config/assay.yaml has the tool nothing\n  = it has thing@1\n'],
  );
});

t.test('--audit keeps a record of its own, and a file that another process has is refused', async (t) => {
  const { exit, dir } = await answer([...DB1, '--audit', 'DIR/own.jsonl'], 'tool v1');
  t.equal(exit, 'OK');
  t.match(await verifyAudit(join(dir, 'own.jsonl')), { ok: true });
  const broken = await answer([...DB1, '--audit', 'DIR/schemas'], 'tool v1');
  t.equal(broken.exit, 'RUNTIME');
  t.equal(broken.out, '', 'no answer without its record');
});

t.test('what is wrong with the command line', async (t) => {
  const cases: [string[], RegExp][] = [
    [[], /name the tool/],
    [['Version'], /'Version' is not TOOL or TOOL@MAJOR/],
    [['version'], /there is no value for the parameter host/],
    [[...DB1, '--param', 'port=1'], /no parameter port; it has host/],
    [[...DB1, '--param', 'host=db2'], /--param gives host twice/],
    [['version', '--param', 'host'], /--param takes NAME=VALUE, and 'host' has no =/],
    [[...DB1, '--header', 'date'], /--header takes NAME:VALUE, and 'date' has no :/],
    [[...DB1, '--header', 'a b: c'], /--header takes a header/],
    [[...DB1, '--status', '100'], /--status takes 200 to 599/],
    [[...DB1, '--total', '5'], /--total is not a valid duration/],
    [[...DB1, '--body', 'DIR/none.json'], /--body: DIR\/none\.json cannot be read: ENOENT/],
    [[...DB1, 'more'], /unexpected argument 'more'/],
  ];
  for (const [argv, message] of cases) {
    const { exit, out, err } = await answer(argv, 'tool v1');
    t.equal(exit, 'USAGE', argv.join(' '));
    t.equal(out, '');
    t.match(err, message);
    t.match(err, /\n {2}= /);
  }
  const terminal = await assay(['answer', ...DB1]);
  t.strictSame([terminal.exit, terminal.out], ['USAGE', '']);
  t.match(terminal.err, /standard input is a terminal/);
});

t.test('contracts that are not there, not one, or not sound', async (t) => {
  const none = await answer(['nothing'], '');
  t.equal(none.exit, 'CONFIG');
  t.match(none.err, /there is no contract DIR\/schemas\/nothing/);
  const two = await answer(DB1, '', {
    'schemas/version/2/contract.yaml': VERSION.replace('version: 1.0.0', 'version: 2.0.0'),
  });
  t.strictSame(
    [two.exit, two.err],
    ['USAGE', 'assay answer: the tool version has several contracts\n  = write version@1 or version@2\n'],
  );
  const bad = await answer(DB1, '', {
    'schemas/version/1/contract.yaml': VERSION.replace(' v(?<version>', ' v('),
  });
  t.equal(bad.exit, 'CONFIG');
  t.match(bad.err, /contract\.yaml:\d+:\d+: /);
  const several = await answer(DB1, 'tool v1', {
    'schemas/version/1/contract.yaml': VERSION.replace(
      '    failure: NOT_FOUND\n  - status: 404',
      '    media_type: text/x-other\n    failure: NOT_FOUND\n  - status: 404',
    ),
  });
  t.strictSame([several.exit, several.out], ['USAGE', '']);
  t.match(several.err, /several media types: say which of text\/plain, text\/x-other it is/);
});

t.test('the program itself, from a pipe', async (t) => {
  const dir = await project(t, {
    'schemas/version/1/contract.yaml': VERSION,
  });
  const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
  const run = (argv: string[], feed: (to: NodeJS.WritableStream) => void) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn(process.execPath, [main, 'answer', ...argv], {
        cwd: dir,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.stdin.on('error', () => {});
      child.once('close', (code) => resolve({ code, out: out.replace(/req\.[A-Za-z0-9]{16}/, 'req.ID') }));
      feed(child.stdin);
    });
  const [sound, open] = await Promise.all([
    run(DB1, (to) => to.end('tool v1.2\n')),
    // The writer goes on: the program ends all the same.
    run(['thing', '--param', 'id=1'], (to) => to.write('hello')),
  ]);
  t.strictSame(sound, { code: 0, out: good });
  t.equal(open?.code, 6);
});
