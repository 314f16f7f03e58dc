import fc from 'fast-check';
import t from 'tap';
import { parseRfc3339 } from '../../src/evidence/index.js';

t.test('RFC 3339 times with a zone', async (t) => {
  t.equal(parseRfc3339('1970-01-01T00:00:00Z'), 0);
  t.equal(parseRfc3339('2026-02-28T23:59:59.123456789Z'), Date.UTC(2026, 1, 28, 23, 59, 59, 123));
  t.equal(parseRfc3339('2026-03-01T01:30:00+05:30'), Date.UTC(2026, 1, 28, 20, 0, 0));
  t.equal(parseRfc3339('2026-03-01T01:30:00-00:30'), Date.UTC(2026, 2, 1, 2, 0, 0));
  t.equal(parseRfc3339('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
  t.equal(parseRfc3339('0001-01-01T00:00:00Z'), -62_135_596_800_000);
});

t.test('anything else is not a point in time', async (t) => {
  for (const text of [
    '2026-05-29 04:17:11',
    '2019-01-09T12:00:00',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01t00:00:00z',
    '2026-01-01T00:00:00+01',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00Z\n',
    ' 2026-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    '2026-W01-1T00:00:00Z',
    '1767225600',
    '',
  ]) {
    t.equal(parseRfc3339(text), undefined, JSON.stringify(text));
  }
});

t.test('agrees with the platform on every instant it can write', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
      return parseRfc3339(new Date(ms).toISOString()) === ms;
    }),
    { seed: 2, numRuns: 2000 },
  );
  t.pass('property holds');
});
