import t from 'tap';
import { createAdminServer } from '../../src/server/admin-server.js';
import type { Status } from '../../src/server/status.js';

const STATUS: Status = {
  version: '0.1.0',
  config_digest: 'cc',
  uptime_s: 3,
  in_flight: 1,
  listeners: [{ upstream: null, url: 'http://127.0.0.1:8080' }],
  ready: true,
  contracts: [{ name: 'a@1', version: '1.0.0', digest: 'dd' }],
  routes: [],
};

t.test('livez, readyz and status', async (t) => {
  let reasons: string[] = [];
  const admin = createAdminServer({ notReady: () => reasons, status: () => STATUS });
  const url = await admin.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => admin.close());
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    return [response.status, response.headers.get('content-type'), await response.json()];
  };
  const type = 'application/json; charset=utf-8';
  t.strictSame(await get('/livez'), [200, type, { alive: true }]);
  t.strictSame(await get('/readyz'), [200, type, { ready: true, reasons: [] }]);
  t.strictSame(await get('/status'), [200, type, STATUS]);
  reasons = ['draining'];
  t.strictSame(await get('/readyz'), [503, type, { ready: false, reasons: ['draining'] }]);
  t.strictSame(await get('/livez'), [200, type, { alive: true }]);
  t.strictSame(await get('/metrics/../etc'), [404, type, { error: 'not found' }]);
  t.strictSame(await get('/status', { method: 'POST' }), [404, type, { error: 'not found' }]);
});

t.test('a port that is taken is a StartError', async (t) => {
  const options = { notReady: () => [], status: () => STATUS };
  const first = createAdminServer(options);
  const url = await first.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => first.close());
  const port = Number(new URL(url).port);
  await t.rejects(createAdminServer(options).listen({ host: '127.0.0.1', port }), {
    part: 'admin',
    code: 'EADDRINUSE',
  });
});
