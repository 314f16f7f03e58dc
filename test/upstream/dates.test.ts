import fc from 'fast-check';
import t from 'tap';
import { parseHttpDate, retryAfterSeconds } from '../../src/upstream/index.js';

t.test('parseHttpDate', (t) => {
  const good: Record<string, string> = {
    'Sun, 06 Nov 1994 08:49:37 GMT': '1994-11-06T08:49:37Z',
    'Mon, 01 Jan 2001 00:00:00 GMT': '2001-01-01T00:00:00Z',
    'Thu, 29 Feb 2024 23:59:59 GMT': '2024-02-29T23:59:59Z',
    'Fri, 31 Dec 2999 23:59:59 GMT': '2999-12-31T23:59:59Z',
    'Sat, 31 Dec 2016 23:59:60 GMT': '2017-01-01T00:00:00Z',
    'Sat, 01 Jan 0001 00:00:00 GMT': '0001-01-01T00:00:00Z',
    'Thu, 01 Jan 1970 00:00:00 GMT': '1970-01-01T00:00:00Z',
  };
  for (const [value, iso] of Object.entries(good)) t.equal(parseHttpDate(value), Date.parse(iso), value);
  const bad = [
    '',
    'tomorrow',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'sun, 06 nov 1994 08:49:37 gmt',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 31 Nov 1994 08:49:37 GMT',
    'Wed, 29 Feb 2023 08:49:37 GMT',
    'Xxx, 06 Nov 1994 08:49:37 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT\n',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    '1994-11-06T08:49:37Z',
    '784111777',
    'Sun, \u0660\u0666 Nov 1994 08:49:37 GMT',
  ];
  for (const value of bad) t.equal(parseHttpDate(value), undefined, JSON.stringify(value));
  t.end();
});

t.test('property: every second is read as it is written', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (second) => {
      return parseHttpDate(new Date(second * 1000).toUTCString()) === second * 1000;
    }),
    { seed: 2, numRuns: 500 },
  );
  t.end();
});

t.test('retryAfterSeconds', (t) => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  const seconds = (value: string | undefined) => retryAfterSeconds(value, now, 3_600);
  t.equal(seconds(undefined), undefined);
  t.equal(seconds('0'), 0);
  t.equal(seconds('2'), 2);
  t.equal(seconds(' 2 '), 2);
  t.equal(seconds('0002'), 2);
  t.equal(seconds('3601'), 3_600);
  t.equal(seconds('9'.repeat(400)), 3_600);
  t.equal(seconds('Sun, 01 Mar 2026 00:00:30 GMT'), 30);
  t.equal(retryAfterSeconds('Sun, 01 Mar 2026 00:00:30 GMT', now + 1, 3_600), 30, 'rounded up');
  t.equal(seconds('Fri, 31 Dec 2999 23:59:59 GMT'), 3_600);
  t.equal(seconds('Sat, 28 Feb 2026 23:59:59 GMT'), 0, 'in the past');
  for (const value of [
    '',
    '-5',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '2 s',
    '5, 6',
    'Infinity',
    'NaN',
    '\u0662',
    '2\xa0',
  ]) {
    t.equal(seconds(value), undefined, JSON.stringify(value));
  }
  t.end();
});
