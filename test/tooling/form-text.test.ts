import t from 'tap';
import { fixtureCall } from '../../src/tooling/fixture-call.js';
import { formText } from '../../src/tooling/form-text.js';

t.test('a value as a form', async (t) => {
  for (const [value, wanted] of [
    [{}, ''],
    [{ a: 1, b: true, c: 'x y&=€' }, 'a=1&b=true&c=x%20y%26%3D%E2%82%AC'],
    [{ a: [1, 'b'], m: { k: '' } }, 'a%5B0%5D=1&a%5B1%5D=b&m%5Bk%5D='],
    [
      { items: [{ p: 1, t: [2] }, { p: 3 }] },
      'items%5B0%5D%5Bp%5D=1&items%5B0%5D%5Bt%5D%5B0%5D=2&items%5B1%5D%5Bp%5D=3',
    ],
    ['a=1&&b', 'a=1&&b'],
  ] as const) {
    t.equal(formText(value), wanted);
  }
});

t.test('the call of a fixture whose contract takes a form', async (t) => {
  const call = fixtureCall(
    [],
    'POST',
    { body: { a: 1 }, query: { 'e[0]': ['x', 'y'], l: ['x', 'y'] } },
    true,
  );
  if (typeof call === 'string') throw new Error(call);
  t.equal(call.target, '/fixture?e%5B0%5D=x&e%5B1%5D=y&l=x&l=y');
  t.strictSame(call.headers, [['content-type', 'application/x-www-form-urlencoded']]);
  t.equal(String(Buffer.from(call.body ?? [])), 'a=1');
});
