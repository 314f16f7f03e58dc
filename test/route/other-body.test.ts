import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ContractDefinition, JsonSchema, ResponseDefinition } from '../../src/contract/index.js';
import type { OperatorCode } from '../../src/fault/index.js';
import { DEFAULT_SCAN_LIMITS } from '../../src/json/index.js';
import type { RouteLimits } from '../../src/route/index.js';
import { type Answer, ResponseHeaders } from '../../src/upstream/index.js';
import { harness, planOf, THING } from '../support/harness.js';

/** What a call gives: `data`, or the code with its place. */
interface Expected {
  readonly data?: unknown;
  readonly code?: OperatorCode;
  readonly offset?: number;
  readonly at?: string;
  readonly pointer?: string;
  readonly schema?: string;
}

interface Case extends Expected {
  readonly title: string;
  readonly contract: ContractDefinition;
  readonly body: string | Buffer;
  readonly type?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly limits?: Partial<RouteLimits>;
  readonly closeDelimited?: true;
}

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });

function closed(properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties };
}

function contractOf(result: JsonSchema, ...responses: ResponseDefinition[]): ContractDefinition {
  return { ...THING, request: {}, responses, result };
}

const VERSION = contractOf(
  closed({ version: text(20), tag: text(9) }, ['version']),
  {
    status: 200,
    parse: { pattern: '^v(?<version>[0-9.]{1,20})(?:-(?<tag>[^ \\n]{1,9}))?\\n?$' },
    select: { version: '/version', tag: { from: '/tag', optional: true } },
  },
  {
    status: 200,
    parse: { pattern: '^E(?<code>[0-9]{1,4})$' },
    failure: { by: '/code', map: { '404': 'NOT_FOUND' } },
  },
);

const LOG = contractOf(
  closed({
    lines: { type: 'array', maxItems: 3, items: closed({ n: { type: 'integer', minimum: 0, maximum: 99 } }) },
  }),
  {
    status: 200,
    parse: { ndjson: { max: 3 } },
    schema: {
      type: 'array',
      items: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    },
    select: { lines: { each: '', max: 3, select: { n: '/n' } } },
  },
);

const lines = (...n: number[]) => ({ lines: n.map((one) => ({ n: one })) });

const CASES: readonly Case[] = [
  { title: 'text', contract: VERSION, body: 'v1.2\n', data: { version: '1.2' } },
  {
    title: 'text with a charset',
    contract: VERSION,
    body: 'v1',
    type: 'text/plain; charset=UTF-8',
    data: { version: '1' },
  },
  {
    title: 'text: a group that has no part',
    contract: VERSION,
    body: 'v1-rc',
    data: { version: '1', tag: 'rc' },
  },
  {
    title: 'text: another pattern, a declared failure',
    contract: VERSION,
    body: 'E404',
    code: 'CON_DECLARED_FAILURE',
  },
  {
    title: 'text: a failure that is not in the map',
    contract: VERSION,
    body: 'E500',
    code: 'CON_UNMAPPED_FAILURE',
  },
  {
    title: 'text: a banner before',
    contract: VERSION,
    body: 'Welcome to host\nv1.2\n',
    code: 'PRS_PATTERN',
    offset: 0,
    at: '1:1',
    schema: '/responses/0/parse/pattern',
  },
  {
    title: 'text: a banner after',
    contract: VERSION,
    body: 'v1.2\nbye\n',
    code: 'PRS_PATTERN',
    offset: 5,
    at: '2:1',
  },
  {
    title: 'text: the closest pattern is named, in bytes',
    contract: contractOf(
      closed({ a: text(9) }),
      { status: 200, parse: { pattern: '^(?<a>x)$' }, select: { a: '/a' } },
      { status: 200, parse: { pattern: '^é(?<a>y)$' }, select: { a: '/a' } },
    ),
    body: 'éz',
    code: 'PRS_PATTERN',
    offset: 2,
    at: '1:3',
    schema: '/responses/1/parse/pattern',
  },
  { title: 'text: empty', contract: VERSION, body: '', code: 'PRS_PATTERN', offset: 0, at: '1:1' },
  {
    title: 'text: two patterns match',
    contract: contractOf(
      closed({ a: text(9) }),
      { status: 200, parse: { pattern: '^(?<a>[a-z]+)$' }, select: { a: '/a' } },
      { status: 200, parse: { pattern: '^(?<a>x)$' }, select: { a: '/a' } },
    ),
    body: 'x',
    code: 'CON_AMBIGUOUS',
    schema: '/responses/0',
  },
  {
    title: 'text: hidden characters',
    contract: VERSION,
    body: 'v1-a\u200bb',
    code: 'SEL_TEXT',
    pointer: '/tag',
  },
  {
    title: 'text: not UTF-8',
    contract: VERSION,
    body: Buffer.from('v1-\xe9', 'latin1'),
    code: 'PRS_UTF8',
    offset: 3,
    at: '1:4',
  },
  {
    title: 'text: a byte order mark',
    contract: VERSION,
    body: '\ufeffv1',
    code: 'PRS_BOM',
    offset: 0,
    at: '1:1',
  },
  {
    title: 'text: longer than a string may be',
    contract: VERSION,
    body: 'v1234567',
    limits: { scan: { ...DEFAULT_SCAN_LIMITS, stringBytes: 7 } },
    code: 'PRS_STRING_LENGTH',
    offset: 7,
  },
  {
    title: 'text: another charset',
    contract: VERSION,
    body: 'v1',
    type: 'text/plain; charset=latin1',
    code: 'BYT_CHARSET',
  },
  { title: 'text: another type', contract: VERSION, body: 'v1', type: 'text/html', code: 'BYT_MEDIA_TYPE' },
  {
    title: 'text: no end in sight',
    contract: VERSION,
    body: 'v1',
    closeDelimited: true,
    code: 'BYT_INCOMPLETE',
  },
  {
    title: 'text: larger than the limit',
    contract: VERSION,
    body: 'v1.2.3',
    limits: { decodedBytes: 5 },
    code: 'BYT_DECODED_TOO_LARGE',
  },

  { title: 'ndjson', contract: LOG, body: '{"n":1,"x":[]}\n{"n":2}\r\n', data: lines(1, 2) },
  { title: 'ndjson: no line', contract: LOG, body: '', data: lines() },
  { title: 'ndjson: no last line end', contract: LOG, body: '{"n":1}', data: lines(1) },
  {
    title: 'ndjson: a banner before',
    contract: LOG,
    body: 'ready\n{"n":1}\n',
    code: 'PRS_SYNTAX',
    offset: 0,
    at: '1:1',
    pointer: '/0',
  },
  {
    title: 'ndjson: a banner after',
    contract: LOG,
    body: '{"n":1}\n2 rows\n',
    code: 'PRS_TRAILING',
    offset: 10,
    at: '2:3',
    pointer: '/1',
  },
  {
    title: 'ndjson: a blank line',
    contract: LOG,
    body: '{"n":1}\n\n{"n":2}\n',
    code: 'PRS_EMPTY',
    offset: 8,
    at: '2:1',
    pointer: '/1',
  },
  {
    title: 'ndjson: one line too many',
    contract: LOG,
    body: '{"n":1}\n'.repeat(4),
    code: 'PRS_ITEMS',
    offset: 24,
    at: '4:1',
    pointer: '/3',
  },
  {
    title: 'ndjson: more than limits.items',
    contract: LOG,
    body: '{"n":1}\n'.repeat(3),
    limits: { scan: { ...DEFAULT_SCAN_LIMITS, items: 2 } },
    code: 'PRS_ITEMS',
    offset: 16,
    at: '3:1',
    pointer: '/2',
  },
  {
    title: 'ndjson: a duplicate in a dropped part',
    contract: LOG,
    body: '{"n":1}\n{"n":2,"x":{"a":1,"a":2}}\n',
    code: 'PRS_DUPLICATE_NAME',
    offset: 26,
    at: '2:19',
    pointer: '/1/x/a',
  },
  {
    title: 'ndjson: a line that the schema refuses',
    contract: LOG,
    body: '{"n":1}\n{"n":"2"}\n',
    code: 'CON_NO_ALTERNATIVE',
    pointer: '/1/n',
  },
  {
    title: 'ndjson: a line of another kind',
    contract: LOG,
    body: '{"n":1}\n{"error":"x"}\n',
    code: 'CON_NO_ALTERNATIVE',
    pointer: '/1/n',
  },
  {
    title: 'ndjson: a member beyond the result schema',
    contract: LOG,
    body: '{"n":100}\n',
    code: 'CON_RESULT',
    pointer: '/lines/0/n',
  },
  {
    title: 'ndjson: cut, and no end in sight',
    contract: LOG,
    body: '{"n":1}\n',
    closeDelimited: true,
    code: 'BYT_INCOMPLETE',
  },
  {
    title: 'ndjson: JSON instead',
    contract: LOG,
    body: '[{"n":1}]',
    type: 'application/json',
    code: 'BYT_MEDIA_TYPE',
  },
  {
    title: 'ndjson under the name of JSON Lines',
    contract: {
      ...LOG,
      responses: LOG.responses.map((one) => ({ ...one, media_type: 'application/jsonl' })),
    },
    type: 'application/jsonl',
    body: '{"n":1}\n{"n":2}\n',
    data: lines(1, 2),
  },
  {
    title: 'ndjson: numbers as text, names without case',
    contract: {
      ...contractOf(closed({ n: text(20) }), {
        status: 200,
        parse: 'ndjson',
        schema: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'string', pattern: '^[0-9]{1,20}$' } } },
        },
        select: { n: '/0/n' },
      }),
      numbers: 'string',
    },
    body: '{"n":9007199254740993}\n',
    data: { n: '9007199254740993' },
  },
];

type Body = Answer['body'];

/** The same body as it may come: whole, byte by byte, in two parts, compressed. */
const WAYS: Record<
  string,
  (bytes: Buffer) => { body: Body; headers: readonly (readonly [string, string])[] }
> = {
  whole: (bytes) => ({
    body: {
      whole: bytes,
      drain: async (sink) => (bytes.byteLength === 0 ? undefined : sink(bytes)),
      discard() {},
    },
    headers: [],
  }),
  'byte by byte': (bytes) => ({
    body: chunked(Array.from(bytes, (byte) => Buffer.of(byte))),
    headers: [],
  }),
  'in two parts': (bytes) => {
    const middle = bytes.byteLength >> 1;
    return { body: chunked([bytes.subarray(0, middle), bytes.subarray(middle)]), headers: [] };
  },
  compressed: (bytes) => ({ body: chunked([gzipSync(bytes)]), headers: [['content-encoding', 'gzip']] }),
};

function chunked(chunks: readonly Buffer[]): Body {
  return {
    async drain(sink) {
      for (const chunk of chunks) {
        const copy = Buffer.from(chunk);
        const fault = sink(copy);
        copy.fill(0x21);
        if (fault !== undefined) return fault;
      }
      return undefined;
    },
    discard() {},
  };
}

for (const one of CASES) {
  t.test(one.title, async (t) => {
    for (const [way, made] of Object.entries(WAYS)) {
      // A decoder proves the end of its body; and what is compressed is larger than these few bytes.
      if (way === 'compressed' && (one.closeDelimited || one.limits?.decodedBytes !== undefined)) continue;
      const { body, headers } = made(Buffer.from(one.body));
      const kind = one.contract === VERSION ? 'text/plain' : undefined;
      const parse = one.contract.responses[0]?.parse;
      const type =
        one.type ??
        kind ??
        (typeof parse === 'object' && 'pattern' in parse ? 'text/plain' : 'application/x-ndjson');
      const answer: Answer = {
        status: 200,
        headers: new ResponseHeaders([['content-type', type], ...headers]),
        closeDelimited: one.closeDelimited === true,
        body,
      };
      const plan = planOf({
        origin: 'http://upstream.invalid',
        path: '/thing',
        contract: one.contract,
        ...(one.limits === undefined ? {} : { limits: one.limits }),
      });
      const run = harness([plan], { send: () => async () => answer });
      const { text: told, record } = await run.call('/thing');
      t.same(run.bugs, []);
      t.equal(record.operator_code, one.code ?? null, way);
      if ('data' in one) t.strictSame(JSON.parse(told).data, one.data, way);
      const { offset, line, column, instance, schema } = record.fault ?? {};
      if (one.offset !== undefined) t.equal(offset, one.offset, `${way}: offset`);
      if (one.at !== undefined) t.equal(`${line}:${column}`, one.at, `${way}: line and column`);
      if (one.pointer !== undefined) t.equal(instance, one.pointer, `${way}: pointer`);
      if (one.schema !== undefined) t.equal(schema, one.schema, `${way}: schema`);
      if (one.code === undefined && way !== 'compressed')
        t.match(record.body_sha256, /^[0-9a-f]{64}$/, 'digest');
      if (one.code?.startsWith('PRS') === true && one.body.length > 0) {
        t.ok((run.quarantined[0]?.body.byteLength ?? 0) > 0, `${way}: quarantined`);
      }
    }
  });
}
