import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings, type Settings } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { HOME } from './as-shown.js';

const folder = t.testdir({});
let count = 0;

async function load(upstream: string, route = '', method = 'GET'): Promise<Settings> {
  const file = join(folder, `${count++}.yaml`);
  const text = `version: 1
upstreams:
  api: { base_url: "http://127.0.0.1:4000"${upstream} }
routes:
  - { tool: item_status, upstream: api, method: ${method}, path: "/items/{id}", contract: item_status@1${route} }
`;
  writeFileSync(file, text);
  const result = await loadSettings(file, {}, { cwd: HOME, secretsFolder: '/nowhere' });
  if ('settings' in result) return result.settings;
  throw new Error(result.diagnostics.map(formatDiagnostic).join('\n'));
}

const planOf = async (...written: Parameters<typeof load>) => {
  const [plan] = (await load(...written)).routes;
  if (plan === undefined) throw new Error('no route');
  return plan;
};

t.test('without a word: one attempt, no key, no breaker', async (t) => {
  const { retry, upstream, readOnly } = await planOf('');
  t.strictSame(retry, {
    attempts: 1,
    withinMs: 10_000,
    on: new Set(['connect', 'timeout', 502, 503, 504]),
    backoff: { baseMs: 100, capMs: 2_000 },
  });
  t.strictSame([upstream.breaker, upstream.idleMs, readOnly], [undefined, 4_000, undefined]);
});

t.test('every key', async (t) => {
  const plan = await planOf(
    ', retry: { attempts: 3 }, breaker: { failures: 5, open: 10s }, limits: { idle: 9s, interim_responses: 3 }',
    ', read_only: true, limits: { retry_after: 2m }, retry: { attempts: 2, within: 4s, on: [429, invalid_response, unavailable], backoff: 50ms, backoff_max: 1s, idempotency_key: x-key }',
    'POST',
  );
  t.strictSame(plan.retry, {
    attempts: 2,
    withinMs: 4_000,
    on: new Set([429, 'invalid_response', 'unavailable']),
    backoff: { baseMs: 50, capMs: 1_000 },
    idempotencyKey: 'x-key',
  });
  t.strictSame(plan.upstream.breaker, { failures: 5, openMs: 10_000 });
  t.strictSame([plan.upstream.idleMs, plan.readOnly], [9_000, true]);
  t.strictSame([plan.limits.interimResponses, plan.limits.retryAfterMs], [3, 120_000]);
});

t.test('defaults that follow from others', async (t) => {
  t.strictSame((await planOf(', retry: { attempts: 2, backoff: 5s }')).retry.backoff, {
    baseMs: 5_000,
    capMs: 5_000,
  });
  t.strictSame((await planOf(', breaker: { failures: 1 }')).upstream.breaker, {
    failures: 1,
    openMs: 30_000,
  });
});

t.test("an upstream's retry is for whatever routes it helps", async (t) => {
  t.equal((await planOf(', retry: { attempts: 2 }', '', 'DELETE')).retry.attempts, 2);
  t.equal((await planOf('', ', retry: { attempts: 1 }', 'DELETE')).retry.attempts, 1);
});
