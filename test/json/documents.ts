import fc from 'fast-check';
import { KEEP, type Projection, type ScanLimits, type ScanOptions } from '../../src/json/index.js';
import { GENEROUS } from './scan-support.js';

/** Few names, so that objects repeat them, also in other spellings. */
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
  '😀',
  '\\ud83d\\ude00',
  '0',
  'toString',
];
const RARE_NAMES = ['__proto__', '__proto\\u005f_', '\\ud800'];
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
const RARE_NUMBERS = ['9007199254740993', '1e300', '1e-400', '0.10000000000000000001'];

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ');
const name = fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...NAMES) }, fc.constantFrom(...RARE_NAMES));
const text = fc
  .array(fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...PIECES) }, fc.constant('\\udc00')), {
    maxLength: 6,
  })
  .map((pieces) => `"${pieces.join('')}"`);
const number = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...NUMBERS) },
  {
    weight: 10,
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  },
  { weight: 2, arbitrary: fc.constantFrom(...RARE_NUMBERS) },
);
const literal = fc.constantFrom('true', 'false', 'null');

/** Texts of the JSON grammar; now and then they break a rule beyond it: a duplicate, a value rule. */
export const documentText: fc.Arbitrary<string> = fc
  .letrec<{ document: string; value: string; array: string; object: string; member: string }>((tie) => ({
    document: fc.oneof(
      { weight: 8, arbitrary: tie('object') },
      { weight: 8, arbitrary: tie('array') },
      tie('value'),
    ),
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'medium', withCrossShrink: true },
      literal,
      number,
      text,
      tie('array'),
      tie('object'),
    ),
    array: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    object: fc.array(tie('member'), { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
    member: fc
      .tuple(blank, name, blank, blank, tie('value'), blank)
      .map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`),
  }))
  .document.chain((value) => fc.tuple(blank, blank).map(([before, after]) => before + value + after));

const HOSTILE_BYTES = [...'{}[]",:\\\\\\u019-+.eEtfn \n\u0000\u001f/x']
  .map((c) => c.charCodeAt(0))
  .concat([0x80, 0xc3, 0xed, 0xef, 0xf0, 0xf4, 0xff]);

interface Mutation {
  readonly kind: 'insert' | 'delete' | 'replace' | 'cut' | 'repeat';
  /** Offsets, modulo the length. */
  readonly at: number;
  readonly to: number;
  readonly byte: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace', 'cut', 'repeat'),
  at: fc.nat(),
  to: fc.nat(),
  byte: fc.constantFrom(...HOSTILE_BYTES),
});

/** Bodies: documents, and documents that something happened to. */
export const body: fc.Arbitrary<Buffer> = fc
  .tuple(documentText, fc.array(mutation, { maxLength: 2 }))
  .map(([document, mutations]) => mutations.reduce(mutate, Buffer.from(document)));

function mutate(bytes: Buffer, { kind, at, to, byte }: Mutation): Buffer {
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
    case 'cut':
      return bytes.subarray(0, index);
    case 'repeat':
      return Buffer.concat([bytes.subarray(0, until), bytes.subarray(from)]);
  }
}

/** Projections over the names that documents have. */
export const projection: fc.Arbitrary<Projection> = fc.letrec<{ projection: Projection }>((tie) => ({
  projection: fc.oneof(
    { maxDepth: 3 },
    fc.constant(KEEP),
    fc
      .record(
        {
          members: fc
            .array(fc.tuple(fc.constantFrom('a', 'b', 'c', '', '\n', 'é', '😀', '0'), tie('projection')), {
              maxLength: 4,
            })
            .map((entries) => new Map(entries)),
          items: tie('projection'),
        },
        { requiredKeys: ['members'] },
      )
      .map((pick): Projection => pick),
  ),
})).projection;

const limits: fc.Arbitrary<ScanLimits> = fc.oneof(
  fc.constant(GENEROUS),
  fc.record({
    depth: fc.integer({ min: 0, max: 5 }),
    members: fc.integer({ min: 0, max: 4 }),
    items: fc.integer({ min: 0, max: 4 }),
    tokens: fc.integer({ min: 0, max: 20 }),
    nameBytes: fc.integer({ min: 0, max: 12 }),
    stringBytes: fc.integer({ min: 0, max: 12 }),
    numberBytes: fc.integer({ min: 0, max: 12 }),
  }),
);

export const options: fc.Arbitrary<ScanOptions> = fc.record({
  limits,
  projection,
  caseInsensitiveNames: fc.boolean(),
  numbers: fc.constantFrom('number', 'string'),
});
