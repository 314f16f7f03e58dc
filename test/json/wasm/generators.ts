import fc from 'fast-check';
import { KEEP, type Projection, type ScanLimits, type ScanOptions } from '../../../src/json/index.js';
import { GENEROUS } from '../scan-support.js';

/*
 * Documents whose parts have every length around the 16 bytes that are looked at together, and things that happen to them.
 */

const NAMES = [
  'a',
  'b',
  'c',
  'A',
  '\\u0061',
  '',
  '\\n',
  '\\u000a',
  'é',
  'É',
  '😀',
  '\\ud83d\\ude00',
  '0',
  'toString',
];
const RARE_NAMES = [
  '__proto__',
  '__proto\\u005f_',
  '\\ud800',
  '\\ude00\\ud83d',
  'ſ',
  'S',
  's',
  '\u212a',
  'k',
  '__proto_',
];
const PIECES = [
  'x',
  ' ',
  '/',
  'é',
  '\u2028',
  '😀',
  '\u007f',
  '\\"',
  '\\\\',
  '\\/',
  '\\t',
  '\\u00E9',
  '\\ud83d\\ude00',
];
const RARE_PIECES = [
  '\\udc00',
  '\\ud800',
  '\\ud800\\ud800',
  'abcdefghijklmno',
  'abcdefghijklmnop',
  'y'.repeat(100),
];
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-12',
  '1.50',
  '0.1',
  '1e5',
  '1E-7',
  '5e-324',
  '9007199254740991',
  '123456.789',
];
const LONG_NUMBERS = [
  '0.12345678901234',
  '123456789012345',
  '1234567890.12345',
  '0.0000000000000001',
  '1234567890123456',
];
const RARE_NUMBERS = [
  '9007199254740993',
  '1e300',
  '1e-400',
  '0.10000000000000000001',
  '-12345678901234567890',
  '1e+05',
];

const blank = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ') },
  { weight: 1, arbitrary: fc.nat(40).map((n) => `\n${' '.repeat(n)}`) },
);
const filler = fc.tuple(fc.nat(40), fc.constantFrom('n', 'é', '0')).map(([n, letter]) => letter.repeat(n));
const name = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 6, arbitrary: filler },
  { weight: 1, arbitrary: fc.integer({ min: 240, max: 600 }).map((n) => 'q'.repeat(n)) },
  { weight: 2, arbitrary: fc.constantFrom(...RARE_NAMES) },
);
const text = fc
  .array(
    fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 8, arbitrary: filler },
      { weight: 3, arbitrary: fc.constantFrom(...RARE_PIECES) },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `"${pieces.join('')}"`);
const number = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 6, arbitrary: fc.constantFrom(...LONG_NUMBERS) },
  {
    weight: 10,
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  },
  { weight: 2, arbitrary: fc.constantFrom(...RARE_NUMBERS) },
);
const literal = fc.constantFrom('true', 'false', 'null');

type Parts = {
  document: string;
  value: string;
  array: string;
  object: string;
  large: string;
  member: string;
};

/** Texts of the JSON grammar; now and then they break a rule beyond it: a duplicate, a value rule. */
export const documentText: fc.Arbitrary<string> = fc
  .letrec<Parts>((tie) => ({
    document: fc.oneof(
      { weight: 8, arbitrary: tie('object') },
      { weight: 8, arbitrary: tie('array') },
      { weight: 1, arbitrary: tie('large') },
      { weight: 1, arbitrary: tie('value') },
    ),
    value: fc.oneof({ maxDepth: 5, depthSize: 'medium' }, literal, number, text, tie('array'), tie('object')),
    array: fc
      .array(fc.tuple(blank, tie('value'), blank), { maxLength: 5 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
    object: fc.array(tie('member'), { maxLength: 5 }).map((members) => `{${members.join(',')}}`),
    // More members than are told apart one by one; the last one may be there already.
    large: fc
      .tuple(fc.integer({ min: 124, max: 134 }), fc.nat(200), tie('value'))
      .map(
        ([count, last, value]) =>
          `{${[...Array(count).keys(), last].map((i) => `"m${i}":${value}`).join(',')}}`,
      ),
    member: fc
      .tuple(blank, name, blank, blank, tie('value'), blank)
      .map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`),
  }))
  .document.chain((value) => fc.tuple(blank, blank).map(([before, after]) => before + value + after));

const HOSTILE_BYTES = [...'{}[]",:\\\\\\u019-+.eEtfn \n\u0000\u001f/x']
  .map((c) => c.charCodeAt(0))
  .concat([0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xff]);

/** Something that happens to a document. */
export interface Mutation {
  readonly kind: 'insert' | 'delete' | 'replace' | 'flip' | 'cut' | 'repeat';
  /** Offsets, modulo the length. */
  readonly at: number;
  readonly to: number;
  readonly byte: number;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace', 'flip', 'cut', 'repeat'),
  at: fc.nat(),
  to: fc.nat(),
  byte: fc.constantFrom(...HOSTILE_BYTES),
});

/** Bodies: documents, and documents that something happened to. */
export const body: fc.Arbitrary<Buffer> = fc
  .tuple(documentText, fc.array(mutation, { maxLength: 2 }))
  .map(([document, mutations]) => mutations.reduce(mutate, Buffer.from(document)));

export function mutate(bytes: Buffer, { kind, at, to, byte }: Mutation): Buffer {
  const index = at % (bytes.length + 1);
  const other = to % (bytes.length + 1);
  const [from, until] = index < other ? [index, other] : [other, index];
  switch (kind) {
    case 'insert':
      return Buffer.concat([bytes.subarray(0, index), Buffer.of(byte), bytes.subarray(index)]);
    case 'delete':
      return Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)]);
    case 'replace':
      return Buffer.concat([bytes.subarray(0, index), Buffer.of(byte), bytes.subarray(index + 1)]);
    case 'flip': {
      const flipped = Buffer.from(bytes);
      if (index < flipped.length) flipped[index] = (flipped[index] ?? 0) ^ (1 << (to % 8));
      return flipped;
    }
    case 'cut':
      return bytes.subarray(0, index);
    case 'repeat':
      // Not more than some of it, or documents of megabytes would come of it.
      return Buffer.concat([bytes.subarray(0, until), bytes.subarray(Math.max(from, until - 2_000))]);
  }
}

/** Projections over the names that documents have. */
export const projection: fc.Arbitrary<Projection> = fc.letrec<{ projection: Projection }>((tie) => ({
  projection: fc.oneof(
    { maxDepth: 4 },
    fc.constant(KEEP),
    fc
      .record(
        {
          members: fc
            .array(
              fc.tuple(
                fc.constantFrom(
                  'a',
                  'b',
                  'c',
                  '',
                  '\n',
                  'é',
                  '😀',
                  '0',
                  '\ud800',
                  'm61',
                  'n'.repeat(17),
                  'q'.repeat(300),
                ),
                tie('projection'),
              ),
              { maxLength: 5 },
            )
            .map((entries) => new Map(entries)),
          items: tie('projection'),
        },
        { requiredKeys: ['members'] },
      )
      .map((pick): Projection => pick),
  ),
})).projection;

const limits: fc.Arbitrary<ScanLimits> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(GENEROUS) },
  {
    weight: 1,
    arbitrary: fc.record({
      depth: fc.integer({ min: 0, max: 6 }),
      members: fc.integer({ min: 0, max: 5 }),
      items: fc.integer({ min: 0, max: 5 }),
      tokens: fc.integer({ min: 0, max: 30 }),
      nameBytes: fc.integer({ min: 0, max: 40 }),
      stringBytes: fc.integer({ min: 0, max: 40 }),
      numberBytes: fc.integer({ min: 0, max: 20 }),
    }),
  },
  // One limit alone, so that what comes behind it is reached.
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom<keyof ScanLimits>(
          'depth',
          'members',
          'items',
          'tokens',
          'nameBytes',
          'stringBytes',
          'numberBytes',
        ),
        fc.integer({ min: 0, max: 24 }),
      )
      .map(([limit, value]): ScanLimits => ({ ...GENEROUS, [limit]: value })),
  },
);

export const options: fc.Arbitrary<ScanOptions> = fc.record({
  limits,
  projection: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Projection>(KEEP) },
    { weight: 3, arbitrary: projection },
  ),
  caseInsensitiveNames: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  numbers: fc.constantFrom('number', 'string'),
});
