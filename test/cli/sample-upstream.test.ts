import t from 'tap';
import { takenPort } from '../server/held-upstream.js';
import { assay, start } from './assay.js';

t.test('it answers the paths of the demo until SIGTERM', async (t) => {
  const upstream = start(['sample-upstream', '--listen', '127.0.0.1:0'], process.cwd());
  t.teardown(() => upstream.child.kill('SIGKILL'));
  await upstream.shows('\n');
  const url = /http:\S+/.exec(upstream.out())?.[0] ?? '';
  const review = await fetch(`${url}/repos/octocat/hello-world/pulls/1347/reviews/80`);
  t.equal(review.status, 200);
  t.match(await review.json(), { id: 80, state: 'APPROVED' });
  t.equal((await fetch(`${url}/nothing`)).status, 404);
  upstream.child.kill('SIGTERM');
  t.equal(await upstream.ended, 0);
  t.equal(upstream.err(), '');
});

t.test('an address that is none, and one that is taken', async (t) => {
  for (const listen of ['9000', ':9000', '127.0.0.1', '127.0.0.1:65536', '127.0.0.1:9000/x']) {
    t.match(await assay(['sample-upstream', '--listen', listen]), { exit: 'USAGE', out: '' }, listen);
  }
  const taken = await assay(['sample-upstream', '--listen', `127.0.0.1:${await takenPort(t)}`]);
  t.match(taken, { exit: 'RUNTIME', out: '', err: 'EADDRINUSE' });
});
