import fc from 'fast-check';
import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import {
  compileScanPlan,
  DEFAULT_SCAN_LIMITS,
  KEEP,
  NdjsonScanner,
  type Projection,
  type ScanLimits,
} from '../../src/json/index.js';

interface Options {
  readonly line?: Projection;
  readonly limits?: Partial<ScanLimits>;
  readonly maxLines?: number;
  readonly keepsLines?: boolean;
  readonly numbers?: 'string';
}

function scanner(options: Options = {}): NdjsonScanner {
  return new NdjsonScanner({
    line: compileScanPlan({
      limits: { ...DEFAULT_SCAN_LIMITS, ...options.limits },
      projection: options.line ?? KEEP,
      ...(options.numbers === undefined ? {} : { numbers: options.numbers }),
    }),
    keepsLines: options.keepsLines ?? true,
    maxLines: options.maxLines ?? 100,
    limitName: 'limits.items',
  });
}

/** The values of the lines, or `CODE offset line:column pointer` of the fault. */
function read(chunks: readonly (string | Uint8Array)[], options?: Options): unknown {
  const one = scanner(options);
  for (const chunk of chunks) one.write(Buffer.from(chunk));
  const outcome = one.end();
  return outcome instanceof Fault ? told(outcome) : outcome.value;
}

function told({ code, detail }: Fault): string {
  return `${code} ${detail.offset} ${detail.line}:${detail.column} ${detail.instance}`;
}

function byteByByte(body: string | Buffer, options?: Options): unknown {
  return read(
    Array.from(Buffer.from(body), (byte) => Uint8Array.of(byte)),
    options,
  );
}

const CASES: readonly (readonly [
  title: string,
  body: string | Buffer,
  expected: unknown,
  options?: Options,
])[] = [
  ['lines', '{"a":1}\n[2]\n"x"\n4\nnull\n', [{ a: 1 }, [2], 'x', 4, null]],
  ['no last line end', '1\n2', [1, 2]],
  ['CR LF', '1\r\n{"a": 2}\r\n', [1, { a: 2 }]],
  ['blanks around a value', ' 1 \n\t2\n', [1, 2]],
  ['no bytes: no lines', '', []],
  ['one line feed is a blank line', '\n', 'PRS_EMPTY 0 1:1 /0'],
  ['a blank line between', '1\n\n2\n', 'PRS_EMPTY 2 2:1 /1'],
  ['a line of blanks', '1\n  \r\n2\n', 'PRS_EMPTY 5 2:4 /1'],
  ['a blank line at the end', '1\n\n', 'PRS_EMPTY 2 2:1 /1'],
  ['blanks after the last line end', '1\n ', 'PRS_EMPTY 3 2:2 /1'],
  ['two values in a line', '1\n{"a":1} {"b":2}\n', 'PRS_TRAILING 10 2:9 /1'],
  ['values with a comma between', '1,2\n', 'PRS_TRAILING 1 1:2 /0'],
  ['a value over two lines', '[1,\n2]\n', 'PRS_TRUNCATED 3 1:4 /0/1'],
  ['an array over two lines', '[1\n2]\n', 'PRS_TRUNCATED 2 1:3 /0/0'],
  ['a line feed in a string', '{"a":"x\ny"}\n', 'PRS_TRUNCATED 7 1:8 /0/a'],
  ['a carriage return in a value', '1\n{"a":\r1}\n', 'PRS_SYNTAX 7 2:6 /1'],
  ['a carriage return in a string', '1\n"a\rb"\n', 'PRS_CONTROL 4 2:3 /1'],
  ['lines that end with a carriage return alone', '1\r2\r', 'PRS_SYNTAX 1 1:2 /0'],
  ['a last carriage return without line feed', '1\r', 'PRS_SYNTAX 1 1:2 /0'],
  ['two carriage returns', '1\r\r\n', 'PRS_SYNTAX 1 1:2 /0'],
  ['a cut last line', '1\n{"a":', 'PRS_TRUNCATED 7 2:6 /1/a'],
  ['a banner before', 'Welcome\n1\n', 'PRS_SYNTAX 0 1:1 /0'],
  ['a banner after', '1\n2\nbye\n', 'PRS_SYNTAX 4 3:1 /2'],
  ['a duplicate member', '{"a":1}\n{"a":1,"a":2}\n', 'PRS_DUPLICATE_NAME 15 2:8 /1/a'],
  ['a byte order mark', '\ufeff1\n', 'PRS_BOM 0 1:1 /0'],
  ['broken UTF-8', Buffer.from('1\n"\xff"\n', 'latin1'), 'PRS_UTF8 3 2:2 /1'],
  ['a character cut by the line end', Buffer.from('"\xe2\x82\n"\n', 'latin1'), 'PRS_TRUNCATED 3 1:4 /0'],
  ['an integer that would be rounded', '1\n9007199254740993\n', 'PRS_INTEGER_RANGE 2 2:1 /1'],
  ['numbers as text', '1\n9007199254740993\n', ['1', '9007199254740993'], { numbers: 'string' }],
  ['too many lines', '1\n2\n3\n', 'PRS_ITEMS 4 3:1 /2', { maxLines: 2 }],
  ['just enough lines', '1\n2\n', [1, 2], { maxLines: 2 }],
  [
    'the limits of a document hold in each line',
    '[1,2]\n[1,2,3]\n',
    'PRS_ITEMS 11 2:6 /1/2',
    { limits: { items: 2 } },
  ],
  ['depth counts in a line', '[[1]]\n[[[1]]]\n', 'PRS_DEPTH 8 2:3 /1/0/0', { limits: { depth: 2 } }],
  [
    'what is not looked at is dropped, and checked',
    '{"a":1,"b":{"c":[]}}\n{"b":2}\n',
    [{ a: 1 }, {}],
    { line: { members: new Map([['a', KEEP]]) } },
  ],
  [
    'a dropped part breaks a rule',
    '{"b":{"c":1,"c":2}}\n',
    'PRS_DUPLICATE_NAME 12 1:13 /0/b/c',
    { line: { members: new Map() } },
  ],
  ['nobody looks at the lines', '1\n2\n', [], { keepsLines: false }],
];

for (const [title, body, expected, options] of CASES) {
  t.test(title, async (t) => {
    t.strictSame(read([body], options), expected, 'whole');
    t.strictSame(byteByByte(body, options), expected, 'byte by byte');
    const bytes = Buffer.from(body);
    for (let cut = 1; cut < bytes.byteLength; cut++) {
      t.strictSame(read([bytes.subarray(0, cut), bytes.subarray(cut)], options), expected, `cut at ${cut}`);
    }
  });
}

t.test('the first fault is terminal', async (t) => {
  const one = scanner();
  const fault = one.write(Buffer.from('x\n'));
  t.equal(fault?.code, 'PRS_SYNTAX');
  t.equal(one.write(Buffer.from('1\n')), fault);
  t.equal(one.end(), fault);
});

t.test('any values, written as lines, are read as they were, however they are cut', async (t) => {
  const line = fc.record({ value: fc.jsonValue({ maxDepth: 3 }), end: fc.constantFrom('\n', '\r\n') });
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(fc.nat(400), { maxLength: 6 }),
      (lines, places) => {
        const body = Buffer.from(lines.map(({ value, end }) => JSON.stringify(value) + end).join(''));
        const cuts = [
          0,
          ...places.filter((at) => at < body.byteLength).sort((a, b) => a - b),
          body.byteLength,
        ];
        const chunks = cuts.slice(1).map((end, i) => body.subarray(cuts[i], end));
        const whole = read([body]);
        // Numbers that no double holds are refused: then the place of the refusal is what may not depend on the cuts.
        const expected =
          typeof whole === 'string' ? whole : lines.map(({ value }) => JSON.parse(JSON.stringify(value)));
        t.strictSame(read(chunks), expected);
      },
    ),
    { seed: 20260101, numRuns: 300 },
  );
});

t.test('junk is told at the same place, however it is cut', async (t) => {
  const piece = fc.constantFrom(
    '1',
    '{"a":1}',
    '\n',
    '\r',
    '\r\n',
    ' ',
    '"',
    '\\',
    '[',
    ']',
    ',',
    'é',
    '\ufeff',
    '-',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const body = pieces.join('');
      t.strictSame(byteByByte(body), read([body]), JSON.stringify(body));
    }),
    { seed: 20260102, numRuns: 500 },
  );
});
