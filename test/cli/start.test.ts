import t from 'tap';
import { start } from '../../src/cli/start.js';
import { takenPort } from '../server/held-upstream.js';
import { planOf } from '../support/harness.js';
import { settingsOf } from '../support/settings.js';

t.test("a port of an upstream's own listener that is taken: which key to change", async (t) => {
  const port = await takenPort(t);
  const plans = [planOf({ origin: 'http://127.0.0.1:9' })];
  const settings = settingsOf(plans);
  const own = { endpoint: { host: '127.0.0.1', port }, upstream: 'shop', routes: plans, mounts: [] };
  let shown = '';
  const io = {
    out: () => {},
    err: (text: string) => {
      shown += text;
    },
    env: {},
    columns: undefined,
    color: { out: false, err: false },
  };
  const running = await start({ ...settings, listeners: [...settings.listeners, own] }, { proven: true }, io);
  t.equal(running, undefined);
  t.equal(
    shown,
    `assay: cannot listen on 127.0.0.1:${port}: the port is in use by another process (EADDRINUSE)\n  = change upstreams.shop.listen in the configuration, or free what holds it\n`,
  );
});
