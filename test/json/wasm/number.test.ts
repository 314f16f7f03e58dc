import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { numberVerdict } from '../../../src/json/index.js';
import { Instance } from '../../../src/json/wasm/instance.js';

const { exports } = new Instance();
const at = exports.window();

/** What the scanner decides by itself. */
function isSurelyHeld(lexeme: string): boolean {
  new Uint8Array(exports.memory.buffer).set(Buffer.from(lexeme), at);
  return exports.isSurelyHeld(at, lexeme.length) !== 0;
}

const magnitude = fc.integer({ min: -4, max: 15 }).map((power) => 10 ** power);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), magnitude).map(([a, b]) => a * b),
  // Next to powers of two, where the distance to the neighbours changes.
  fc
    .tuple(fc.integer({ min: -10, max: 53 }), fc.integer({ min: -3, max: 3 }))
    .map(([power, steps]) => 2 ** power * (1 + steps * 2 ** -53)),
);

/** A double as it is written, with too many digits, with another last digit, with zeros behind. */
const lexeme = fc
  .tuple(double, fc.integer({ min: 0, max: 5 }), fc.nat(9), fc.nat(3))
  .map(([value, way, digit, zeros]) => {
    const shortest = JSON.stringify(value);
    if (way === 0) return shortest;
    if (way <= 2) return value.toPrecision(15 + way);
    if (way === 3) return shortest.replace(/\d(?=$|e)/, String(digit));
    if (way === 4) return shortest.includes('.') ? shortest.replace(/(?=$|e)/, '0'.repeat(zeros)) : shortest;
    return `${shortest}${shortest.includes('e') ? '' : `e${digit - 5}`}`;
  });

t.test('what is held without asking is held', async (t) => {
  const counts = { decided: 0, asked: 0, refused: 0 };
  fc.assert(
    fc.property(lexeme, (lexeme) => {
      const exact = numberVerdict(lexeme) === 'exact';
      if (isSurelyHeld(lexeme)) {
        assert.ok(exact, lexeme);
        counts.decided++;
      } else if (exact) counts.asked++;
      else counts.refused++;
    }),
    { seed: 20_250_714, numRuns: 40_000 },
  );
  t.ok(counts.decided > 5_000 && counts.refused > 5_000, JSON.stringify(counts));
});

t.test('at the edges', async (t) => {
  const decided = [
    '0',
    '-0',
    '0.0',
    '9007199254740991',
    '1.50',
    '0.1',
    '123456789012345e0',
    '1e-200',
    '0.30000000000000004',
  ];
  for (const lexeme of decided) t.equal(isSurelyHeld(lexeme), true, lexeme);
  const left = [
    '9007199254740992',
    '1e16',
    '1e400',
    '1e-400',
    '0.1000000000000000055',
    '5e-324',
    `0.${'0'.repeat(400)}1`,
  ];
  for (const lexeme of left) t.equal(isSurelyHeld(lexeme), false, lexeme);
});
