import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import { loadContract, loadSettings } from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import type { AuditRecord } from '../../src/record/index.js';
import { startServer } from '../../src/server/index.js';
import { formatVerdict, proveContract } from '../../src/tooling/index.js';
import { listen, playUpstream } from '../support/tcp-upstream.js';

// docs/calls.md, as it stands: its files are written down, its upstream and a sidecar are started, and its calls are made.

const page = readFileSync('docs/calls.md', 'utf8');

/** The files that the page tells to write: a path in backticks at the start of a line, then a fence with its text. */
function filesOf(markdown: string): [path: string, text: string][] {
  return [...markdown.matchAll(/^`(try\/[^`]+)`[^\n]*\n\n```\w+\n([\s\S]*?)^```/gm)].map(
    ([, path = '', text = '']) => [path, text],
  );
}

interface Shown {
  readonly url: string;
  readonly type: string | undefined;
  readonly body: string | undefined;
}

/** Each fence of curl commands, with the JSON that is shown of the last one. */
function examplesOf(
  markdown: string,
): { readonly calls: Shown[]; readonly answer: Record<string, unknown> }[] {
  return [...markdown.matchAll(/^```sh\n(curl [\s\S]*?)^```\n\n```json\n([\s\S]*?)^```/gm)].map(
    ([, commands = '', answer = '']) => ({
      calls: commands
        .trim()
        .split('\n')
        .map((line) => {
          const [, url, option, body] = /^curl -s (\S+)(?: (-d|--json) '(.*)')?$/.exec(line) ?? [];
          if (url === undefined) throw new Error(`not a call this test can make: ${line}`);
          const type = option === '-d' ? 'application/x-www-form-urlencoded' : 'application/json';
          return { url, type: option === undefined ? undefined : type, body };
        }),
      answer: JSON.parse(answer) as Record<string, unknown>,
    }),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

t.test('docs/calls.md', async (t) => {
  const root = t.testdir();
  const files = filesOf(page);
  t.equal(files.length, 8);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const tool of ['create_charge', 'search_charges']) {
    const loaded = loadContract(join(root, `try/schemas/${tool}/1`));
    if (!('source' in loaded)) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
    const proof = await proveContract(loaded);
    t.strictSame([proof.failed.map(formatVerdict), proof.passed], [[], 2]);
  }

  const port = await freePort();
  const upstream = spawn(process.execPath, [join(root, 'try/upstream.mjs')], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  t.teardown(() => upstream.kill());
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const env = { PAY_URL: `http://127.0.0.1:${port}/v1` };
  const loaded = await loadSettings(join(root, 'try/assay.yaml'), env, { cwd: root });
  if (!('settings' in loaded)) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
  const { settings } = loaded;
  const silent = { ...settings, server: { ...settings.server, log: { level: 'silent' as const } } };
  const records: AuditRecord[] = [];
  const server = await startServer(silent, {
    proven: true,
    freePorts: true,
    onRecord: (record) => void records.push(record),
  });
  t.teardown(() => server.close());

  const ask = async ({ url, type, body }: Shown) => {
    const { host, pathname } = new URL(url);
    const base = host === '127.0.0.1:8080' ? server.agentUrl : (server.adminUrl ?? '');
    const response = await fetch(new URL(pathname, base), {
      ...(body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': type ?? '' } }),
    });
    return { headers: response.headers, value: (await response.json()) as Record<string, unknown> };
  };

  const examples = examplesOf(page);
  t.equal(examples.length, 7);
  const waits: (string | null)[] = [];
  for (const { calls, answer } of examples) {
    let last: Awaited<ReturnType<typeof ask>> | undefined;
    for (const call of calls) last = await ask(call);
    const { request_id: shownId, ...shown } = answer;
    const { request_id: id, ...told } = last?.value ?? {};
    if ('breakers' in shown) t.strictSame({ breakers: told.breakers }, shown);
    else t.strictSame(told, shown);
    waits.push(last?.headers.get('retry-after') ?? null);
  }
  t.strictSame(
    records.map(({ attempts }) => attempts.map(({ status }) => status)),
    [[503, 200], [502], [], [503, 429], [500], [500], [500], []],
    'what reached the upstream',
  );
  t.equal(waits[3], '120');
  t.equal(records.at(-1)?.operator_code, 'UPS_CIRCUIT_OPEN');
});

t.test(
  'on the wire: the same bytes in every attempt, and nothing of the agent but what was validated',
  async (t) => {
    const root = t.testdir();
    for (const [path, text] of filesOf(page)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const done = '{"id":"ch_5","amount":250}';
    const upstream = await playUpstream((n) => [
      n < 2
        ? { send: 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n' }
        : {
            send: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${done.length}\r\n\r\n${done}`,
          },
    ]);
    t.teardown(() => upstream.close());
    const env = { PAY_URL: `${upstream.url}/v1` };
    const loaded = await loadSettings(join(root, 'try/assay.yaml'), env, { cwd: root });
    if (!('settings' in loaded)) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
    const { settings } = loaded;
    const silent = { ...settings, server: { ...settings.server, log: { level: 'silent' as const } } };
    const server = await startServer(silent, { proven: true, freePorts: true });
    t.teardown(() => server.close());
    const response = await fetch(new URL('/pay/charges', server.agentUrl), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': 'mine',
        authorization: 'Bearer of-the-agent',
        cookie: 'a=b',
      },
      body: 'expand%5b0%5d=a+b&amount=250&metadata[order_id]=%e2%82%ac',
    });
    t.match(await response.json(), { outcome: 'success', data: { charge: 'ch_5' } });
    const [first, second, third, ...more] = upstream.requests.map((raw) => raw.toString('latin1'));
    t.strictSame([second, third, more], [first, first, []]);
    const [head = '', body] = (first ?? '').split('\r\n\r\n');
    t.equal(body, 'expand%5B0%5D=a%20b&amount=250&metadata%5Border_id%5D=%E2%82%AC');
    t.strictSame(
      head
        .split('\r\n')
        .map((line) => line.replace(/: .*/, '').toLowerCase())
        .sort(),
      [
        'accept',
        'accept-encoding',
        'connection',
        'content-length',
        'content-type',
        'host',
        'idempotency-key',
        'post /v1/charges http/1.1',
        'user-agent',
      ],
    );
    t.match(head, /\r\nidempotency-key: [0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\r\n/i);
  },
);
