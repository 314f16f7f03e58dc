import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { KEEP, type ScanCode } from '../../src/json/index.js';
import { createScanner } from './oracle/scanner.js';
import { bytes, everyCut, GENEROUS, keptOrCode, type Options, scan } from './scan-support.js';

const DROP: Options = { projection: { members: new Map() } };

/** A body, how it is refused (code, offset, pointer), and what is special about it. */
type Refusal = readonly [
  body: string | Uint8Array,
  code: ScanCode,
  offset: number,
  pointer: string,
  options?: Options,
];

const REFUSALS: readonly Refusal[] = [
  // Nothing there
  ['', 'PRS_EMPTY', 0, ''],
  [' \t\r\n ', 'PRS_EMPTY', 5, ''],

  // Byte order marks
  ['\ufeff{}', 'PRS_BOM', 0, ''],
  ['\ufeff', 'PRS_BOM', 0, ''],
  [' \ufeff{}', 'PRS_SYNTAX', 1, ''],
  [bytes('EF BB'), 'PRS_UTF8', 0, ''],
  [bytes('FE FF 00 7B'), 'PRS_UTF8', 0, ''],
  [bytes('FF FE 7B 00'), 'PRS_UTF8', 0, ''],

  // UTF-8 inside strings: the offset is that of the sequence's first byte
  [bytes('22 80 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 61 C0 AF 22'), 'PRS_UTF8', 2, ''],
  [bytes('22 C1 BF 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 C3 28 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 C3 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 E0 9F BF 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 E2 82 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 ED A0 80 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 ED BF BF 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 F0 8F BF BF 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 F0 9F 98 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 F4 90 80 80 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 F5 80 80 80 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 F8 88 80 80 80 22'), 'PRS_UTF8', 1, ''],
  [bytes('22 FF 22'), 'PRS_UTF8', 1, ''],
  [bytes('5B 31 2C 22 FF 22 5D'), 'PRS_UTF8', 4, '/1'],
  [bytes('7B 22 FF 22 3A 31 7D'), 'PRS_UTF8', 2, ''],
  [bytes('7B 22 61 22 3A 7B 22 FF 22 3A 31 7D 7D'), 'PRS_UTF8', 7, '/a', DROP],

  // UTF-8 outside strings
  [bytes('5B C3 A9 5D'), 'PRS_SYNTAX', 1, '/0'],
  [bytes('5B C3 28 5D'), 'PRS_UTF8', 1, '/0'],
  [bytes('5B 31 FF 5D'), 'PRS_UTF8', 2, ''],
  [bytes('5B 31 E2 80 A9 5D'), 'PRS_SYNTAX', 2, ''],
  [bytes('5B 31 E2 80'), 'PRS_UTF8', 2, ''],
  [bytes('5B 2D F0 9F 98 80 5D'), 'PRS_SYNTAX', 2, '/0'],
  [bytes('5B 74 C3 A9 5D'), 'PRS_SYNTAX', 2, '/0'],
  [bytes('5B 74 C0 5D'), 'PRS_UTF8', 2, '/0'],
  [bytes('7B C3 A9 7D'), 'PRS_SYNTAX', 1, ''],
  [bytes('7B 22 61 22 C3 A9 7D'), 'PRS_SYNTAX', 4, '/a'],

  // Grammar
  ['<html>', 'PRS_SYNTAX', 0, ''],
  ['}', 'PRS_SYNTAX', 0, ''],
  ['\u0000', 'PRS_SYNTAX', 0, ''],
  ['\u000b1', 'PRS_SYNTAX', 0, ''],
  ['NaN', 'PRS_SYNTAX', 0, ''],
  ["'a'", 'PRS_SYNTAX', 0, ''],
  ['+1', 'PRS_SYNTAX', 0, ''],
  ['.5', 'PRS_SYNTAX', 0, ''],
  ['[,]', 'PRS_SYNTAX', 1, '/0'],
  ['[1,]', 'PRS_SYNTAX', 3, '/1'],
  ['[1,,2]', 'PRS_SYNTAX', 3, '/1'],
  ['[1 2]', 'PRS_SYNTAX', 3, ''],
  ['[1}', 'PRS_SYNTAX', 2, ''],
  ['[01]', 'PRS_SYNTAX', 2, ''],
  ['[-]', 'PRS_SYNTAX', 2, '/0'],
  ['[-a]', 'PRS_SYNTAX', 2, '/0'],
  ['[1.]', 'PRS_SYNTAX', 3, '/0'],
  ['[1.e1]', 'PRS_SYNTAX', 3, '/0'],
  ['[1e]', 'PRS_SYNTAX', 3, '/0'],
  ['[1e+]', 'PRS_SYNTAX', 4, '/0'],
  ['[1e+-1]', 'PRS_SYNTAX', 4, '/0'],
  ['[1.2.3]', 'PRS_SYNTAX', 4, ''],
  ['[0x1]', 'PRS_SYNTAX', 2, ''],
  ['[- 1]', 'PRS_SYNTAX', 2, '/0'],
  ['[True]', 'PRS_SYNTAX', 1, '/0'],
  ['[trUe]', 'PRS_SYNTAX', 3, '/0'],
  ['[nul]', 'PRS_SYNTAX', 4, '/0'],
  ['[truee]', 'PRS_SYNTAX', 5, ''],
  ['[1]/**/', 'PRS_TRAILING', 3, ''],
  ['[/**/1]', 'PRS_SYNTAX', 1, '/0'],
  ['{"a":1,}', 'PRS_SYNTAX', 7, ''],
  ['{,}', 'PRS_SYNTAX', 1, ''],
  ['{a:1}', 'PRS_SYNTAX', 1, ''],
  ['{1:1}', 'PRS_SYNTAX', 1, ''],
  ['{"a" 1}', 'PRS_SYNTAX', 5, '/a'],
  ['{"a",1}', 'PRS_SYNTAX', 4, '/a'],
  ['{"a"}', 'PRS_SYNTAX', 4, '/a'],
  ['{"a":}', 'PRS_SYNTAX', 5, '/a'],
  ['{"a":1]', 'PRS_SYNTAX', 6, ''],
  ['{"a":1 "b":2}', 'PRS_SYNTAX', 7, ''],
  ['{"a":{"b":[0,{"c":x}]}}', 'PRS_SYNTAX', 18, '/a/b/1/c'],
  ['{"a":{"b":[0,{"c":x}]}}', 'PRS_SYNTAX', 18, '/a/b/1/c', DROP],

  // Strings
  ['["a\u0000"]', 'PRS_CONTROL', 3, '/0'],
  ['["a\nb"]', 'PRS_CONTROL', 3, '/0'],
  ['["\u001f"]', 'PRS_CONTROL', 2, '/0'],
  ['{"a\tb":1}', 'PRS_CONTROL', 3, ''],
  ['["\\x41"]', 'PRS_ESCAPE', 3, '/0'],
  ["['", 'PRS_SYNTAX', 1, '/0'],
  ['["\\\'"]', 'PRS_ESCAPE', 3, '/0'],
  ['["\\U0041"]', 'PRS_ESCAPE', 3, '/0'],
  ['["\\\n"]', 'PRS_ESCAPE', 3, '/0'],
  ['["\\é"]', 'PRS_ESCAPE', 3, '/0'],
  [bytes('5B 22 5C FF 22 5D'), 'PRS_ESCAPE', 3, '/0'],
  ['["\\u12"]', 'PRS_ESCAPE', 6, '/0'],
  ['["\\u12g4"]', 'PRS_ESCAPE', 6, '/0'],
  ['["\\u@000"]', 'PRS_ESCAPE', 4, '/0'],
  ['["\\u`000"]', 'PRS_ESCAPE', 4, '/0'],
  ['["\\uG000"]', 'PRS_ESCAPE', 4, '/0'],
  ['["\\u{41}"]', 'PRS_ESCAPE', 4, '/0'],
  ['{"\\q":1}', 'PRS_ESCAPE', 3, ''],

  // The end comes too early
  ['[', 'PRS_TRUNCATED', 1, '/0'],
  ['[1', 'PRS_TRUNCATED', 2, '/0'],
  ['[1 ', 'PRS_TRUNCATED', 3, ''],
  ['[1,', 'PRS_TRUNCATED', 3, '/1'],
  ['[1e400', 'PRS_TRUNCATED', 6, '/0'],
  ['{', 'PRS_TRUNCATED', 1, ''],
  ['{"a', 'PRS_TRUNCATED', 3, ''],
  ['{"a"', 'PRS_TRUNCATED', 4, '/a'],
  ['{"a":', 'PRS_TRUNCATED', 5, '/a'],
  ['{"a":1', 'PRS_TRUNCATED', 6, '/a'],
  ['{"a":1,', 'PRS_TRUNCATED', 7, ''],
  ['{"a":{"b":[true,fal', 'PRS_TRUNCATED', 19, '/a/b/1'],
  ['"', 'PRS_TRUNCATED', 1, ''],
  ['"\\', 'PRS_TRUNCATED', 2, ''],
  ['"\\u00', 'PRS_TRUNCATED', 5, ''],
  ['"\\ud800', 'PRS_TRUNCATED', 7, ''],
  [bytes('22 E2 82'), 'PRS_TRUNCATED', 3, ''],
  ['-', 'PRS_TRUNCATED', 1, ''],
  ['1.', 'PRS_TRUNCATED', 2, ''],
  ['1e', 'PRS_TRUNCATED', 2, ''],
  ['1e-', 'PRS_TRUNCATED', 3, ''],
  ['nul', 'PRS_TRUNCATED', 3, ''],

  // Something after the end
  ['{}x', 'PRS_TRAILING', 2, ''],
  ['{} {}', 'PRS_TRAILING', 3, ''],
  ['[]]', 'PRS_TRAILING', 2, ''],
  ['1,2', 'PRS_TRAILING', 1, ''],
  ['01', 'PRS_TRAILING', 1, ''],
  ['"a""b"', 'PRS_TRAILING', 3, ''],
  ['nullx', 'PRS_TRAILING', 4, ''],
  ['{}\u0000', 'PRS_TRAILING', 2, ''],
  [bytes('7B 7D FF'), 'PRS_TRAILING', 2, ''],

  // Duplicate members: after unescaping, in every object, the offset is that of the second name's quote
  ['{"a":1,"a":2}', 'PRS_DUPLICATE_NAME', 7, '/a'],
  ['{"a":1,"\\u0061":1}', 'PRS_DUPLICATE_NAME', 7, '/a'],
  ['{"\\u002f":1,"b":2, "\\/":3}', 'PRS_DUPLICATE_NAME', 19, '/~1'],
  ['{"\\n":1,"\\u000A":1}', 'PRS_DUPLICATE_NAME', 8, '/\n'],
  ['{"":1,"":2}', 'PRS_DUPLICATE_NAME', 6, '/'],
  ['{"é":1,"\\u00e9":2}', 'PRS_DUPLICATE_NAME', 8, '/é'],
  ['{"😀":1,"\\ud83d\\uDE00":2}', 'PRS_DUPLICATE_NAME', 10, '/😀'],
  ['{"toString":1,"toString":2}', 'PRS_DUPLICATE_NAME', 14, '/toString'],
  ['{"\ufeffa":1,"\ufeffa":2}', 'PRS_DUPLICATE_NAME', 10, '/\ufeffa'],
  ['[{"x":{"k":[],"k":[]}}]', 'PRS_DUPLICATE_NAME', 14, '/0/x/k'],
  ['[{"x":{"k":[],"k":[]}}]', 'PRS_DUPLICATE_NAME', 14, '/0/x/k', DROP],
  ['{"\\ud800":1,"\\uD800":2}', 'PRS_DUPLICATE_NAME', 12, '/\ud800', DROP],
  ['{"\\ud800":1,"\\ud801":2,"\\ud801":3}', 'PRS_DUPLICATE_NAME', 23, '/\ud801', DROP],
  ['{"a/b":{"m~n":[{"k":1,"k":1}]}}', 'PRS_DUPLICATE_NAME', 22, '/a~1b/m~0n/0/k'],

  // Names that differ only in case
  ['{"Id":1,"iD":2}', 'PRS_DUPLICATE_NAME_CASE', 8, '/iD', { caseInsensitiveNames: true }],
  ['{"id":1,"id":2}', 'PRS_DUPLICATE_NAME', 8, '/id', { caseInsensitiveNames: true }],
  ['{"É":1,"é":2}', 'PRS_DUPLICATE_NAME_CASE', 8, '/é', { caseInsensitiveNames: true }],
  ['{"k":1,"\\u212a":2}', 'PRS_DUPLICATE_NAME_CASE', 7, '/\u212a', { caseInsensitiveNames: true }],
  ['{"s":1,"\\u017f":2}', 'PRS_DUPLICATE_NAME_CASE', 7, '/\u017f', { caseInsensitiveNames: true }],
  ['{"a":{"B":1,"b":2}}', 'PRS_DUPLICATE_NAME_CASE', 12, '/a/b', { ...DROP, caseInsensitiveNames: true }],

  // Value rules, where the value is kept
  ['9007199254740992', 'PRS_INTEGER_RANGE', 0, ''],
  ['[-9007199254740992]', 'PRS_INTEGER_RANGE', 1, '/0'],
  ['[9007199254740993.0]', 'PRS_INTEGER_RANGE', 1, '/0'],
  ['[0, 1e300]', 'PRS_INTEGER_RANGE', 4, '/1'],
  ['[1e400]', 'PRS_INTEGER_RANGE', 1, '/0'],
  ['[1e99999999999999999999]', 'PRS_INTEGER_RANGE', 1, '/0'],
  ['[1e-400]', 'PRS_NUMBER_PRECISION', 1, '/0'],
  [`[${'9'.repeat(400)}.5]`, 'PRS_NUMBER_PRECISION', 1, '/0'],
  ['{"a":0.1000000000000000055}', 'PRS_NUMBER_PRECISION', 5, '/a'],
  ['{"a":9007199254740991.5}', 'PRS_NUMBER_PRECISION', 5, '/a'],
  ['1e400x', 'PRS_INTEGER_RANGE', 0, ''],
  ['["\\ud800"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\udc00"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\ud800x\\udc00"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\ud800\\n\\udc00"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\ud800é"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\ud800\\ud800\\udc00"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\udc00\\ud800"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\ud800\\udc00\\udc00"]', 'PRS_SURROGATE', 1, '/0'],
  ['["\\ud800\\u0041"]', 'PRS_SURROGATE', 1, '/0'],
  ['{"a":1,"\\ud800":2}', 'PRS_SURROGATE', 7, '/\ud800'],
  ['{"__proto__":1}', 'PRS_PROTO_NAME', 1, '/__proto__'],
  ['[{"a":{"__proto\\u005f_":{}}}]', 'PRS_PROTO_NAME', 7, '/0/a/__proto__'],
  ['{"__proto__":1}', 'PRS_PROTO_NAME', 1, '/__proto__', DROP],
];

t.test('every refusal has its code, offset and pointer, however the body is cut', async (t) => {
  for (const [body, code, offset, pointer, options = {}] of REFUSALS) {
    const whole = scan(body, options);
    const size = Buffer.byteLength(body);
    t.match(whole, { code, offset, pointer }, JSON.stringify(body.toString()));
    t.same(scan(body, options, everyCut(size)), whole, 'byte by byte');
    const differing = everyCut(size).filter(
      (cut) => JSON.stringify(scan(body, options, [cut])) !== JSON.stringify(whole),
    );
    t.same(differing, [], 'cut once anywhere');
  }
});

t.test('every code of the family is in the table or among the limits', async (t) => {
  const { OPERATOR_CODES } = await import('../../src/fault/index.js');
  const limits = /^PRS_(DEPTH|MEMBERS|ITEMS|TOKENS|NAME_LENGTH|STRING_LENGTH|NUMBER_LENGTH)$/;
  // The pattern of a text body is no matter of JSON.
  const family = Object.keys(OPERATOR_CODES).filter(
    (code) => code.startsWith('PRS_') && code !== 'PRS_PATTERN' && !limits.test(code),
  );
  t.same([...new Set(REFUSALS.map(([, code]) => code))].sort(), family.sort());
});

t.test('line and column', async (t) => {
  const cases: readonly (readonly [string, number, number])[] = [
    ['x', 1, 1],
    ['{\n  "a": x\n}', 2, 8],
    ['{\r\n "a": 1,\r\n "a": 2}', 3, 2],
    ['["\u00e9\u00e9", x]', 1, 10],
    ['\n\n\n', 4, 1],
    ['[\n1,\n', 3, 1],
    ['[\n  0.1000000000000000055\n]', 2, 3],
    ['\r\r x', 1, 4],
  ];
  for (const [body, line, column] of cases) t.match(scan(body), { line, column }, JSON.stringify(body));
});

t.test('what is dropped is free of value rules and of nothing else', async (t) => {
  const inside =
    '{"a":[1e999,-0.1000000000000000055,123456789012345678901],"b":"\\ud800","\\udc00":{"__proto__":1}}';
  t.equal(keptOrCode(inside, DROP), '{}');
  t.equal(keptOrCode(`[${inside}]`, DROP), '[]');
});

t.test('numbers as strings', async (t) => {
  const options: Options = { numbers: 'string' };
  t.equal(
    keptOrCode('[1e999, -0, 123456789012345678901]', options),
    '["1e999","-0","123456789012345678901"]',
  );
  t.equal(keptOrCode('1.50', options), '"1.50"');
  t.equal(
    keptOrCode('{"a":1,"b":[2]}', { ...options, projection: { members: new Map([['b', KEEP]]) } }),
    '{"b":["2"]}',
  );
});

t.test('the kept part is compact and otherwise as sent', async (t) => {
  t.equal(
    keptOrCode(
      ' { "a\\u0062" : [ 1.50 , -0 , 1E+2 , true,false , null ] ,\r\n\t"c" : { } , "d":[ ] , "e":"\\/ \\u00e9é" } ',
    ),
    '{"a\\u0062":[1.50,-0,1E+2,true,false,null],"c":{},"d":[],"e":"\\/ \\u00e9é"}',
  );
});

t.test('the kind of the document', async (t) => {
  for (const [body, kind] of [
    ['{}', 'object'],
    [' []', 'array'],
    ['""', 'string'],
    ['0', 'number'],
    ['-1.5e3 ', 'number'],
    ['true', 'literal'],
    ['null', 'literal'],
  ] as const) {
    t.match(scan(body), { kind });
  }
});

t.test('a long name or a deep place is cut in the pointer', async (t) => {
  const name = 'n'.repeat(64);
  t.match(scan(`{"${name}":x}`), { pointer: `/${name}` });
  t.match(scan(`{"${name}n":x}`), { pointer: `/${name}\u2026` });
  const pair = `${'n'.repeat(63)}😀`;
  t.match(scan(`{"${pair}":x}`), { pointer: `/${'n'.repeat(63)}\u2026` }, 'no half of a pair');
  t.match(scan(`${'['.repeat(64)}x`), { pointer: '/0'.repeat(64) });
  t.match(scan(`${'['.repeat(65)}x`), { pointer: `${'/0'.repeat(64)}/\u2026` });
});

t.test('calls', async (t) => {
  const refused = createScanner({ limits: GENEROUS, projection: KEEP });
  const fault = refused.write(Buffer.from('[1,]'));
  t.ok(fault instanceof Fault);
  t.equal(refused.write(Buffer.from('[1]')), fault, 'the first fault is terminal');
  t.equal(refused.end(), fault);

  const accepted = createScanner({ limits: GENEROUS, projection: KEEP });
  t.equal(accepted.write(Buffer.from('[1')), undefined);
  t.equal(accepted.write(new Uint8Array()), undefined, 'an empty chunk changes nothing');
  t.equal(accepted.write(Buffer.from(']')), undefined);
  const result = accepted.end();
  t.equal(accepted.end(), result, 'end may be asked again');
  t.throws(() => accepted.write(Buffer.from(' ')), { message: 'write after end' });

  const other = createScanner({ limits: GENEROUS, projection: KEEP });
  other.write(Buffer.from('{"a":"b"}'));
  const kept = other.end();
  if (kept instanceof Fault) throw new Error('refused');
  t.equal(kept.kept.byteLength, kept.kept.buffer.byteLength, 'a buffer of its own');
});
