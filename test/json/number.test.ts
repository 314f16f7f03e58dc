import fc from 'fast-check';
import t from 'tap';
import { decimalOf, isJsonNumber, numberVerdict } from '../../src/json/index.js';

t.test('verdicts', async (t) => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    exact: [
      '0',
      '-0',
      '-0.0',
      '0e999',
      '0.000',
      '1',
      '-1',
      '1.0',
      '1.50',
      '10',
      '1e2',
      '100e-2',
      '0.1',
      '0.10000',
      '123.456e-7',
      '9007199254740991',
      '-9007199254740991',
      '9007199254740991.0',
      '900719925474099.1e1',
      '9007199254740991000e-3',
      '9e15',
      '5e-324',
      '2.2250738585072014e-308',
      '0.30000000000000004',
      `1.${'0'.repeat(400)}`,
    ],
    'integer-range': [
      '9007199254740992',
      '-9007199254740992',
      '9007199254740993',
      '9007199254740993.0',
      '900719925474099.2e1',
      '9007199254740992000e-3',
      '9.1e15',
      '1e16',
      '1e300',
      '-1E300',
      '1e400',
      '1e99999999999999999999999',
      `1${'0'.repeat(400)}e-300`,
      `${'9'.repeat(400)}`,
    ],
    precision: [
      '1e-400',
      '-1e-99999999999999999999999',
      '4.9e-324',
      '2e-324',
      '0.1000000000000000055511151231257827',
      '0.30000000000000004441',
      '1.000000000000000005',
      '9007199254740991.5',
      '-65.613616999999977',
      '3.14159265358979323846',
      `${'9'.repeat(400)}.5`,
    ],
  };
  for (const [verdict, lexemes] of Object.entries(cases)) {
    for (const lexeme of lexemes) t.equal(numberVerdict(lexeme), verdict, lexeme.slice(0, 60));
  }
});

t.test('every double is exact as it is written, up to the integers that are not', async () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
      const expected = Number.isInteger(double) && !Number.isSafeInteger(double) ? 'integer-range' : 'exact';
      return (
        numberVerdict(JSON.stringify(double)) === expected &&
        numberVerdict(double.toExponential()) === expected
      );
    }),
    { seed: 754, numRuns: 2_000 },
  );
});

/** A lexeme from its parts, of all spellings. */
const lexeme = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat().map(String), fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String)),
    fc.option(fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 22 }), {
      nil: undefined,
    }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat({ max: 40 })), { nil: undefined }),
  )
  .map(
    ([sign, integer, fraction, power]) =>
      sign +
      integer +
      (fraction === undefined ? '' : `.${fraction}`) +
      (power === undefined ? '' : power.join('')),
  );

/** The value as a fraction of two integers. */
function ratio(text: string): readonly [numerator: bigint, denominator: bigint] {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const exponent = Number(power) - fraction.length;
  const digits = BigInt(integer + fraction);
  return exponent >= 0 ? [digits * 10n ** BigInt(exponent), 1n] : [digits, 10n ** BigInt(-exponent)];
}

t.test('against exact fractions', async (t) => {
  const met = new Set<string>();
  fc.assert(
    fc.property(lexeme, (lexeme) => {
      const [n, d] = ratio(lexeme);
      const [hn, hd] = ratio(String(Number(lexeme)));
      const isUnsafeInteger = n % d === 0n && (n < 0n ? -n : n) / d > 9007199254740991n;
      const expected = isUnsafeInteger ? 'integer-range' : n * hd === hn * d ? 'exact' : 'precision';
      met.add(expected);
      return isJsonNumber(lexeme) && numberVerdict(lexeme) === expected;
    }),
    { seed: 8259, numRuns: 5_000 },
  );
  t.equal(met.size, 3, 'each verdict is met');
});

t.test('decimal', async (t) => {
  t.same(decimalOf('-12.3400e+5'), { negative: true, digits: '1234', exponent: 3 });
  t.same(decimalOf('100'), { negative: false, digits: '1', exponent: 2 });
  t.same(decimalOf('0.00'), { negative: false, digits: '', exponent: 0 });
  t.same(decimalOf('1E-3'), { negative: false, digits: '1', exponent: -3 });
  t.same(decimalOf('1e999999999999999999999').exponent, 1e21);
});

t.test('grammar', async (t) => {
  for (const text of ['0', '-0', '10', '1.5', '1e5', '1E+5', '-1.5e-5']) t.ok(isJsonNumber(text), text);
  for (const text of [
    '',
    '-',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    '0x1',
    ' 1',
    '1\n',
    'NaN',
    'Infinity',
    '１',
  ]) {
    t.notOk(isJsonNumber(text), JSON.stringify(text));
  }
});
