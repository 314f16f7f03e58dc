// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what is tested.
import t from 'tap';
import { interpolate } from '../../src/config/interpolate.js';

const env = { HOST: 'example.org', EMPTY: '', BRACE: '${HOST}' };
const fill = (text: string) => interpolate(text, env).value;

t.test('values are filled in', async (t) => {
  t.equal(fill('https://${HOST}:443/${HOST}'), 'https://example.org:443/example.org');
  t.equal(fill('${HOST:-other}'), 'example.org');
  t.equal(fill('${UNSET:-other}'), 'other');
  t.equal(fill('${UNSET:-}'), '');
  t.equal(fill('${UNSET:-https://a.b/c:-d}'), 'https://a.b/c:-d');
  t.equal(fill('${EMPTY:-other}'), 'other', 'as in a shell, the default stands in for an empty variable');
  t.equal(fill('${EMPTY}'), '');
});

t.test('what is no variable stays', async (t) => {
  t.equal(fill('$HOST $ {HOST} {HOST}'), '$HOST $ {HOST} {HOST}');
  t.equal(fill('$${HOST}'), '${HOST}');
  t.equal(fill('$${HOST} ${HOST}'), '${HOST} example.org');
});

t.test('what was filled in is not looked at again', async (t) => {
  t.equal(fill('${BRACE}'), '${HOST}');
});

t.test('texts of lists and maps, but no keys, numbers, secret names and formats', async (t) => {
  const { value, problems } = interpolate(
    { '${HOST}': ['${HOST}', 1, null, true], secret: '${HOST}', format: '${HOST}' },
    env,
  );
  t.same(value, { '${HOST}': ['example.org', 1, null, true], secret: '${HOST}', format: '${HOST}' });
  t.same(problems, []);
});

t.test('every problem, with its pointer', async (t) => {
  const { problems } = interpolate({ a: ['${UNSET} ${OTHER}'], 'b/c': '${1}', d: '${HOST' }, env);
  t.same(
    problems.map(({ pointer, rule }) => [pointer, rule]),
    [
      ['/a/0', 'unset-variable'],
      ['/a/0', 'unset-variable'],
      ['/b~1c', 'bad-variable'],
      ['/d', 'bad-variable'],
    ],
  );
  t.match(problems[1]?.message, /OTHER is not set/);
});

t.test('names of Object.prototype are not set', async (t) => {
  t.equal(interpolate('${toString}', {}).problems[0]?.rule, 'unset-variable');
});

t.test('the document itself is left alone', async (t) => {
  const document = { a: ['${HOST}'] };
  interpolate(document, env);
  t.same(document, { a: ['${HOST}'] });
});
