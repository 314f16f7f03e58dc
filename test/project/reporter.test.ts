import { spawnSync } from 'node:child_process';
import t from 'tap';
import { ROOT } from './repository.js';

// TAP's word for a test that is put off; put together, since nothing in the project may be marked with it.
const LATER = 'TO' + 'DO';

/** Feeds TAP as `tap run` writes it through the reporter, in a process of its own: it sets the exit code. */
function report(tap: string): { lines: string[]; code: number | null } {
  const script =
    "import R from './test/support/reporter.mjs'; process.stdin.pipe(new R()).pipe(process.stdout);";
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    input: `TAP version 14\n${tap}`,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return { lines: run.stdout.split('\n').filter((line) => line !== ''), code: run.status };
}

/** One file's part of the output. */
function file(n: number, name: string, ok: string, body: string): string {
  const inner = body.trim().split('\n');
  return [
    `# Subtest: build/test/${name}.test.js`,
    ...inner.map((l) => `    ${l}`),
    `${ok} ${n} - build/test/${name}.test.js # time=5ms`,
    '',
  ].join('\n');
}

t.test('assertions at every depth are counted, a file a line', async (t) => {
  const sub = '# Subtest: s\n    ok 1 - a\n    ok 2 - b\n    1..2\nok 1 - s\nok 2 - c\n1..2';
  const { lines, code } = report(`1..2\n${file(1, 'x', 'ok', sub)}${file(2, 'y', 'ok', 'ok 1 - d\n1..1')}`);
  t.same(lines, [
    'ok   test/x.test.ts: 3 passed (0.0 s)',
    'ok   test/y.test.ts: 1 passed (0.0 s)',
    '4 passed, 0 failed',
  ]);
  t.equal(code, 0);
});

const cases: [title: string, tap: string, closing: string, code: number][] = [
  ['a failing assertion', file(1, 'x', 'not ok', 'ok 1 - a\nnot ok 2 - b\n1..2'), '1 passed, 1 failed', 1],
  [
    'a skipped one is not passed',
    file(1, 'x', 'ok', 'ok 1 - a\nok 2 - b # SKIP why\n1..2'),
    '1 passed, 0 failed, 1 skipped',
    0,
  ],
  [
    'one put off is not passed',
    file(1, 'x', 'ok', `ok 1 - a\nnot ok 2 - b # ${LATER} why\n1..2`),
    '1 passed, 0 failed, 1 skipped',
    0,
  ],
  [
    'a file skipped whole, with its reason',
    `1..2\n${file(1, 'x', 'ok', '1..0 # no suite').replace(/ # time.*/, ' # SKIP no suite')}${file(2, 'y', 'ok', 'ok 1 - a\n1..1')}`,
    '1 passed, 0 failed, 1 skipped',
    0,
  ],
  ['a crash after what passed', file(1, 'x', 'not ok', 'ok 1 - a\n1..1'), '1 passed, 1 failed', 1],
  ['a file cut off', file(1, 'x', 'not ok', 'ok 1 - a'), '1 passed, 1 failed', 1],
  [
    'a file that tests nothing',
    file(1, 'x', 'ok', '1..0 # no tests found').replace(/ # time.*/, ' # SKIP no tests found'),
    '0 passed, 1 failed',
    1,
  ],
  ['nothing at all', '1..0', '0 passed, 0 failed', 1],
  ['a bail-out', 'Bail out! disk full', '0 passed, 1 failed', 1],
];
for (const [title, tap, closing, expected] of cases) {
  t.test(title, async (t) => {
    const { lines, code } = report(`${tap}\n`);
    t.equal(lines.at(-1), closing);
    t.equal(code, expected);
  });
}

t.test('a failure is shown with its path, place and difference', async (t) => {
  const body = [
    '# Subtest: codes',
    '    not ok 1 - one',
    '      ---',
    '      diff: |',
    '        --- expected',
    '        +++ actual',
    '        -a',
    '        +b',
    '      at:',
    '        fileName: test/x.test.ts',
    '        lineNumber: 3',
    '        columnNumber: 7',
    '      ...',
    '    1..1',
    'not ok 1 - codes',
    '1..1',
  ].join('\n');
  const { lines } = report(`1..1\n${file(1, 'x', 'not ok', body)}`);
  t.same(lines, [
    'FAIL test/x.test.ts: 0 passed, 1 failed (0.0 s)',
    '  not ok: codes > one',
    '    at test/x.test.ts:3:7',
    '      --- expected',
    '      +++ actual',
    '      -a',
    '      +b',
    '0 passed, 1 failed',
  ]);
});
