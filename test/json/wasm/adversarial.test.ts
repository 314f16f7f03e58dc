import { strict as assert } from 'node:assert';
import t from 'tap';
import { DEFAULT_SCAN_LIMITS, KEEP, type Projection, type ScanLimits } from '../../../src/json/index.js';
import { compileScanPlan, createPlannedScanner } from '../../../src/json/wasm/index.js';
import { Instance } from '../../../src/json/wasm/instance.js';
import { run } from './differential.js';

/*
 * Inputs made to cost more than they weigh. None of these asserts a time; a scanner that is not linear does not come
 * back before the runner's time limit.
 */

const MEGABYTE = 1_000_000;
const LARGE: ScanLimits = {
  depth: 20 * MEGABYTE,
  members: 20 * MEGABYTE,
  items: 20 * MEGABYTE,
  tokens: 40 * MEGABYTE,
  nameBytes: 20 * MEGABYTE,
  stringBytes: 20 * MEGABYTE,
  numberBytes: 20 * MEGABYTE,
};
const DROP: Projection = { members: new Map() };

function outcome(body: string, projection: Projection, limits = LARGE) {
  return run(createPlannedScanner(compileScanPlan({ limits, projection })), Buffer.from(body));
}

t.test('ten megabytes of one thing', async (t) => {
  t.match(outcome('['.repeat(10 * MEGABYTE), DROP), { code: 'PRS_TRUNCATED', offset: 10 * MEGABYTE });
  t.match(outcome('{"a":'.repeat(2 * MEGABYTE), DROP), { code: 'PRS_TRUNCATED' });
  t.match(outcome(`${'['.repeat(5 * MEGABYTE)}${']'.repeat(5 * MEGABYTE)}`, DROP), { kept: '[]' });
  t.match(outcome('9'.repeat(MEGABYTE), DROP), { code: 'PRS_INTEGER_RANGE' }, 'a scalar is kept, and judged');
});

t.test('ten megabytes of digits, and of escapes', async (t) => {
  t.match(outcome(`[${'9'.repeat(10 * MEGABYTE)}]`, DROP), { kept: '[]' });
  t.match(outcome(`[${'9'.repeat(MEGABYTE)}]`, KEEP), { code: 'PRS_INTEGER_RANGE', offset: 1 });
  t.match(outcome(`[0.${'9'.repeat(MEGABYTE)}]`, KEEP), { code: 'PRS_NUMBER_PRECISION', offset: 1 });
  for (const spelling of ['\\n', '\\\\', '\\u0061', '\\ud83d\\ude00', '\\ud800']) {
    const text = spelling.repeat((10 * MEGABYTE) / spelling.length);
    t.match(outcome(`["${text}"]`, DROP), { kept: '[]' }, spelling);
    const name = spelling.repeat(MEGABYTE / spelling.length);
    t.match(outcome(`{"${name}":1,"${name}x":2}`, DROP), { kept: '{}' }, `${spelling} in names`);
  }
});

t.test('the defaults stop at once', async (t) => {
  t.match(outcome('['.repeat(10 * MEGABYTE), DROP, DEFAULT_SCAN_LIMITS), { code: 'PRS_DEPTH', offset: 32 });
  t.match(outcome('9'.repeat(10 * MEGABYTE), DROP, DEFAULT_SCAN_LIMITS), {
    code: 'PRS_NUMBER_LENGTH',
    offset: 64,
  });
});

/** Names of several makes. */
const MAKES: readonly (readonly [string, number, (i: number) => string])[] = [
  ['counted', MEGABYTE, (i) => `m${i}`],
  ['equal but for bits far behind', 200_000, (i) => `${'p'.repeat(24)}${i.toString(2).padStart(20, '0')}`],
  ['escaped', 200_000, (i) => `\\u${(i % 0xd800).toString(16).padStart(4, '0')}${i}`],
  ['one letter, longer and longer', 3_000, (i) => 'a'.repeat(i)],
];

for (const [about, count, make] of MAKES) {
  t.test(`${count} members: ${about}`, async (t) => {
    const text = `{${Array.from({ length: count }, (_, i) => `"${make(i)}":0`).join(',')}}`;
    t.match(outcome(text, DROP), { kept: '{}' });
    const again = `${text.slice(0, -1)},"${make(0)}":1}`;
    t.match(outcome(again, DROP), { code: 'PRS_DUPLICATE_NAME', offset: Buffer.byteLength(text) });
  });
}

/** Of an instance whose hash has no key: names of up to eight bytes and equal length all hash to the same number. */
function withoutKeys(body: Buffer, projection: Projection = DROP): unknown {
  const instance = new Instance();
  const { exports } = instance;
  new Uint8Array(exports.memory.buffer).fill(0, exports.keys(), exports.keys() + 272);
  const at = exports.window();
  new Uint8Array(exports.memory.buffer).set(Buffer.from('abcdefghABCDEFGH'), at);
  assert.equal(exports.hashOf(at, 8), exports.hashOf(at + 8, 8), 'the keys matter, and are gone');
  instance.begin(compileScanPlan({ limits: LARGE, projection }));
  const code = instance.write(body) || instance.end();
  return {
    code,
    offset: code === 0 ? 0 : instance.faultPlace.offset,
    kept: Buffer.from(instance.kept).toString(),
  };
}

t.test('names of equal hash are told apart by their bytes, in linear time', async (t) => {
  for (const count of [2, 64, 128, 129, 130, 1_000, MEGABYTE]) {
    const names = Array.from({ length: count }, (_, i) => i.toString(36).padStart(8, '0'));
    const text = `{${names.map((name) => `"${name}":0`).join(',')}}`;
    t.match(withoutKeys(Buffer.from(text)), { code: 0, kept: '{}' }, `${count} names`);
    const again = `${text.slice(0, -1)},"${names[count - 1]}":1}`;
    t.match(
      withoutKeys(Buffer.from(again)),
      { code: 9, offset: text.length },
      `${count} names and one again`,
    );
  }
  const projection: Projection = { members: new Map([['00000001', KEEP]]) };
  const text = '{"00000000":1,"00000001":2,"00000002":3}';
  t.match(withoutKeys(Buffer.from(text), projection), { code: 0, kept: '{"00000001":2}' });
});

t.test('many objects in many leave no names behind', async (t) => {
  const wide = `{${Array.from({ length: 200 }, (_, i) => `"n${i}":{"a":[{"b":1}]}`).join(',')}}`;
  const text = `[${Array.from({ length: 250 }, () => wide).join(',')}]`;
  const instance = new Instance();
  instance.begin(compileScanPlan({ limits: LARGE, projection: DROP }));
  t.equal(instance.write(Buffer.from(text)) || instance.end(), 0);
  t.ok(instance.memoryBytes <= 2 << 20, `${instance.memoryBytes} bytes of memory`);
});

t.test('what is dropped takes no memory', async (t) => {
  const item = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(10_000), list: [1, 2, 3] })},`);
  const instance = new Instance();
  instance.begin(compileScanPlan({ limits: LARGE, projection: DROP }));
  instance.write(Buffer.from('['));
  for (let i = 0; i < 2_000; i++) t.equal(instance.write(item), 0);
  instance.write(Buffer.from('0]'));
  t.equal(instance.end(), 0);
  t.equal(Buffer.from(instance.kept).toString(), '[]');
  t.ok(instance.memoryBytes <= 2 << 20, `${instance.memoryBytes} bytes of memory`);
});
