import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { sha256Hex } from '../../src/record/index.js';
import { harness, planOf } from '../support/harness.js';
import { playUpstream } from '../support/tcp-upstream.js';

/** Larger than what is read at once, and than what is hashed without another thread. */
const FILLER = 'x'.repeat(60_000);

function bodyOf(id: number): string {
  const fillers = Array.from({ length: 5 }, (_, i) => `"filler${i}":"${FILLER}${id}"`);
  return `{"id":${id},${fillers.join(',')},"name":"thing ${id}"}`;
}

type Way = 'length' | 'chunked' | 'gzip';

function answerWith(body: string, way: Way): Buffer {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const plain = Buffer.from(body);
  const bytes = way === 'gzip' ? gzipSync(plain) : plain;
  if (way === 'chunked') {
    const framed = `${bytes.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    return Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${framed}`);
  }
  const coding = way === 'gzip' ? 'Content-Encoding: gzip\r\n' : '';
  return Buffer.concat([Buffer.from(`${head}${coding}Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

t.test('large bodies, many at a time: each gives its own result, and its own digest', async (t) => {
  for (const way of ['length', 'chunked', 'gzip'] as const) {
    const upstream = await playUpstream((_, raw) => {
      const id = Number(/^GET \/things\/(\d+)/.exec(raw.toString('latin1'))?.[1]);
      const bytes = answerWith(bodyOf(id), way);
      const half = Math.floor(bytes.length / 2);
      return [{ send: bytes.subarray(0, half) }, { sleep_ms: 2 }, { send: bytes.subarray(half) }];
    });
    const run = harness([planOf({ origin: upstream.url, limits: { ratio: 10_000 } })]);
    for (let round = 0; round < 3; round++) {
      const ids = Array.from({ length: 40 }, (_, i) => 1 + i + round * 40);
      const answers = await Promise.all(
        ids.map((id) =>
          run.pipeline({
            method: 'GET',
            target: `/things/${id}`,
            headers: [],
            body: new Uint8Array(),
            authenticated: true,
          }),
        ),
      );
      for (const [i, answer] of answers.entries()) {
        const { data } = JSON.parse(Buffer.from(answer.body).toString());
        t.strictSame(data, { id: ids[i], name: `thing ${ids[i]}` });
      }
      const digests = run.audit.records.splice(0).map((record) => record.body_sha256);
      t.strictSame(digests.sort(), ids.map((id) => sha256Hex(bodyOf(id))).sort(), `${way}, round ${round}`);
      // The thread that hashes has come up after the first of them.
      await sleep(50);
    }
    await run.close();
    await upstream.close();
  }
});

t.test('a large body that is refused', async (t) => {
  const good = bodyOf(1);
  const cases: readonly (readonly [string, string, number, string | null, 'digest' | 'none'])[] = [
    ['accepted', good, good.length, null, 'digest'],
    ['its last byte', `${good.slice(0, -1)}]`, good.length, 'PRS_SYNTAX', 'none'],
    ['a byte in it', good.replace('"filler3"', 'filler3"'), good.length - 1, 'PRS_SYNTAX', 'none'],
    ['its end, which is missing', good.slice(0, -1), good.length - 1, 'PRS_TRUNCATED', 'digest'],
    ['its schema', good.replace('"name"', '"game"'), good.length, 'CON_NO_ALTERNATIVE', 'digest'],
    ['cut on the way', good.slice(0, 200_000), good.length, 'BYT_TRUNCATED', 'none'],
    ['accepted again', good, good.length, null, 'digest'],
  ];
  for (const [title, body, length, code, digest] of cases) {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const upstream = await playUpstream(() => [{ send: head + body }, { close: true }]);
    const run = harness([planOf({ origin: upstream.url })]);
    for (let i = 0; i < 40; i++) {
      const { record } = await run.call('/things/1');
      t.strictSame(
        [record.operator_code, record.body_sha256],
        [code, digest === 'none' ? null : sha256Hex(body)],
        title,
      );
      // What a call that failed had taken, of the thread that hashes and of the scanner, is free for the next one.
    }
    t.strictSame(run.bugs, []);
    await run.close();
    await upstream.close();
  }
});
