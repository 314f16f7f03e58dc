import t from 'tap';
import { Fault } from '../../src/fault/index.js';
import { acceptEncoding, contentCoding, ResponseHeaders } from '../../src/upstream/index.js';

const headers = (...values: string[]) =>
  new ResponseHeaders(values.map((value) => ['content-encoding', value] as const));

t.test('contentCoding', (t) => {
  const of = (...values: string[]) => {
    const coding = contentCoding(headers(...values), ['gzip', 'br']);
    return coding instanceof Fault ? coding.code : coding;
  };
  t.equal(of(), 'identity');
  for (const value of ['identity', 'Identity', ' identity\t']) t.equal(of(value), 'identity', value);
  for (const value of ['gzip', 'GZIP', ' gzip ']) t.equal(of(value), 'gzip', value);
  t.equal(of('br'), 'br');
  const refused = [
    'deflate',
    'zstd',
    'compress',
    'x-gzip',
    'aws-chunked',
    '',
    ',',
    'gzip,',
    ',gzip',
    'gzip, gzip',
    'gzip, br',
    'identity, gzip',
    'identity, identity',
    'gzip;q=1',
    'gzip gzip',
    'gzip\xa0',
    '"gzip"',
    '__proto__',
  ];
  for (const value of refused) t.equal(of(value), 'BYT_CODING', JSON.stringify(value));
  t.equal(of('gzip', 'gzip'), 'BYT_CODING', 'two lines');
  t.equal(of('identity', 'identity'), 'BYT_CODING', 'two lines');
  t.end();
});

t.test('only what was offered', (t) => {
  const code = (value: string, offered: ('gzip' | 'br')[]) => {
    const coding = contentCoding(headers(value), offered);
    return coding instanceof Fault ? coding.code : coding;
  };
  t.equal(code('br', ['gzip']), 'BYT_CODING');
  t.equal(code('gzip', []), 'BYT_CODING');
  t.equal(code('identity', []), 'identity');
  t.end();
});

t.test('acceptEncoding', (t) => {
  t.equal(acceptEncoding([]), 'identity');
  t.equal(acceptEncoding(['gzip']), 'gzip');
  t.equal(acceptEncoding(['gzip', 'br']), 'gzip, br');
  t.end();
});
