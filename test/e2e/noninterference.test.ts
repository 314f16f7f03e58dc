import fc from 'fast-check';
import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import { createPipeline } from '../../src/route/index.js';
import type { Answer } from '../../src/upstream/index.js';
import { planOf } from '../support/harness.js';
import { memoryAnswer } from '../support/memory-answer.js';

/**
 * Noninterference: two upstream answers that differ only outside the selected fields give the agent the same bytes.
 * The law is stated over everything an upstream can vary: further members anywhere, their order, white space, escapes
 * in names, headers, chunking.
 */
const CONTRACT: ContractDefinition = {
  tool: 'list',
  version: '1.0.0',
  purpose: 'Nested objects, a list and an optional member.',
  request: { params: { id: { type: 'integer' } } },
  responses: [
    {
      status: 200,
      schema: {
        type: 'object',
        required: ['id', 'owner', 'items'],
        properties: {
          id: { type: 'integer' },
          owner: { type: 'object', required: ['login'], properties: { login: { type: 'string' } } },
          items: {
            type: 'array',
            items: {
              type: 'object',
              required: ['n'],
              properties: { n: { type: 'number' }, tag: { type: 'string' } },
            },
          },
        },
      },
      select: {
        id: '/id',
        owner: { object: { login: '/owner/login' } },
        items: { each: '/items', max: 5, select: { n: '/n', tag: { from: '/tag', optional: true } } },
      },
      checks: [{ id: 'same', bind: '/id', equals: '{request.params.id}' }],
    },
  ],
  result: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'owner', 'items'],
    properties: {
      id: { type: 'integer' },
      owner: {
        type: 'object',
        additionalProperties: false,
        required: ['login'],
        properties: { login: { type: 'string', maxLength: 20 } },
      },
      items: {
        type: 'array',
        maxItems: 5,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['n'],
          properties: {
            n: { type: 'number', minimum: -1e6, maximum: 1e6 },
            tag: { type: 'string', maxLength: 20 },
          },
        },
      },
    },
  },
};

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The names that the contract looks at; noise never takes one of them, in no place. */
const NAMES = new Set(['id', 'owner', 'login', 'items', 'n', 'tag', '__proto__']);
const noiseName = fc.string({ maxLength: 8, unit: 'grapheme' }).filter((name) => !NAMES.has(name));
const noiseValue = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const noise = fc.uniqueArray(fc.tuple(noiseName, noiseValue), { selector: ([name]) => name, maxLength: 4 });

interface Style {
  readonly noise: [string, Json][][];
  readonly blanks: string[];
  readonly order: number;
  readonly escapeNames: boolean;
  readonly headers: [string, string][];
  readonly cuts: number[];
}

const style: fc.Arbitrary<Style> = fc.record({
  noise: fc.array(noise, { minLength: 8, maxLength: 8 }),
  blanks: fc.array(fc.constantFrom('', ' ', '\n', '\t \r\n'), { minLength: 1, maxLength: 7 }),
  order: fc.nat(),
  escapeNames: fc.boolean(),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom('server', 'etag', 'x-noise', 'set-cookie', 'date'),
      fc.constantFrom('a', 'b', '\u00ff'),
    ),
    {
      maxLength: 4,
    },
  ),
  cuts: fc.array(fc.nat(400), { maxLength: 6 }),
});

const answer = fc.record({
  id: fc.constantFrom(1, 1, 1, 2),
  login: fc.string({ maxLength: 24 }),
  items: fc.array(
    fc.record({
      n: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      tag: fc.option(fc.string({ maxLength: 24 })),
    }),
    { maxLength: 7 },
  ),
});

type Body = typeof answer extends fc.Arbitrary<infer T> ? T : never;

/** The answer as JSON text in a style: the same selected values, everything else different. */
function render(body: Body, how: Style): string {
  let turn = 0;
  const blank = () => how.blanks[turn++ % how.blanks.length] as string;
  let object = 0;
  const name = (text: string) => {
    const quoted = JSON.stringify(text);
    return how.escapeNames ? quoted.replace(/[a-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`) : quoted;
  };
  const write = (members: [string, string][]): string => {
    const extra = (how.noise[object++ % how.noise.length] ?? []).map(([key, value]): [string, string] => [
      JSON.stringify(key),
      JSON.stringify(value),
    ]);
    const all = [...members.map(([key, value]): [string, string] => [name(key), value]), ...extra];
    const start = how.order % all.length;
    const turned = [...all.slice(start), ...all.slice(0, start)];
    return `{${blank()}${turned.map(([key, value]) => `${key}${blank()}:${blank()}${value}`).join(`${blank()},${blank()}`)}${blank()}}`;
  };
  const items = body.items.map(({ n, tag }) =>
    write([
      ['n', JSON.stringify(n)],
      ...(tag === null ? [] : ([['tag', JSON.stringify(tag)]] as [string, string][])),
    ]),
  );
  const owner = write([['login', JSON.stringify(body.login)]]);
  return `${blank()}${write([
    ['id', String(body.id)],
    ['owner', owner],
    ['items', `[${items.join(',')}]`],
  ])}${blank()}`;
}

function inChunks(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set([0, ...cuts.map((cut) => cut % (bytes.byteLength + 1)), bytes.byteLength])].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

t.test('what is not selected cannot change a byte of the answer', async (t) => {
  let next: Answer;
  let bugs = 0;
  const plan = planOf({ origin: 'http://upstream.invalid', contract: CONTRACT });
  const pipeline = createPipeline([plan], {
    send: () => async () => next,
    now: () => 0,
    newRequestId: () => 'req.constant1',
    audit: undefined,
    retainBytes: 0,
    log: () => {},
    bug: () => bugs++,
    configDigest: '',
    version: '0',
    acceptRequestId: false,
  });
  const ask = async (body: Body, how: Style): Promise<string> => {
    const bytes = Buffer.from(render(body, how));
    next = memoryAnswer(
      200,
      [['content-type', 'application/json'], ...how.headers],
      inChunks(bytes, how.cuts),
    );
    const {
      status,
      headers,
      body: answered,
    } = await pipeline({
      method: 'GET',
      target: '/things/1',
      headers: [],
      body: new Uint8Array(),
      authenticated: true,
    });
    return `${status} ${JSON.stringify(headers)} ${Buffer.from(answered).toString()}`;
  };

  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(answer, style, style, async (body, one, other) => {
      const first = await ask(body, one);
      if (first.startsWith('200 ')) accepted++;
      return first === (await ask(body, other));
    }),
    { seed: 7, numRuns: 500 },
  );
  t.equal(bugs, 0);
  t.ok(accepted > 50, `${accepted} of 500 answers were accepted`);
});
