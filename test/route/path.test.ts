import fc from 'fast-check';
import t from 'tap';
import { decodeAgain, safeSegments } from '../../src/route/path.js';

t.test('unsafe paths are refused as sent, after one decode and after two', async (t) => {
  const unsafe = [
    '',
    'http://evil.invalid/x',
    '*',
    'repos/x',
    '//evil.invalid/x',
    '/a//b',
    '/a/./b',
    '/a/../b',
    '/..',
    '/a/%2e%2e/b',
    '/a/%2E/b',
    '/a/.%2e/b',
    '/a/%252e%252e/b',
    '/a/%25%32%65%25%32%65/b',
    '/a/x%2f..%2fy',
    '/a/x%2F%2E%2E',
    '/a/x%252f%252e%252e',
    '/a/x%252f..%252f%25ZZ',
    '/a\\b',
    '/a/%5c',
    '/a/%255C',
    '/a/%00',
    '/a/%2500',
    '/a/%0d%0aX: 1',
    '/a/%7f',
    '/a/%257F',
    '/a/%C2%85',
    '/a b',
    '/a\tb',
    '/a#b',
    '/a<b',
    '/a"b',
    '/a{b}',
    '/%',
    '/%4',
    '/%zz',
    '/%ff',
    '/%c0%ae',
    '/%ed%a0%80',
    '/caf\u00e9',
  ];
  for (const path of unsafe) t.equal(safeSegments(path), undefined, JSON.stringify(path));
});

t.test('legal paths keep their segments as sent', async (t) => {
  t.strictSame(safeSegments('/'), ['']);
  t.strictSame(safeSegments('/a/b'), ['a', 'b']);
  t.strictSame(safeSegments('/a/b/'), ['a', 'b', '']);
  t.strictSame(safeSegments('/files/%5B...slug%5D.js'), ['files', '%5B...slug%5D.js']);
  t.strictSame(safeSegments('/projects/group%2Fproj'), ['projects', 'group%2Fproj']);
  t.strictSame(safeSegments('/a/100%25'), ['a', '100%25']);
  t.strictSame(safeSegments('/a/caf%C3%A9/%F0%9F%98%80'), ['a', 'caf%C3%A9', '%F0%9F%98%80']);
  t.strictSame(safeSegments('/a/..b/b../.../.c'), ['a', '..b', 'b..', '...', '.c']);
  t.strictSame(safeSegments("/~u/a:b@c/!$&'()*+,;="), ['~u', 'a:b@c', "!$&'()*+,;="]);
});

t.test('no accepted segment has a hazard after any number of decodes up to two', async (t) => {
  const piece = fc.constantFrom(
    '.',
    '..',
    '%2e',
    '%2E',
    '%25',
    '%252e',
    '%2f',
    '%5c',
    '%255c',
    '/',
    'a',
    '%00',
    'Z',
    '%',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const segments = safeSegments(`/${pieces.join('')}`);
      for (const segment of segments ?? []) {
        const once = decodeURIComponent(segment);
        for (const text of [segment, once, decodeAgain(once)]) {
          if (/[\\\u0000-\u001f]/.test(text)) return false;
          if (text.split('/').some((part) => part === '.' || part === '..')) return false;
        }
      }
      return true;
    }),
    { seed: 1, numRuns: 3000 },
  );
  t.pass('property holds');
});
