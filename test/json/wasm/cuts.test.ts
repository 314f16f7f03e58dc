import t from 'tap';
import { KEEP, type Projection, type ScanOptions } from '../../../src/json/index.js';
import { everyCut, GENEROUS } from '../scan-support.js';
import { agree } from './differential.js';

/** Tokens of every sort, each once near the others, so that a cut falls into all of them. */
const DOCUMENTS = [
  '{"a":[1,-2.5e+10,true,null],"b\\u0062":"x\\ud83d\\ude00y","ccccccccccccccccccccc":{"é":"😀","":false}} ',
  '[[],{},[{}],"",0,-0.0,"\\"\\\\\\/\\b\\f\\n\\r\\t","abcdefghijklmnopqrstuvwxyz0123456789"]',
  '\r\n{ "a" : [ 1 , 2 ] ,\n\t"b" : { "c" : "d" }\r\n}\n',
  '{"a":1,"b":{"a":1,"a":2}}',
  '["\\ud800\\udc00","\\udc00"]',
  '[12345678901234567890]',
  '[0.1000000000000000055]',
  '{"__proto__":1}',
  '"\u2028é"',
  '123.5e-2',
  'true',
];

const PICK: Projection = {
  members: new Map<string, Projection>([
    ['a', KEEP],
    ['bb', KEEP],
    ['c'.repeat(21), { members: new Map([['é', KEEP]]) }],
  ]),
  items: { members: new Map([['a', KEEP]]) },
};

const OPTIONS: readonly ScanOptions[] = [
  { limits: GENEROUS, projection: KEEP },
  { limits: GENEROUS, projection: PICK },
  { limits: GENEROUS, projection: PICK, numbers: 'string', caseInsensitiveNames: true },
];

t.test('one cut anywhere, two cuts anywhere, and every cut', async (t) => {
  for (const [i, text] of DOCUMENTS.entries()) {
    const body = Buffer.from(text);
    const single = everyCut(body.length).map((cut) => [cut]);
    const pairs = everyCut(body.length).map((cut) => [cut, Math.min(body.length, cut + (cut % 7) + 1)]);
    for (const options of OPTIONS) {
      t.doesNotThrow(() => agree(body, options, ...single, ...pairs, everyCut(body.length)), `document ${i}`);
    }
  }
});

t.test('every beginning of a document', async (t) => {
  for (const [i, text] of DOCUMENTS.entries()) {
    const body = Buffer.from(text);
    for (const end of everyCut(body.length)) {
      for (const options of OPTIONS)
        t.doesNotThrow(() => agree(body.subarray(0, end), options), `document ${i} to ${end}`);
    }
  }
});

t.test('every place of a token at the edge of a window', async (t) => {
  // A window is 65,536 bytes; what stands before the document moves it over the edge byte by byte.
  for (const [i, text] of DOCUMENTS.entries()) {
    for (let shift = -1; shift <= Buffer.byteLength(text); shift++) {
      const body = Buffer.from(`["${'y'.repeat(65_532 - shift - 1)}",${text}]`);
      t.doesNotThrow(() => agree(body, { limits: GENEROUS, projection: PICK }), `document ${i}, ${shift}`);
    }
  }
});

t.test('tokens that are longer than several windows', async (t) => {
  const long = 'é'.repeat(100_000);
  for (const text of [
    `["${long}"]`,
    `{"${long}":1}`,
    `{"${long}":1,"${long}":2}`,
    `["${long}\n"]`,
    `["${long}`,
  ]) {
    t.doesNotThrow(() => agree(Buffer.from(text), { limits: GENEROUS, projection: KEEP }), text.slice(0, 5));
  }
  for (const text of [
    `[1.${'0'.repeat(200_000)}]`,
    `[1.${'0'.repeat(200_000)}1]`,
    `[${'\n'.repeat(200_000)}x]`,
  ]) {
    t.doesNotThrow(() => agree(Buffer.from(text), { limits: GENEROUS, projection: KEEP }), text.slice(0, 5));
  }
});
