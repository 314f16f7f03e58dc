import t from 'tap';
import { DEFAULT_SCAN_LIMITS, KEEP, type Projection, type ScanLimits } from '../../src/json/index.js';
import { everyCut, GENEROUS, type Options, scan } from './scan-support.js';

/** The body at the limit, the body one over, and the offset and pointer of what is over. */
interface Edge {
  readonly limit: Partial<ScanLimits>;
  readonly at: string;
  readonly over: string;
  readonly code: string;
  readonly offset: number;
  readonly pointer: string;
  readonly note: string;
}

const EDGES: readonly Edge[] = [
  {
    limit: { depth: 0 },
    at: '1',
    over: '[]',
    code: 'PRS_DEPTH',
    offset: 0,
    pointer: '',
    note: 'limits.depth is 0',
  },
  {
    limit: { depth: 2 },
    at: '[[],{}]',
    over: '[[],[{}]]',
    code: 'PRS_DEPTH',
    offset: 5,
    pointer: '/1/0',
    note: 'limits.depth is 2',
  },
  {
    limit: { depth: 2 },
    at: '{"a":{}}',
    over: '{"a":{"b":[]}}',
    code: 'PRS_DEPTH',
    offset: 10,
    pointer: '/a/b',
    note: 'limits.depth is 2',
  },
  {
    limit: { members: 0 },
    at: '{}',
    over: '{"a":1}',
    code: 'PRS_MEMBERS',
    offset: 1,
    pointer: '',
    note: 'limits.members is 0',
  },
  {
    limit: { members: 2 },
    at: '[{"a":1,"b":2},{"c":3}]',
    over: '[{"a":1,"b":2,"a":3}]',
    code: 'PRS_MEMBERS',
    offset: 14,
    pointer: '/0',
    note: 'limits.members is 2',
  },
  {
    limit: { items: 0 },
    at: '[ ]',
    over: '[ 1]',
    code: 'PRS_ITEMS',
    offset: 2,
    pointer: '/0',
    note: 'limits.items is 0',
  },
  {
    limit: { items: 2 },
    at: '[[1,2],3]',
    over: '[[1,2, 3]]',
    code: 'PRS_ITEMS',
    offset: 7,
    pointer: '/0/2',
    note: 'limits.items is 2',
  },
  {
    limit: { tokens: 1 },
    at: '[]',
    over: '[1]',
    code: 'PRS_TOKENS',
    offset: 1,
    pointer: '/0',
    note: 'limits.tokens is 1',
  },
  {
    limit: { tokens: 5 },
    at: '{"a":1,"b":2}',
    over: '{"a":1,"b":2,"c":3}',
    code: 'PRS_TOKENS',
    offset: 13,
    pointer: '',
    note: 'limits.tokens is 5',
  },
  {
    limit: { tokens: 0 },
    at: ' ',
    over: '1',
    code: 'PRS_TOKENS',
    offset: 0,
    pointer: '',
    note: 'limits.tokens is 0',
  },
  {
    limit: { nameBytes: 3 },
    at: '{"abc":"abcd"}',
    over: '{"abcd":1}',
    code: 'PRS_NAME_LENGTH',
    offset: 5,
    pointer: '',
    note: 'limits.name_bytes is 3',
  },
  {
    limit: { nameBytes: 6 },
    at: '{"\\u0061":1}',
    over: '{"\\u0061b":1}',
    code: 'PRS_NAME_LENGTH',
    offset: 8,
    pointer: '',
    note: 'limits.name_bytes is 6',
  },
  {
    limit: { nameBytes: 3 },
    at: '{"aé":1}',
    over: '{"aéb":1}',
    code: 'PRS_NAME_LENGTH',
    offset: 5,
    pointer: '',
    note: 'limits.name_bytes is 3',
  },
  {
    limit: { stringBytes: 0 },
    at: '""',
    over: '"a"',
    code: 'PRS_STRING_LENGTH',
    offset: 1,
    pointer: '',
    note: 'limits.string_bytes is 0',
  },
  {
    limit: { stringBytes: 3 },
    at: '{"abcd":"abc"}',
    over: '{"a":"abcd"}',
    code: 'PRS_STRING_LENGTH',
    offset: 9,
    pointer: '/a',
    note: 'limits.string_bytes is 3',
  },
  {
    limit: { stringBytes: 4 },
    at: '["\\n\\""]',
    over: '["\\n\\"\\t"]',
    code: 'PRS_STRING_LENGTH',
    offset: 6,
    pointer: '/0',
    note: 'limits.string_bytes is 4',
  },
  {
    limit: { stringBytes: 3 },
    at: '["aé"]',
    over: '["abé"]',
    code: 'PRS_STRING_LENGTH',
    offset: 5,
    pointer: '/0',
    note: 'limits.string_bytes is 3',
  },
  {
    limit: { numberBytes: 4 },
    at: '[-1e2]',
    over: '[-1e23]',
    code: 'PRS_NUMBER_LENGTH',
    offset: 5,
    pointer: '/0',
    note: 'limits.number_bytes is 4',
  },
  {
    limit: { numberBytes: 3 },
    at: '123',
    over: '1234',
    code: 'PRS_NUMBER_LENGTH',
    offset: 3,
    pointer: '',
    note: 'limits.number_bytes is 3',
  },
];

const PROJECTIONS: readonly Projection[] = [KEEP, { members: new Map() }];

for (const { limit, at, over, code, offset, pointer, note } of EDGES) {
  t.test(`${note}: ${over}`, async (t) => {
    for (const projection of PROJECTIONS) {
      const options: Options = { limits: { ...GENEROUS, ...limit }, projection };
      const atLimit = scan(at, options);
      if (at.trim() === '') t.match(atLimit, { code: 'PRS_EMPTY' });
      else t.notOk('code' in atLimit, `${at} is within`);
      for (const cuts of [[], everyCut(Buffer.byteLength(over))]) {
        t.match(scan(over, options, cuts), { code, offset, pointer, note });
      }
    }
  });
}

t.test('at one byte the limit comes before what the byte is', async (t) => {
  const limits: ScanLimits = { ...GENEROUS, stringBytes: 1, nameBytes: 1 };
  t.match(scan('["a\n"]', { limits }), { code: 'PRS_STRING_LENGTH', offset: 3 });
  t.match(scan(Buffer.from([0x22, 0xc3, 0x28]), { limits }), { code: 'PRS_STRING_LENGTH', offset: 2 });
  t.match(scan('{"a\\":1}', { limits }), { code: 'PRS_NAME_LENGTH', offset: 3 });
  t.match(scan('"\\', { limits }), { code: 'PRS_TRUNCATED' }, 'and not before there is a byte');
});

t.test('order of the checks at the first byte of a value or name', async (t) => {
  const none: ScanLimits = { ...GENEROUS, items: 0, members: 0, tokens: 1, depth: 1 };
  t.match(scan('[x]', { limits: none }), { code: 'PRS_SYNTAX' });
  t.match(scan('[[]]', { limits: none }), { code: 'PRS_ITEMS' });
  t.match(scan('[[]]', { limits: { ...none, items: 1 } }), { code: 'PRS_TOKENS' });
  t.match(scan('[[]]', { limits: { ...none, items: 1, tokens: 2 } }), { code: 'PRS_DEPTH' });
  t.match(scan('{"a":1}', { limits: none }), { code: 'PRS_MEMBERS' });
  t.match(scan('{"a":1}', { limits: { ...none, members: 1 } }), { code: 'PRS_TOKENS', offset: 1 });
});

t.test('the defaults', async (t) => {
  const limits = DEFAULT_SCAN_LIMITS;
  t.notOk('code' in scan('['.repeat(32) + ']'.repeat(32), { limits }));
  t.match(scan('['.repeat(33), { limits }), { code: 'PRS_DEPTH', offset: 32 });
  t.notOk('code' in scan(`"${'a'.repeat(65_536)}"`, { limits }));
  t.match(scan(`"${'a'.repeat(65_537)}"`, { limits }), { code: 'PRS_STRING_LENGTH', offset: 65_537 });
});
