import t from 'tap';
import { bearerCheck } from '../../src/server/bearer.js';

const TOKEN = 'abc.DEF-123_~+/==';

t.test('without a configured token every call passes', async (t) => {
  t.equal(bearerCheck(undefined)([]), true);
});

t.test('only the configured token, on one line, passes', async (t) => {
  const check = bearerCheck(TOKEN);
  const cases: [string, [string, string][], boolean][] = [
    ['the token', [['Authorization', `Bearer ${TOKEN}`]], true],
    ['names and scheme have no case', [['aUTHORIZATION', `bEARER ${TOKEN}`]], true],
    ['more than one space', [['authorization', `Bearer   ${TOKEN} `]], true],
    ['none', [['accept', '*/*']], false],
    ['empty', [['authorization', '']], false],
    ['scheme alone', [['authorization', 'Bearer']], false],
    ['scheme and space', [['authorization', 'Bearer ']], false],
    ['another scheme', [['authorization', `Basic ${TOKEN}`]], false],
    ['the token alone', [['authorization', TOKEN]], false],
    ['a prefix', [['authorization', `Bearer ${TOKEN.slice(0, -1)}`]], false],
    ['longer', [['authorization', `Bearer ${TOKEN}=`]], false],
    ['another case', [['authorization', `Bearer ${TOKEN.toUpperCase()}`]], false],
    ['two words', [['authorization', `Bearer x ${TOKEN}`]], false],
    ['another header', [['x-authorization', `Bearer ${TOKEN}`]], false],
    [
      'twice',
      [
        ['authorization', `Bearer ${TOKEN}`],
        ['Authorization', `Bearer ${TOKEN}`],
      ],
      false,
    ],
  ];
  for (const [name, headers, pass] of cases) t.equal(check(headers), pass, name);
});

t.test('a token that is no token68 never passes for an empty one', async (t) => {
  t.equal(bearerCheck('')([['authorization', 'Bearer ']]), false);
  t.equal(bearerCheck('')([]), false);
});
