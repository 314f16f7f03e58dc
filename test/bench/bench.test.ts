import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { bar, barsText } from './bars.js';
import { BODIES } from './bodies.js';
import { writeFigures } from './document.js';
import { selfTimes, totalTimes } from './self-time.js';
import { ratioOf, spreadOf } from './statistics.js';
import { figure, spreadText, table } from './table.js';

t.test('a quick run measures every system and gives every figure', async (t) => {
  const main = join(import.meta.dirname, 'main.js');
  // Every answer is compared with what it should be on the way; a difference ends the run.
  const { stdout } = await promisify(execFile)(process.execPath, [
    main,
    '--only',
    'calls',
    '--quick',
    '--json',
  ]);
  const { calls, bars, environment, quick } = JSON.parse(stdout);
  t.equal(quick, true);
  t.match(environment, { node: process.version, processors: Number, loadBefore: Number });
  const measured = calls.cells.map((cell: Record<string, unknown>) => `${cell.system} ${cell.ending}`);
  const wanted = ['direct', 'assay', 'unsafe', 'http-proxy', ...(calls.nginx === null ? [] : ['nginx'])];
  t.same(measured, [...wanted.map((name) => `${name} accepted`), 'assay late', 'assay early']);
  for (const { system, ending, bytes, rounds } of calls.cells) {
    t.equal(bytes, 109);
    t.equal(rounds.length, 1);
    for (const [name, value] of Object.entries<unknown>(rounds[0])) {
      t.ok(typeof value === 'number' && value > 0, `${system} ${ending}: ${name} is ${value}`);
    }
  }
  t.ok(bars.length >= 4);
  for (const one of bars) t.match(one, { what: String, wanted: String, reached: Number, met: Boolean });
});

t.test('the bodies have the sizes that they are called by', async (t) => {
  t.same(
    BODIES.map(({ label, bytes }) => [label, bytes.length]),
    [
      ['109 B', 109],
      ['21 KB', 21_000],
      ['256 KB', 252_436],
      ['1 MB', 999_946],
    ],
  );
});

t.test('medians, spreads and ratios', async (t) => {
  t.same(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
  t.same(spreadOf([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 });
  t.same(ratioOf([10, 30, 20], [5, 10, 20]), { median: 2, min: 1, max: 3 });
});

t.test('a bar is compared as it is printed', async (t) => {
  const at = (median: number) => ({ median, min: median, max: median });
  t.equal(bar('x', '>=', 1.3, at(1.296)).met, true);
  t.equal(bar('x', '>=', 1.3, at(1.294)).met, false);
  t.equal(bar('x', '<=', 1, at(1.004)).met, true);
  t.equal(bar('x', '<', 0.5, at(0.5)).met, false);
  const text = barsText([bar('a', '>=', 1, at(2), ' x'), bar('b', '<', 3, at(4), ' s')]);
  t.match(text, /\| >= 1 x \| +2.00 \| +met \|/);
  t.match(text, /\| +< 3 s \| +4.00 \| MISSED \|/);
  t.match(text, /^1 of 2 met\.$/m);
});

t.test('tables are Markdown and line up', async (t) => {
  t.equal(table(['a', 'long'], [['text', '1']]), '| a    | long |\n|------|-----:|\n| text |    1 |\n');
  t.same(
    [figure(12_345.6), figure(12.34), figure(0.123), figure(Number.NaN)],
    ['12,346', '12.3', '0.12', '-'],
  );
  t.equal(spreadText({ median: 2, min: 1, max: 3 }), '2.00 (1.00..3.00)');
  t.equal(spreadText({ median: 2, min: 2, max: 2 }), '2.00');
});

t.test('figures go between the marks, and what is around them stays', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'page.md');
  const [start, end] = ['<!-- figures: written by a command, not by hand -->', '<!-- end of figures -->'];
  writeFileSync(file, `before\n${start}\nold\n${end}\nafter\n`);
  writeFigures(file, 'new\n');
  t.equal(readFileSync(file, 'utf8'), `before\n${start}\n\nnew\n\n${end}\nafter\n`);
  writeFileSync(file, 'no marks');
  t.throws(() => writeFigures(file, 'new'), /lacks the marks/);
  t.match(readFileSync('docs/benchmarks.md', 'utf8'), new RegExp(`${start}[^]*${end}`));
});

t.test('self time and total time of a profile', async (t) => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 6 });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 5] },
      { id: 2, callFrame: frame('scan', 'file:///x/build/src/json/scan.js'), children: [3] },
      { id: 3, callFrame: frame('scan', 'file:///x/build/src/json/scan.js'), children: [4] },
      { id: 4, callFrame: frame('', 'file:///x/node_modules/undici/lib/a.js') },
      { id: 5, callFrame: frame('(idle)') },
    ],
    samples: [2, 3, 4, 5, 4],
    // The last but one is idle, the last waited for a processor.
    timeDeltas: [100, 200, 300, 5_000, 90_000],
  };
  t.same(selfTimes(profile), [
    { what: '(anonymous) undici/lib/a.js:7', where: 'undici', us: 1_300 },
    { what: 'scan src/json/scan.js:7', where: 'src/json', us: 300 },
  ]);
  t.same(totalTimes(profile), [{ what: 'scan src/json/scan.js:7', where: 'src/json', us: 1_600 }]);
});
