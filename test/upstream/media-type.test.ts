import fc from 'fast-check';
import t from 'tap';
import { isUtf8, matchesMediaType, parseMediaType } from '../../src/upstream/index.js';

t.test('parseMediaType', (t) => {
  const good: Record<string, [type: string, charset: string | undefined]> = {
    'application/json': ['application/json', undefined],
    'Application/JSON': ['application/json', undefined],
    ' application/json\t': ['application/json', undefined],
    'application/json; charset=utf-8': ['application/json', 'utf-8'],
    'application/json;charset=UTF-8': ['application/json', 'utf-8'],
    'application/json \t; \tcharset=utf-8 ': ['application/json', 'utf-8'],
    'application/json; CHARSET="utf-8"': ['application/json', 'utf-8'],
    'application/json; charset="ut\\f-8"': ['application/json', 'utf-8'],
    'application/json; charset="a;b=\\"c\\\\"': ['application/json', 'a;b="c\\'],
    'application/json; charset=""': ['application/json', ''],
    'application/json; charset=iso-8859-1': ['application/json', 'iso-8859-1'],
    // RFC 9110 section 5.6.6: a parameter may be missing after its semicolon
    'application/json;': ['application/json', undefined],
    'application/json; ; charset=utf-8;': ['application/json', 'utf-8'],
    'application/vnd.github.v3+json; a=b; charset=utf-8': ['application/vnd.github.v3+json', 'utf-8'],
    "a!#$%&'*+-.^_`|~0/b": ["a!#$%&'*+-.^_`|~0/b", undefined],
    'a/b; c="\xe9"': ['a/b', undefined],
    'a/b; __proto__=c; constructor=d': ['a/b', undefined],
  };
  for (const [value, [type, charset]] of Object.entries(good)) {
    t.strictSame(parseMediaType(value), { type, charset }, JSON.stringify(value));
  }

  const malformed = [
    '',
    ' ',
    'json',
    'application/',
    '/json',
    'application//json',
    'application /json',
    'application/ json',
    'application/json,text/html',
    'application/json, application/json',
    'application/json text/html',
    'application/json;;charset',
    'application/json; charset',
    'application/json; charset=',
    'application/json; charset =utf-8',
    'application/json; charset= utf-8',
    'application/json; =utf-8',
    'application/json; charset="utf-8',
    'application/json; charset="utf-8"x',
    'application/json; charset="a\x01"',
    "application/json; charset='utf 8'",
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset=utf-8; Charset=utf-16',
    'application/json; a=b; a=c',
    'application/json\x00',
    'application/json\xa0',
    'application/json\r\n',
    'application/j\u017fon',
    '*/*; q=\xe9',
    'application/json; charset="\u20ac"',
  ];
  for (const value of malformed) t.equal(parseMediaType(value), undefined, JSON.stringify(value));
  t.end();
});

t.test('property: what is put together by the grammar comes apart again', (t) => {
  const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/);
  const ows = fc.stringMatching(/^[\t ]{0,2}$/);
  const text = fc.stringMatching(/^[\t -~\x80-\xff]{0,12}$/);
  const quote = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
  fc.assert(
    fc.property(
      token,
      token,
      ows,
      ows,
      fc.option(text, { nil: undefined }),
      token,
      (type, subtype, a, b, charset, name) => {
        fc.pre(name.toLowerCase() !== 'charset');
        const parameters = [
          `${name}=${type}`,
          ...(charset === undefined ? [] : [`charset=${quote(charset)}`]),
        ];
        const value = `${type}/${subtype}${parameters.map((one) => `${a};${b}${one}`).join('')}`;
        const parsed = parseMediaType(value);
        return (
          parsed?.type === `${type}/${subtype}`.toLowerCase() && parsed.charset === charset?.toLowerCase()
        );
      },
    ),
    { seed: 3, numRuns: 500 },
  );
  t.end();
});

t.test('property: any text is a media type or none, in linear time', (t) => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', '/', ';', '=', '"', '\\', ' ', '\t', ',', '\xe9'),
        maxLength: 40,
      }),
      (value) => {
        const parsed = parseMediaType(value);
        return parsed === undefined || /^[a]+\/[a]+$/.test(parsed.type);
      },
    ),
    { seed: 5, numRuns: 2_000 },
  );
  t.equal(parseMediaType(`a/b${'; '.repeat(100_000)}"`), undefined);
  t.equal(parseMediaType(`a/b; c="${'\\\\'.repeat(100_000)}`), undefined);
  t.end();
});

t.test('matchesMediaType', (t) => {
  for (const type of [
    'application/json',
    'application/vnd.x+json',
    'application/ld+json',
    'application/a+b+json',
  ]) {
    t.equal(matchesMediaType('json', type), true, type);
  }
  const others = [
    'application/problem+json',
    'application/json-seq',
    'application/x-ndjson',
    'text/json',
    'text/html',
    'image/svg+json',
    'application/+json',
    'application/xjson',
    'application/json+xml',
    'application/javascript',
  ];
  for (const type of others) t.equal(matchesMediaType('json', type), false, type);
  t.equal(matchesMediaType('text/plain', 'text/plain'), true);
  t.equal(matchesMediaType('Text/Plain', 'text/plain'), true);
  t.equal(matchesMediaType('text/plain', 'text/html'), false);
  t.equal(matchesMediaType('application/problem+json', 'application/problem+json'), true);
  t.end();
});

t.test('isUtf8', (t) => {
  t.equal(isUtf8(undefined), true);
  t.equal(isUtf8('utf-8'), true);
  for (const charset of ['', 'utf8', 'utf-16', 'us-ascii', 'iso-8859-1'])
    t.equal(isUtf8(charset), false, charset);
  t.end();
});
