import t from 'tap';
import { agentTokenCheck, challengeOf } from '../../src/server/agent-token.js';

const BEARER = [{ header: 'authorization', scheme: 'bearer' }];
const bearerCheck = (token: string | undefined) => agentTokenCheck(token, BEARER);

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

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

t.test('the carriers of the configuration, and no other', async (t) => {
  const check = agentTokenCheck(TOKEN, [
    { header: 'authorization', scheme: 'token' },
    { header: 'authorization', scheme: 'basic' },
    { header: 'private-token', scheme: undefined },
  ]);
  const cases: [string, [string, string][], boolean][] = [
    ['a scheme', [['Authorization', `token ${TOKEN}`]], true],
    ['a scheme in capitals', [['Authorization', `TOKEN  ${TOKEN}`]], true],
    ['the default scheme is none of them', [['Authorization', `Bearer ${TOKEN}`]], false],
    ['the token alone where a scheme belongs', [['Authorization', TOKEN]], false],
    ['a header of its own', [['PRIVATE-TOKEN', TOKEN]], true],
    ['spaces behind it', [['private-token', `${TOKEN} `]], true],
    ['a scheme where none belongs', [['private-token', `token ${TOKEN}`]], false],
    ['a prefix', [['private-token', TOKEN.slice(1)]], false],
    ['empty', [['private-token', '']], false],
    ['Basic, as password', [['authorization', basic(`agent@example.org:${TOKEN}`)]], true],
    ['Basic, as user without password', [['authorization', basic(`${TOKEN}:`)]], true],
    ['Basic, as user with a password', [['authorization', basic(`${TOKEN}:x`)]], false],
    ['Basic, without colon', [['authorization', basic(TOKEN)]], false],
    ['Basic, another password', [['authorization', basic(`agent:${TOKEN}x`)]], false],
    ['Basic, empty', [['authorization', 'Basic ']], false],
    ['Basic, the token as it is', [['authorization', `Basic ${TOKEN}`]], false],
    [
      'two carriers, both right',
      [
        ['authorization', `token ${TOKEN}`],
        ['private-token', TOKEN],
      ],
      false,
    ],
    [
      'a header of the same length beside it',
      [
        ['x-private-tok', TOKEN],
        ['private-token', TOKEN],
      ],
      true,
    ],
  ];
  for (const [name, headers, pass] of cases) t.equal(check(headers), pass, name);
});

t.test('a 401 names what would do', async (t) => {
  t.equal(challengeOf(BEARER), 'Bearer');
  const some = [
    { header: 'authorization', scheme: 'token' },
    { header: 'authorization', scheme: 'basic' },
    { header: 'x-api-key', scheme: undefined },
    { header: 'proxy', scheme: 'token' },
  ];
  t.equal(challengeOf(some), 'Token, Basic, X-api-key');
});
