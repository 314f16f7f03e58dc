import t from 'tap';
import { DEFAULT_SCAN_LIMITS, KEEP, type ScanOptions } from '../../src/json/index.js';
import { createScanner } from './oracle/scanner.js';
import { keptOrCode, type Options, scan } from './scan-support.js';

/*
 * Inputs made to cost more than they weigh. None of these asserts a time; a scanner that is not linear does not come
 * back before the runner's time limit.
 */

const MEGABYTE = 1_000_000;
const DROP: Options = { projection: { members: new Map() } };

/** Feeds the same chunk again and again; says how many bytes were taken before the fault. */
function drip(
  options: Partial<ScanOptions>,
  prefix: string,
  chunk: string,
  times: number,
): { code: string; sent: number } {
  const scanner = createScanner({ limits: DEFAULT_SCAN_LIMITS, projection: KEEP, ...options });
  scanner.write(Buffer.from(prefix));
  const bytes = Buffer.from(chunk);
  for (let sent = 1; sent <= times; sent++) {
    const fault = scanner.write(bytes);
    if (fault !== undefined) return { code: fault.code, sent: prefix.length + sent * bytes.length };
  }
  return { code: 'none', sent: prefix.length + times * bytes.length };
}

t.test('stops at the limit, not at the end', async (t) => {
  t.same(drip({}, '', '[', MEGABYTE), { code: 'PRS_DEPTH', sent: 33 });
  t.same(drip({}, '', '{"a":', MEGABYTE), { code: 'PRS_DEPTH', sent: 33 * 5 });
  t.same(drip({}, '[', '9', MEGABYTE), { code: 'PRS_NUMBER_LENGTH', sent: 66 });
  t.same(drip(DROP, '[0.', '9', MEGABYTE), { code: 'PRS_NUMBER_LENGTH', sent: 66 });
  t.same(drip({}, '"', 'a', MEGABYTE), { code: 'PRS_STRING_LENGTH', sent: 65_538 });
  t.same(drip({}, '"', '\\u0061', MEGABYTE), { code: 'PRS_STRING_LENGTH', sent: 1 + 6 * 10_923 });
  t.same(drip({}, '{"', 'a', MEGABYTE), { code: 'PRS_NAME_LENGTH', sent: 259 });
  t.same(drip({}, '[', '0,', MEGABYTE), { code: 'PRS_ITEMS', sent: 1 + 2 * 10_001 });
  t.same(drip({}, '[', '[[],[],[],[],[],[],[],[],[]],', 50_001), {
    code: 'PRS_ITEMS',
    sent: 1 + 29 * 10_001,
  });
  const limits = { ...DEFAULT_SCAN_LIMITS, items: MEGABYTE };
  t.same(drip({ limits }, '[', '0,', MEGABYTE), { code: 'PRS_TOKENS', sent: 1 + 2 * 500_000 });
});

t.test('a megabyte at once', async (t) => {
  const limits = DEFAULT_SCAN_LIMITS;
  t.match(scan('['.repeat(MEGABYTE), { limits }), { code: 'PRS_DEPTH', offset: 32 });
  t.match(scan('1'.repeat(MEGABYTE), { limits }), { code: 'PRS_NUMBER_LENGTH', offset: 64 });
});

t.test('raised limits: depth without recursion, the pointer bounded', async (t) => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  t.ok(keptOrCode(deep) === deep);
  t.match(scan('['.repeat(200_000)), { code: 'PRS_TRUNCATED', pointer: `${'/0'.repeat(64)}/\u2026` });
  t.same(scan('{"a":'.repeat(200_000) + 1 + '}'.repeat(200_000), DROP), { kind: 'object', kept: '{}' });
});

t.test('raised limits: long tokens', async (t) => {
  const digits = '1234567890'.repeat(MEGABYTE / 10);
  t.match(scan(digits), { code: 'PRS_INTEGER_RANGE', offset: 0 });
  t.match(scan(`0.${digits}`), { code: 'PRS_NUMBER_PRECISION' });
  t.match(scan(`0.${'0'.repeat(MEGABYTE)}1`), { code: 'PRS_NUMBER_PRECISION' });
  const one = `1.${'0'.repeat(MEGABYTE)}`;
  t.ok(keptOrCode(one) === one);
  t.match(scan(`1e${'9'.repeat(MEGABYTE)}`), { code: 'PRS_INTEGER_RANGE' });
  t.match(scan(`1e-${'9'.repeat(MEGABYTE)}`), { code: 'PRS_NUMBER_PRECISION' });

  for (const sent of ['\\n', '\\"', '\\\\', '\\u0061', '\\ud83d\\ude00']) {
    const text = `"${sent.repeat(Math.floor(MEGABYTE / sent.length))}"`;
    t.ok(keptOrCode(text) === text, sent);
    t.ok(keptOrCode(`{${text}:1}`) === `{${text}:1}`, `${sent} in a name`);
  }
});

const COUNT = 200_000;

const NAME_SETS: readonly (readonly [string, readonly string[]])[] = [
  ['counted', Array.from({ length: COUNT }, (_, i) => `m${i}`)],
  // One bucket for all where a string of digits is its own hash (CVE-2026-21717): 24 bits, the lower 11 of them equal.
  ['digits', Array.from({ length: 8_192 }, (_, i) => String(i * 2_048))],
  ['one long prefix', Array.from({ length: COUNT / 20 }, (_, i) => `${'p'.repeat(200)}${i}`)],
  [
    'escaped',
    Array.from({ length: COUNT / 4 }, (_, i) => `\\u${(i % 0xd800).toString(16).padStart(4, '0')}`),
  ],
];

for (const [about, names] of NAME_SETS) {
  t.test(`${names.length} members: ${about}`, async (t) => {
    const text = `{${names.map((name) => `"${name}":0`).join(',')}}`;
    t.same(scan(text, DROP), { kind: 'object', kept: '{}' });
    const again = `${text.slice(0, -1)},"${names.at(-1)}":1}`;
    t.match(scan(again), { code: 'PRS_DUPLICATE_NAME', offset: text.length });
  });
}

t.test('many objects leave no names behind', async (t) => {
  const item = '{"a":1,"b":2},';
  const text = `[${item.repeat(MEGABYTE / item.length)}0]`;
  t.same(scan(text, DROP), { kind: 'array', kept: '[]' });
});
