import t from 'tap';
import { BUILT_IN_PROFILES, ENVELOPE_PROFILE, type FailureProfile } from '../../src/envelope/index.js';
import { type Mount, mountAt } from '../../src/route/index.js';
import { harness, planOf } from '../support/harness.js';

const GITHUB = BUILT_IN_PROFILES.get('github') as FailureProfile;
const SLACK = BUILT_IN_PROFILES.get('slack') as FailureProfile;

const mount = (path: string, profile: FailureProfile): Mount => ({ path, profile, statuses: {} });

t.test('the mount of a target, as it stands on the wire', async (t) => {
  const mounts = [mount('/a', GITHUB), mount('/b/c', SLACK)];
  const cases: [string, string | undefined][] = [
    ['/a', '/a'],
    ['/a/', '/a'],
    ['/a?x=/b/c', '/a'],
    ['/a/../b/c/x', '/a'],
    ['/a/%zz', '/a'],
    ['/ab', undefined],
    ['/A/x', undefined],
    ['/b', undefined],
    ['/b/c/d', '/b/c'],
    ['', undefined],
    ['*', undefined],
    ['http://host/a/x', undefined],
  ];
  for (const [target, path] of cases) t.equal(mountAt(mounts, target)?.path, path, target);
  const root = [mount('', GITHUB)];
  for (const target of ['/', '', '*', '/x', 'http://host/a'])
    t.equal(mountAt(root, target)?.path, '', target);
});

t.test('a call that no route takes is answered as the clients of its mount expect', async (t) => {
  const upstream = { origin: 'http://127.0.0.1:9' };
  const plans = [planOf({ ...upstream, mount: '/a' })];
  const answerHeaders = { 'x-vendor': 'V' };
  const mounts = [
    { ...mount('/a', GITHUB), statuses: { INVALID_REQUEST: 418 }, answerHeaders },
    mount('/s', SLACK),
    mount('/e', ENVELOPE_PROFILE),
  ];
  const { call, close } = harness(plans, {}, mounts);
  t.teardown(close);
  const shown = async (target: string, options: Parameters<typeof call>[1] = {}) => {
    const { answer, record } = await call(target, options);
    const body = answer.body.replaceAll(/req\.test\d+/g, 'ID');
    return [record.operator_code, answer.status, body, answer.headers['x-vendor'] ?? null];
  };
  const github = (code: string, retryable = false) =>
    `{"message":"${code}","retryable":${retryable},"request_id":"ID"}`;
  t.strictSame(await shown('/a/none'), ['REQ_NO_ROUTE', 418, github('INVALID_REQUEST'), 'V']);
  t.strictSame(await shown('/a/things/..'), ['REQ_PATH_UNSAFE', 418, github('INVALID_REQUEST'), 'V']);
  t.strictSame(await shown(`/a/${'x'.repeat(5_000)}`), [
    'REQ_PATH_TOO_LONG',
    418,
    github('INVALID_REQUEST'),
    'V',
  ]);
  t.strictSame(await shown('/a/things/1', { authenticated: false }), [
    'REQ_UNAUTHENTICATED',
    401,
    github('DENIED'),
    'V',
  ]);
  t.strictSame(await shown('/a/things/1', { shed: true }), [
    'OVERLOADED',
    503,
    github('OVERLOADED', true),
    'V',
  ]);
  t.strictSame(await shown('/s/api/x'), [
    'REQ_NO_ROUTE',
    200,
    '{"ok":false,"error":"INVALID_REQUEST"}',
    null,
  ]);
  t.match((await shown('/e/x'))[2], '"outcome":"failure"');
  t.match((await shown('/none'))[2], '{"tool":null,"request_id":"ID","outcome":"failure"');
});
