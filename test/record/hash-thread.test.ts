import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { HashThread, type ThreadedHash } from '../../src/record/hash-thread.js';
import { sha256Hex } from '../../src/record/index.js';

const SLOT = 65_536;

/** A body of a thread that has come up. */
async function opened(thread: HashThread): Promise<ThreadedHash> {
  for (let i = 0; i < 1_000; i++) {
    const body = thread.open();
    if (body !== undefined) return body;
    await sleep(10);
  }
  throw new Error('the thread did not come up');
}

/** A thread that is there and does something else. */
function doing(code: string): URL {
  const head =
    "import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage('ready');";
  return new URL(`data:text/javascript,${encodeURIComponent(head + code)}`);
}

t.test('the digest of a body, whatever its size and pieces', async (t) => {
  const thread = new HashThread();
  t.equal(thread.open(), undefined, 'not there yet');
  for (const size of [0, 1, SLOT - 1, SLOT, SLOT + 1, 3 * SLOT, 10 * SLOT + 7]) {
    const bytes = randomBytes(size);
    for (const piece of [1_000, SLOT, size + 1]) {
      const body = await opened(thread);
      for (let at = 0; at < size; at += piece) {
        const memory = Buffer.from(bytes.subarray(at, at + piece));
        body.update(memory);
        memory.fill(0);
      }
      const hex = body.hex();
      t.equal(typeof hex === 'string', size <= SLOT, 'what fits into a slot is hashed here');
      t.equal(await hex, sha256Hex(bytes), `${size} bytes in pieces of ${piece}`);
    }
  }
});

t.test('property: many bodies at a time, and some that nobody wants any more', async () => {
  const thread = new HashThread();
  (await opened(thread)).abandon();
  const body = fc.record({
    size: fc.nat(600_000),
    piece: fc.integer({ min: 1_000, max: 90_000 }),
    abandonAt: fc.nat(1_200_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 32 }), fc.nat(255), async (bodies, seed) => {
      const open = bodies.map(({ size, piece, abandonAt }, index) => {
        const hash = thread.open();
        if (hash === undefined) throw new Error('it takes 32');
        const bytes = Buffer.alloc(size, `${seed} ${index} of them`);
        return { hash, bytes, piece, abandonAt, at: 0, outcome: undefined as Promise<string> | undefined };
      });
      // A piece of each in turn.
      for (let left = open; left.length > 0; ) {
        for (const one of left) {
          if (one.at > one.abandonAt) {
            one.hash.abandon();
            one.outcome = Promise.resolve('abandoned');
          } else if (one.at >= one.bytes.length) {
            one.outcome = Promise.resolve(one.hash.hex());
          } else {
            one.hash.update(one.bytes.subarray(one.at, one.at + one.piece));
            one.at += one.piece;
          }
        }
        left = left.filter(({ outcome }) => outcome === undefined);
      }
      for (const { outcome, bytes } of open) {
        const hex = await outcome;
        if (hex !== 'abandoned' && hex !== sha256Hex(bytes)) return false;
      }
      return true;
    }),
    { numRuns: 30, seed: 20_261_201 },
  );
});

t.test('it takes 32 bodies at a time', async (t) => {
  const thread = new HashThread();
  const bodies = [await opened(thread)];
  for (let i = 1; i < 32; i++) bodies.push(await opened(thread));
  // Each has a slot that is not full; what follows goes round through the others.
  for (const body of bodies) body.update(Buffer.alloc(1_000, 'a'));
  t.equal(thread.open(), undefined);
  for (const body of bodies) body.update(Buffer.alloc(5 * SLOT, 'a'));
  const wanted = sha256Hex(Buffer.alloc(5 * SLOT + 1_000, 'a'));
  for (const body of bodies) t.equal(await body.hex(), wanted);
  t.ok(thread.open());
});

t.test('a thread that fails takes its digests along, and none comes after it', async (t) => {
  for (const end of [
    "setTimeout(() => { throw new Error('bug') }, 20)",
    'setTimeout(() => process.exit(), 20)',
  ]) {
    const thread = new HashThread(doing(end));
    const body = await opened(thread);
    const later = await opened(thread);
    body.update(Buffer.alloc(2 * SLOT));
    await t.rejects(Promise.resolve(body.hex()));
    t.equal(thread.open(), undefined);
    later.update(Buffer.alloc(2 * SLOT));
    await t.rejects(Promise.resolve(later.hex()), { message: 'the thread that hashes has failed' });
  }
});

t.test('a thread that does not answer is waited for, and not for ever', async (t) => {
  const thread = new HashThread(doing('setInterval(() => undefined, 1_000)'), 20);
  const body = await opened(thread);
  t.throws(() => body.update(Buffer.alloc(100 * SLOT)), {
    message: 'the thread that hashes does not answer',
  });
});
