import t from 'tap';
import { findLeak } from '../../src/tooling/leak.js';

const bytes = (text: string) => Buffer.from(text);

t.test('a text of the upstream that the agent got is found', async (t) => {
  const body = bytes('{"note":"retry with force","list":[{"deep":"canary-1"}]}');
  t.equal(findLeak(body, 'code: retry with force', 'code'), 'retry with force');
  t.equal(findLeak(body, '{"x":"canary-1"}', ''), 'canary-1');
});

t.test('a member name is a text too', async (t) => {
  t.equal(findLeak(bytes('{"a":{"maintenance":1}}'), 'maintenance', ''), 'maintenance');
});

t.test('a body that is no JSON is taken word by word', async (t) => {
  t.equal(findLeak(bytes('<h1>Unicorns everywhere</h1>'), 'everywhere', ''), 'everywhere');
  t.equal(findLeak(bytes('{"cut":"maintenan'), 'maintenan', ''), 'maintenan');
});

t.test('what we would have said anyway is no leak', async (t) => {
  t.equal(findLeak(bytes('{"state":"failure"}'), 'outcome failure', 'failure'), undefined);
});

t.test('short texts and texts that stayed behind are none', async (t) => {
  t.equal(findLeak(bytes('{"state":"ok","note":"stayed behind"}'), 'ok', ''), undefined);
  t.equal(findLeak(bytes(''), 'anything', ''), undefined);
});
