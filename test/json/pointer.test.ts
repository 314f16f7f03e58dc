import fc from 'fast-check';
import t from 'tap';
import { formatPointer, parsePointer, resolvePointer } from '../../src/json/index.js';

t.test('parse', async (t) => {
  const cases: readonly (readonly [string, string[] | undefined])[] = [
    ['', []],
    ['/', ['']],
    ['//', ['', '']],
    ['/a/0', ['a', '0']],
    ['/a~1b/m~0n', ['a/b', 'm~n']],
    ['/~01', ['~1']],
    ['/~10', ['/0']],
    ['/ /%25/"/\\', [' ', '%25', '"', '\\']],
    ['a', undefined],
    ['#/a', undefined],
    ['/a~', undefined],
    ['/a~2', undefined],
    ['/~/', undefined],
  ];
  for (const [text, segments] of cases) t.same(parsePointer(text), segments, JSON.stringify(text));
});

t.test('format is the inverse of parse', async () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('~', '/', '0', '1') }),
  );
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const parsed = parsePointer(formatPointer(segments));
      return JSON.stringify(parsed) === JSON.stringify(segments);
    }),
    { seed: 6901 },
  );
});

t.test('resolve: the examples of RFC 6901 section 5', async (t) => {
  const document = JSON.parse(
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
  );
  const cases: readonly (readonly [string, unknown])[] = [
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ];
  for (const [pointer, value] of cases) {
    t.same(resolvePointer(document, parsePointer(pointer) ?? ['absent']), { value }, pointer);
  }
});

t.test('resolve: nothing that is not there', async (t) => {
  const document = { a: [1, { b: null }], s: 'text', n: 1 };
  for (const segments of [
    ['b'],
    ['a', '2'],
    ['a', '-'],
    ['a', '-1'],
    ['a', '01'],
    ['a', '1.0'],
    ['a', '1e0'],
    ['a', ' 1'],
    ['a', ''],
    ['a', 'length'],
    ['a', 'at'],
    ['s', '0'],
    ['s', 'length'],
    ['n', 'toFixed'],
    ['a', '1', 'b', 'c'],
    ['toString'],
    ['constructor', 'name'],
    ['__proto__'],
    ['hasOwnProperty'],
  ]) {
    t.equal(resolvePointer(document, segments), undefined, segments.join(' '));
  }
  t.same(resolvePointer(document, ['a', '1', 'b']), { value: null }, 'null is a value');
  t.same(
    resolvePointer(JSON.parse('{"__proto__":1}'), ['__proto__']),
    { value: 1 },
    'an own member of that name',
  );
});
