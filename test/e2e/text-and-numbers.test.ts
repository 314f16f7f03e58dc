import t from 'tap';
import type { ContractDefinition } from '../../src/contract/index.js';
import type { OperatorCode } from '../../src/fault/index.js';
import { TEXT_CLASSES } from '../../src/json/index.js';
import { type Harness, harness, planOf } from '../support/harness.js';
import { memoryAnswer } from '../support/memory-answer.js';

// What a text or a number of the answer becomes on its whole way to the agent.

const PROSE: ContractDefinition = {
  tool: 'prose',
  version: '1.0.0',
  purpose: 'A value, a value in a template, and prose.',
  request: {},
  responses: [
    {
      status: 200,
      schema: { type: 'object', properties: { plain: { type: 'string' }, display: { type: 'string' } } },
      select: {
        plain: { from: '/plain', optional: true },
        templated: { from: '/templated', template: '<{}>', optional: true },
        converted: { from: '/converted', convert: 'string', optional: true },
        at: 'request.id',
        prose: { from: '/display', text: 'display', max_length: 64, optional: true },
      },
    },
  ],
  result: {
    type: 'object',
    additionalProperties: false,
    required: ['at'],
    properties: Object.fromEntries(
      ['plain', 'templated', 'converted', 'at'].map((name) => [name, { type: 'string', maxLength: 64 }]),
    ),
  },
};

let body: Buffer = Buffer.alloc(0);
const send = () => async () => memoryAnswer(200, [['content-type', 'application/json']], [body]);

function runOf(contract: ContractDefinition): Harness {
  return harness([planOf({ origin: 'http://upstream.invalid', path: '/x', contract })], { send });
}

const prose = runOf(PROSE);

/** The code that the answer is refused with, or what the agent gets of it. */
async function told(
  run: Harness,
  bytes: string | Buffer,
): Promise<OperatorCode | { data: unknown; text: unknown }> {
  body = Buffer.from(bytes);
  const { text, record } = await run.call('/x');
  const { data, untrusted_text: untrusted } = JSON.parse(text);
  if (record.operator_code === null) return { data, text: untrusted };
  t.notOk(text.includes('zq'), 'nothing of the text is in a refusal');
  return record.operator_code;
}

/** Every UTF-16 unit as an escape. */
function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

interface Class {
  readonly points: readonly number[];
  /** What the bytes themselves are refused with, where the scanner does. */
  readonly raw?: OperatorCode;
  readonly escaped?: OperatorCode;
}

/** By hand, one of each end; the table of the product is not asked. */
const CLASSES: Record<string, Class> = {
  C0: { points: [0x00, 0x08, 0x0b, 0x1b, 0x1f], raw: 'PRS_CONTROL' },
  'C0 that lay out text': { points: [0x09, 0x0a, 0x0d], raw: 'PRS_CONTROL' },
  DEL: { points: [0x7f] },
  C1: { points: [0x80, 0x85, 0x9b, 0x9f] },
  'line and paragraph separator': { points: [0x2028, 0x2029] },
  'bidi override': { points: [0x202d, 0x202e] },
  'bidi embedding, isolate, mark': { points: [0x202a, 0x202c, 0x2066, 0x2069, 0x200e, 0x200f, 0x061c] },
  'zero-width': { points: [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff] },
  'soft hyphen and fillers': { points: [0x00ad, 0x034f, 0x3164, 0xffa0] },
  'variation selector': { points: [0xfe00, 0xfe0f, 0xe0100, 0xe01ef] },
  annotation: { points: [0xfff9, 0xfffc] },
  'tag block': { points: [0xe0001, 0xe0020, 0xe0041, 0xe007f] },
  'lone surrogate': { points: [0xd800, 0xdbff, 0xdc00, 0xdfff], raw: 'PRS_UTF8', escaped: 'PRS_SURROGATE' },
  noncharacter: { points: [0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff] },
  'private use': { points: [0xe000, 0xf8ff, 0xf0000, 0x10fffd] },
};
const LAYOUT = new Set([0x09, 0x0a]);

for (const [name, one] of Object.entries(CLASSES)) {
  t.test(`text: ${name}`, async (t) => {
    for (const point of one.points) {
      const character = String.fromCodePoint(point);
      const isSurrogate = point >= 0xd800 && point <= 0xdfff;
      const raw = isSurrogate
        ? Buffer.of(0xed, 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f))
        : Buffer.from(character);
      const bytes = (member: string) =>
        Buffer.concat([Buffer.from(`{"${member}":"zq`), raw, Buffer.from('c"}')]);
      const hex = point.toString(16);
      for (const member of ['plain', 'templated', 'converted', 'display']) {
        t.equal(await told(prose, bytes(member)), one.raw ?? 'SEL_TEXT', `${hex} in ${member}`);
        const answer = await told(prose, `{"${member}":"zq${escaped(character)}c"}`);
        if (member === 'display' && LAYOUT.has(point)) {
          t.match(answer, { text: { prose: `zq${character}c` } }, `${hex} as an escape in ${member}`);
        } else t.equal(answer, one.escaped ?? 'SEL_TEXT', `${hex} as an escape in ${member}`);
      }
    }
  });
}

t.test('every class of the table is tried above', async (t) => {
  const tried = Object.values(CLASSES).flatMap(({ points }) => points);
  for (const { name, ranges } of TEXT_CLASSES) {
    t.ok(
      tried.some((point) => ranges.some(([low, high]) => point >= low && point <= high)),
      name,
    );
  }
});

t.test('text: what people write reaches the agent as it was sent', async (t) => {
  for (const text of [
    'Größe, עברית, हिन्दी, 漢字',
    '\u{1f600}\u{1f44d}\u{1f3fd}',
    'a\u0301 \u00a0 \ufffd',
    '<b>&"\\/',
  ]) {
    t.match(await told(prose, JSON.stringify({ plain: text })), { data: { plain: text } }, text);
    t.match(
      await told(prose, `{"plain":"${escaped(text)}"}`),
      { data: { plain: text } },
      `${text} in escapes`,
    );
  }
});

t.test('display: emoji sequences and line breaks stay whole', async (t) => {
  const tags = (region: string) =>
    Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const sequences = {
    family: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    'skin tone and joiner': '\u{1f469}\u{1f3fd}\u200d\u{1f680}',
    rainbow: '\u{1f3f3}\ufe0f\u200d\u{1f308}',
    heart: '\u2764\ufe0f',
    keycap: '1\ufe0f\u20e3',
    'flag of Scotland': `\u{1f3f4}${tags('gbsct')}\u{e007f}`,
    'flag of France': '\u{1f1eb}\u{1f1f7}',
  };
  for (const [name, sequence] of Object.entries(sequences)) {
    const text = `so: ${sequence}\n\tand\r\nmore`;
    t.match(await told(prose, JSON.stringify({ display: text })), { text: { prose: text } }, name);
    if (name !== 'flag of France') {
      t.equal(
        await told(prose, JSON.stringify({ plain: sequence })),
        'SEL_TEXT',
        `${name} is prose and no value`,
      );
    }
  }
  const hidden = `\u{1f3f4}${tags('obey')}\u{e007f}`;
  t.equal(await told(prose, JSON.stringify({ display: hidden })), 'SEL_TEXT', 'tags that are no flag');
});

const NUMBERS: ContractDefinition = {
  ...PROSE,
  tool: 'numbers',
  numbers: 'string',
  responses: [
    {
      status: 200,
      schema: {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'string', pattern: '^[-+0-9.eE]{1,64}$' } },
      },
      select: { n: '/n', whole: { from: '/whole', convert: 'integer', optional: true } },
    },
  ],
  result: {
    type: 'object',
    additionalProperties: false,
    required: ['n'],
    properties: {
      n: { type: 'string', pattern: '^[-+0-9.eE]{1,64}$' },
      whole: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
  },
};

t.test('numbers: string carries the digits as they were sent', async (t) => {
  const run = runOf(NUMBERS);
  for (const digits of [
    '1',
    '-0',
    '0.10',
    '1E+2',
    '9007199254740993',
    '-123456789012345678901234567890',
    '1e400',
    '0.1000000000000000055511151231257827',
  ]) {
    t.match(await told(run, `{"n":${digits}}`), { data: { n: digits } }, digits);
  }
  t.match(await told(run, '{"n":1,"whole":9007199254740991}'), { data: { whole: 9007199254740991 } });
  for (const digits of ['9007199254740992', '1.0', '1e2', '-0']) {
    t.equal(
      await told(run, `{"n":1,"whole":${digits}}`),
      'SEL_CONVERT',
      `${digits} is not exactly a safe integer`,
    );
  }
  t.equal(await told(run, '{"n":01}'), 'PRS_SYNTAX', 'the grammar holds all the same');
  t.equal(await told(run, `{"n":${'1'.repeat(65)}}`), 'PRS_NUMBER_LENGTH');
});

t.test('numbers as numbers are exact, or refused', async (t) => {
  const { numbers: _, ...rest } = NUMBERS;
  const number = { type: 'number', minimum: -1e6, maximum: 1e6 };
  const run = runOf({
    ...rest,
    responses: [{ status: 200, schema: { type: 'object', properties: { n: number } }, select: { n: '/n' } }],
    result: { type: 'object', additionalProperties: false, required: ['n'], properties: { n: number } },
  });
  t.match(await told(run, '{"n":0.10}'), { data: { n: 0.1 } });
  t.match(await told(run, '{"n":1e2}'), { data: { n: 100 } });
  for (const [digits, code] of Object.entries({
    '9007199254740993': 'PRS_INTEGER_RANGE',
    '-9007199254740993.0': 'PRS_INTEGER_RANGE',
    '1e400': 'PRS_INTEGER_RANGE',
    '1e-400': 'PRS_NUMBER_PRECISION',
    '0.1000000000000000055511151231257827': 'PRS_NUMBER_PRECISION',
  })) {
    t.equal(await told(run, `{"n":${digits}}`), code, digits);
    t.match(await told(run, `{"n":1,"other":${digits}}`), { data: { n: 1 } }, `${digits} where nobody looks`);
  }
});
