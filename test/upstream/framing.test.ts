import t from 'tap';
import { checkFraming, declaredLength, isCloseDelimited, ResponseHeaders } from '../../src/upstream/index.js';

const headers = (...lines: [string, string][]) => new ResponseHeaders(lines);
const code = (...lines: [string, string][]) => checkFraming(headers(...lines), '1.1')?.code;

t.test('one framing', (t) => {
  t.equal(code(), undefined);
  t.equal(code(['content-length', '19']), undefined);
  t.equal(code(['content-length', ' 019\t']), undefined);
  t.equal(code(['transfer-encoding', 'chunked']), undefined);
  t.equal(code(['transfer-encoding', '\tChunked ']), undefined);
  t.end();
});

t.test('none that can be read in two ways', (t) => {
  for (const value of [
    '',
    'gzip',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'chunked;a=b',
    '"chunked"',
    'chunked\xa0',
    'identity',
  ]) {
    t.equal(code(['transfer-encoding', value]), 'BYT_FRAMING', JSON.stringify(value));
  }
  t.equal(code(['transfer-encoding', 'chunked'], ['transfer-encoding', 'chunked']), 'BYT_FRAMING');
  t.equal(code(['transfer-encoding', 'chunked'], ['content-length', '19']), 'BYT_FRAMING');
  t.equal(code(['content-length', '19'], ['transfer-encoding', 'chunked']), 'BYT_FRAMING');
  t.equal(checkFraming(headers(['transfer-encoding', 'chunked']), '1.0')?.code, 'BYT_FRAMING');
  t.equal(checkFraming(headers(['transfer-encoding', 'chunked'])), undefined, 'version not known');
  t.end();
});

t.test('Content-Length', (t) => {
  for (const value of ['', '-1', '+19', '19.0', '1e1', '0x13', '1 9', '19;', '\u0661', '9007199254740992']) {
    t.equal(code(['content-length', value]), 'BYT_PROTOCOL', JSON.stringify(value));
    t.equal(declaredLength(headers(['content-length', value])), undefined);
  }
  t.equal(code(['content-length', '19, 19']), 'BYT_HEADER_DUPLICATE');
  t.equal(code(['content-length', '19'], ['content-length', '19']), 'BYT_HEADER_DUPLICATE');
  t.equal(declaredLength(headers(['content-length', '0019'])), 19);
  t.equal(declaredLength(headers(['content-length', '9007199254740991'])), 9_007_199_254_740_991);
  t.equal(declaredLength(headers(['content-length', '19'], ['content-length', '19'])), undefined);
  t.equal(declaredLength(headers()), undefined);
  t.end();
});

t.test('singletons', (t) => {
  for (const name of ['content-type', 'content-length', 'content-location', 'content-range', 'date', 'age']) {
    const fault = checkFraming(headers([name, '1'], ['x', 'y'], [name, '1']), '1.1');
    t.equal(fault?.code, 'BYT_HEADER_DUPLICATE', name);
    t.equal(fault?.detail.rule, name);
  }
  for (const name of [
    'etag',
    'last-modified',
    'expires',
    'location',
    'retry-after',
    'set-cookie',
    'vary',
    '__proto__',
  ]) {
    t.equal(code([name, '1'], [name, '2']), undefined, name);
    t.equal(headers([name, '1'], [name, '2']).single(name), undefined, `${name} is dropped`);
  }
  t.end();
});

t.test('isCloseDelimited', (t) => {
  t.equal(isCloseDelimited(headers(), 200, 'GET'), true);
  t.equal(isCloseDelimited(headers(['content-length', '0']), 200, 'GET'), false);
  t.equal(isCloseDelimited(headers(['transfer-encoding', 'chunked']), 200, 'GET'), false);
  t.equal(isCloseDelimited(headers(), 204, 'GET'), false);
  t.equal(isCloseDelimited(headers(), 304, 'GET'), false);
  t.equal(isCloseDelimited(headers(), 200, 'HEAD'), false);
  t.end();
});
