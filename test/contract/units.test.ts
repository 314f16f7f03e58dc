import t from 'tap';
import { formatDuration, formatSize, parseDuration, parseSize } from '../../src/contract/index.js';

const value = (quantity: ReturnType<typeof parseSize>) =>
  'value' in quantity ? quantity.value : quantity.message;

t.test('sizes in bytes', async (t) => {
  t.equal(value(parseSize('0 B')), 0);
  t.equal(value(parseSize('64B')), 64);
  t.equal(value(parseSize('64 KiB')), 65_536);
  t.equal(value(parseSize('1 MiB')), 1_048_576);
  t.equal(value(parseSize('2GiB')), 2_147_483_648);
});

t.test('durations in milliseconds', async (t) => {
  t.equal(value(parseDuration('0s')), 0);
  t.equal(value(parseDuration('500ms')), 500);
  t.equal(value(parseDuration('5 s')), 5_000);
  t.equal(value(parseDuration('5m')), 300_000);
  t.equal(value(parseDuration('24h')), 86_400_000);
  t.equal(value(parseDuration('90d')), 7_776_000_000);
});

t.test('what is no size', async (t) => {
  for (const text of [
    '',
    '64',
    'KiB',
    '1.5 MiB',
    '-1 B',
    '01 B',
    '1 MB',
    '1 kB',
    '1 kib',
    '1  B',
    '1 B ',
    ' 1 B',
    '1e3 B',
    '1 toString',
  ]) {
    t.equal(value(parseSize(text)), 'is not a valid size', JSON.stringify(text));
  }
  t.match(parseSize('1 MB'), { remedy: /MB are not taken/ });
});

t.test('what is no duration', async (t) => {
  for (const text of ['', '5', 's', '1.5s', '-5s', '05s', '5 sec', '5S', '5s5ms', 'P1D', '5 constructor']) {
    t.equal(value(parseDuration(text)), 'is not a valid duration', JSON.stringify(text));
  }
});

t.test('a number that would be rounded is refused', async (t) => {
  t.equal(value(parseSize('9007199254740991 B')), 9_007_199_254_740_991);
  t.equal(value(parseSize('9007199254740992 B')), 'is too large');
  t.equal(value(parseSize('8388608 GiB')), 'is too large');
  t.equal(value(parseDuration(`${'9'.repeat(400)}d`)), 'is too large');
});

t.test('written back in the largest unit that leaves a whole number', async (t) => {
  t.equal(formatSize(0), '0 B');
  t.equal(formatSize(65_536), '64 KiB');
  t.equal(formatSize(1_048_577), '1048577 B');
  t.equal(formatDuration(500), '500ms');
  t.equal(formatDuration(10_000), '10s');
  t.equal(formatDuration(7_776_000_000), '90d');
});
