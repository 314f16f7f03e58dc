import t from 'tap';
import type { ListenerSettings, Settings } from '../../src/config/index.js';
import { BUILT_IN_PROFILES, type FailureProfile } from '../../src/envelope/index.js';
import type { AuditRecord } from '../../src/record/index.js';
import { createLogger } from '../../src/server/log.js';
import { startServer } from '../../src/server/serve.js';
import { type PlanOptions, planOf } from '../support/harness.js';
import { settingsOf } from '../support/settings.js';
import { heldUpstream, release, takenPort } from './held-upstream.js';
import { exchange, parseAnswer, portOf } from './wire.js';

const GOOD = '{"id":1,"name":"a"}';
const FREE = { host: '127.0.0.1', port: 0 };
const get = (path: string, ...lines: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: h', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`;

const profileOf = (name: string) => BUILT_IN_PROFILES.get(name) as FailureProfile;

/** A route of the upstream `name`, and the listener that is its own. */
function apart(name: string, profile: string, options: PlanOptions, endpoint = FREE): ListenerSettings {
  const plan = planOf({ ...options, profile: profileOf(profile), upstream: { name } });
  const mount = { path: plan.mount, profile: plan.profile, statuses: {} };
  return { endpoint, upstream: name, routes: [plan], mounts: [mount] };
}

function withListeners(
  shared: ListenerSettings['routes'],
  own: readonly ListenerSettings[],
  server: Partial<Settings['server']> = {},
): Settings {
  const settings = settingsOf(shared, server);
  return {
    ...settings,
    routes: [...shared, ...own.flatMap(({ routes }) => routes)],
    listeners: [...settings.listeners, ...own],
  };
}

t.test('each listener has its own routes, its own failures, and the same token', async (t) => {
  const upstream = await heldUpstream(t);
  const origin = upstream.url;
  const records: AuditRecord[] = [];
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const settings = withListeners(
    [planOf({ origin, mount: '/m' })],
    [apart('shop', 'stripe', { origin }), apart('chat', 'slack', { origin, path: '/api/{id}' })],
    { bearer: 'agent' },
  );
  const server = await startServer(settings, {
    proven: true,
    logger,
    onRecord: (r) => void records.push(r),
  });
  t.teardown(() => server.close());
  const [shop = '', chat = ''] = ['shop', 'chat'].map((name) => server.ownUrls.get(name));
  t.equal(new Set([server.agentUrl, shop, chat]).size, 3);
  const token = 'Authorization: Bearer agent';

  for (const [url, path] of [
    [server.agentUrl, '/m/things/1'],
    [shop, '/things/1'],
    [chat, '/api/1'],
  ] as const) {
    const call = exchange(url, get(path, token));
    release(await upstream.asked(), GOOD);
    t.equal(parseAnswer(await call).status, 200, path);
  }
  t.strictSame(
    records.map((r) => [r.operator_code, r.route?.path]),
    [
      [null, '/m/things/{id}'],
      [null, '/things/{id}'],
      [null, '/api/{id}'],
    ],
  );

  records.length = 0;
  const answers = await Promise.all([
    exchange(server.agentUrl, get('/things/1', token)),
    exchange(shop, get('/m/things/1', token)),
    exchange(shop, get('/api/1', token)),
    exchange(chat, get('/things/1', token)),
    exchange(shop, get('/things/1')),
    exchange(shop, get('/a/../b', token)),
    exchange(chat, 'nonsense\r\n\r\n'),
    exchange(shop, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'),
  ]);
  const stripe = (code: string) => `{"error":{"type":"api_error","code":"${code}","message":"${code}"}}`;
  t.strictSame(
    answers
      .map((text) => parseAnswer(text))
      .map(({ status, body }) => [status, body.replace(/req\.\w+/, 'ID')]),
    [
      [
        404,
        '{"tool":null,"request_id":"ID","outcome":"failure","error":{"code":"INVALID_REQUEST","retryable":false}}',
      ],
      [404, stripe('INVALID_REQUEST')],
      [404, stripe('INVALID_REQUEST')],
      [200, '{"ok":false,"error":"INVALID_REQUEST"}'],
      [401, stripe('DENIED')],
      [400, stripe('INVALID_REQUEST')],
      [200, '{"ok":false,"error":"INVALID_REQUEST"}'],
      [400, stripe('INVALID_REQUEST')],
    ],
  );
  t.equal(records.length, 6, 'what is no call has no record');

  const status = (await (await fetch(`${server.adminUrl}/status`)).json()) as Record<string, unknown>;
  t.strictSame(status.listeners, [
    { upstream: null, url: server.agentUrl },
    { upstream: 'shop', url: shop },
    { upstream: 'chat', url: chat },
  ]);
  t.match(lines[0], {
    msg: 'listening',
    agent: server.agentUrl,
    own_listeners: { shop, chat },
    routes: 3,
  });
});

t.test('calls in flight are counted over all listeners', async (t) => {
  const upstream = await heldUpstream(t);
  const origin = upstream.url;
  const { pressure } = settingsOf([]).server;
  const settings = withListeners([planOf({ origin })], [apart('shop', 'stripe', { origin })], {
    pressure: { ...pressure, inFlight: 1 },
  });
  const server = await startServer(settings, { proven: true });
  t.teardown(() => server.close());
  const shop = server.ownUrls.get('shop') ?? '';
  const call = exchange(shop, get('/things/1'));
  const held = await upstream.asked();
  const status = await (await fetch(`${server.adminUrl}/status`)).json();
  t.match(status, { in_flight: 1 });
  const shed = parseAnswer(await exchange(server.agentUrl, get('/things/1')));
  t.strictSame([shed.status, JSON.parse(shed.body).error.code], [503, 'OVERLOADED']);
  release(held, GOOD);
  t.equal(parseAnswer(await call).status, 200);
  const next = exchange(server.agentUrl, get('/things/1'));
  release(await upstream.asked(), GOOD);
  t.equal(parseAnswer(await next).status, 200);
});

t.test('close drains every listener', async (t) => {
  const upstream = await heldUpstream(t);
  const origin = upstream.url;
  const settings = withListeners([planOf({ origin })], [apart('shop', 'stripe', { origin })]);
  const server = await startServer(settings, { proven: true });
  const shop = server.ownUrls.get('shop') ?? '';
  const call = exchange(shop, get('/things/1'));
  const held = await upstream.asked();
  const closed = server.close();
  for (const url of [shop, server.agentUrl]) {
    await t.rejects(exchange(url, get('/things/1')), { code: 'ECONNREFUSED' });
  }
  release(held, GOOD);
  t.equal(parseAnswer(await call).status, 200);
  t.equal(await closed, true);
});

t.test('a port that is taken: whose it is, and nothing is left open', async (t) => {
  const upstream = await heldUpstream(t);
  const origin = upstream.url;
  const port = await takenPort(t);
  const free = await startServer(settingsOf([planOf({ origin })]), { proven: true });
  const listen = { host: '127.0.0.1', port: portOf(free.agentUrl) };
  await free.close();
  const endpoint = { host: '127.0.0.1', port };
  const own = [apart('shop', 'stripe', { origin }, endpoint)];
  const settings = withListeners([planOf({ origin })], own, { listen });
  await t.rejects(startServer(settings, { proven: true }), {
    name: 'StartError',
    part: 'agent',
    upstream: 'shop',
    code: 'EADDRINUSE',
    place: `127.0.0.1:${port}`,
  });
  const again = await startServer(settingsOf([planOf({ origin })], { listen }), { proven: true });
  t.equal(portOf(again.agentUrl), listen.port, 'the other listener was closed');
  await again.close();
  const moved = await startServer(settings, { proven: true, freePorts: true });
  t.not(portOf(moved.ownUrls.get('shop') ?? ''), port);
  await moved.close();
});
