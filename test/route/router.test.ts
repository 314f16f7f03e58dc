import t from 'tap';
import type { PathSegment, RoutePlan } from '../../src/route/index.js';
import { Router } from '../../src/route/router.js';

/** The router looks at four members of a plan only. */
function plan(method: string, mount: string, path: string): RoutePlan {
  const texts = path === '/' ? [] : path.slice(1).split('/');
  const segments: PathSegment[] = texts.map((text) =>
    text.startsWith('{') ? { param: text.slice(1, -1) } : { literal: text },
  );
  return { method, mount, path, segments } as unknown as RoutePlan;
}

t.test('routes by mount, literals and parameters', async (t) => {
  const router = new Router([
    plan('GET', '/github', '/repos/{owner}/{repo}'),
    plan('GET', '/github', '/repos/{owner}/special'),
    plan('POST', '/github', '/repos/{owner}/{repo}'),
    plan('GET', '/github', '/repos/fixed/{name}/deep'),
    plan('GET', '', '/{any}'),
  ]);
  const match = (method: string, path: string) => {
    const found = router.match(method, path.slice(1).split('/'));
    return found && [found.plan.method, found.plan.path, Object.fromEntries(found.params)];
  };
  t.strictSame(match('GET', '/github/repos/o/r'), [
    'GET',
    '/repos/{owner}/{repo}',
    { owner: 'o', repo: 'r' },
  ]);
  t.strictSame(match('GET', '/github/repos/o/special'), ['GET', '/repos/{owner}/special', { owner: 'o' }]);
  t.strictSame(match('POST', '/github/repos/o/special'), [
    'POST',
    '/repos/{owner}/{repo}',
    { owner: 'o', repo: 'special' },
  ]);
  t.strictSame(match('GET', '/github/repos/fixed/r'), [
    'GET',
    '/repos/{owner}/{repo}',
    { owner: 'fixed', repo: 'r' },
  ]);
  t.strictSame(match('GET', '/github/repos/fixed/r/deep'), [
    'GET',
    '/repos/fixed/{name}/deep',
    { name: 'r' },
  ]);
  t.strictSame(match('GET', '/x%2Fy'), ['GET', '/{any}', { any: 'x%2Fy' }]);
  for (const [method, path] of [
    ['GET', '/github/repos/o'],
    ['GET', '/github/repos/o/r/'],
    ['GET', '/github/repos//r'],
    ['DELETE', '/github/repos/o/r'],
    ['GET', '/repos/o/r'],
    ['GET', '/GitHub/repos/o/r'],
    ['GET', '/github/%72epos/o/r'],
    ['GET', '/'],
  ] as const) {
    t.equal(match(method, path), undefined, `${method} ${path}`);
  }
});

t.test('the path / is the mount, with its slash and without', async (t) => {
  const router = new Router([plan('GET', '/a', '/'), plan('GET', '/a', '/b'), plan('HEAD', '', '/')]);
  const match = (method: string, path: string) => router.match(method, path.slice(1).split('/'))?.plan.path;
  t.equal(match('GET', '/a'), '/');
  t.equal(match('GET', '/a/'), '/');
  t.equal(match('GET', '/a/b'), '/b');
  t.equal(match('GET', '/a/b/'), undefined);
  t.equal(match('HEAD', '/'), '/');
  t.equal(match('GET', '/'), undefined);
});

t.test('two routes of one method and shape are a bug of the loader', async (t) => {
  t.throws(() => new Router([plan('GET', '', '/{a}'), plan('GET', '', '/{b}')]), /two routes for GET/);
});
