import { Socket } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { Wire, type WireUser } from '../../src/upstream/wire.js';
import { answered, read, setUp } from '../support/upstream-client.js';

/** A connection whose bytes are put in by hand, into memory that is overwritten after each time, as a socket does it. */
class HandFed {
  readonly socket = new Socket();
  readonly wire = new Wire();
  readonly memory = Buffer.alloc(16);
  readonly given: Buffer[] = [];
  readonly texts: string[] = [];
  readonly asked: number[] = [];
  isReading = true;
  /** What the parser does with a chunk: how much of it it gives back, and stops; undefined: nothing. */
  giveBack: (chunk: Buffer) => number | undefined = () => undefined;
  stopped = false;

  constructor() {
    this.wire.watch(this.socket);
    const user: WireUser = {
      beforeRead: (taken) => this.asked.push(taken),
      onRead: () => undefined,
      isReading: true,
    };
    Object.defineProperty(user, 'isReading', { get: () => this.isReading });
    this.wire.user = user;
    this.socket.on('readable', () => this.readMore());
  }

  readMore(): void {
    while (!this.stopped) {
      const chunk = this.socket.read() as Buffer | null;
      if (chunk === null) return;
      const back = this.giveBack(chunk);
      const taken = chunk.subarray(0, chunk.length - (back ?? 0));
      this.given.push(chunk);
      this.texts.push(taken.toString());
      if (back === undefined) continue;
      this.stopped = true;
      this.socket.unshift(chunk.subarray(taken.length));
    }
  }

  resume(): void {
    this.stopped = false;
    this.readMore();
  }

  put(text: string): boolean {
    const length = this.memory.write(text);
    const more = this.wire.onBytes(this.socket, this.memory.subarray(0, length));
    this.memory.fill('?');
    return more;
  }
}

t.test('a reader gets the bytes where they were read, and they are overwritten after it', async (t) => {
  const one = new HandFed();
  t.equal(one.put('abc'), true);
  t.equal(one.put('def'), true);
  t.strictSame(one.texts, ['abc', 'def']);
  t.equal(one.given[0]?.buffer, one.memory.buffer);
  t.equal(one.given[1]?.buffer, one.memory.buffer);
  t.equal(one.wire.taken, 6);
});

t.test('what nobody reads yet may be kept', async (t) => {
  const one = new HandFed();
  one.isReading = false;
  t.equal(one.put('abc'), true);
  t.strictSame(one.texts, ['abc']);
  t.equal(one.given[0]?.toString(), 'abc');
});

t.test('what the parser gives back, or does not ask for, is kept until it does', async (t) => {
  const one = new HandFed();
  one.giveBack = () => 2;
  t.equal(one.put('abcd'), false, 'no more for now');
  t.equal(one.wire.taken, 2);
  t.equal(one.put('ef'), false, 'what was on its way all the same');
  t.strictSame(one.texts, ['ab']);
  one.giveBack = (chunk) => (chunk.toString() === 'cd' ? 0 : undefined);
  one.resume();
  t.strictSame(one.texts, ['ab', 'cd']);
  t.equal(one.put('gh'), false, 'stopped behind the last byte of what was given');
  one.resume();
  t.strictSame(one.texts, ['ab', 'cd', 'ef', 'gh']);
  t.equal(one.wire.taken, 8);
  t.equal(one.put('ij'), true);
  t.strictSame(one.texts.slice(4), ['ij']);
  one.giveBack = () => 0;
  t.equal(one.put('kl'), false);
  t.equal(one.put('mn'), false, 'what came behind the last byte that the parser took');
  one.resume();
  t.strictSame(one.texts.slice(5), ['kl', 'mn']);
  t.strictSame(
    [...new Set(one.asked)],
    [0, 2, 4, 6, 8, 10, 12],
    'each time the parser asks it is told how far it is',
  );
});

t.test('the end stands behind what waits', async (t) => {
  for (const left of [2, 0]) {
    const one = new HandFed();
    let ended = false;
    one.socket.on('end', () => {
      ended = true;
    });
    one.giveBack = () => left;
    one.put('abcd');
    // As a socket does it that is told of its end although it was stopped
    one.socket.push(null);
    one.socket.read(0);
    await new Promise((resolve) => setImmediate(resolve));
    t.notOk(ended, 'the parser is stopped');
    one.giveBack = () => undefined;
    one.resume();
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(one.texts.join(''), 'abcd');
    t.ok(ended);
  }
});

t.test('nothing is read of a connection that has failed', async (t) => {
  const one = new HandFed();
  const { user } = one.wire;
  one.wire.user = {
    beforeRead: () => undefined,
    onRead: () => one.socket.destroy(),
    isReading: user?.isReading ?? true,
  };
  one.put('abc');
  t.strictSame(one.texts, []);
});

t.test('bytes of a connection that is not the one at hand close it', async (t) => {
  const wire = new Wire();
  const socket = new Socket().on('error', () => undefined);
  t.equal(wire.onBytes(socket, Buffer.from('abc')), false);
  t.ok(socket.destroyed);
  t.equal(wire.taken, 0);
});

t.test(
  'property: every reader gets what was sent to it, whenever it reads and however it came',
  async (t) => {
    const reader = fc.record({
      size: fc.integer({ min: 0, max: 300_000 }),
      cuts: fc.array(fc.nat(300_000), { maxLength: 4 }),
      isChunked: fc.boolean(),
      /** Before it reads. */
      waitMs: fc.constantFrom(0, 0, 3),
      /** Every so many chunks it holds back the source. */
      pauseEvery: fc.constantFrom(0, 0, 1, 3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(reader, { minLength: 1, maxLength: 6 }), async (readers) => {
        const bodies = readers.map(({ size }, index) =>
          Buffer.alloc(size, `${index}-${'abcdefghij'.repeat(7)}`),
        );
        const { client } = await setUp(
          t,
          (_, raw) => {
            const index = Number(/^GET \/(\d)/.exec(raw.toString('latin1'))?.[1]);
            const body = bodies[index] ?? Buffer.alloc(0);
            const { cuts = [], isChunked = false } = readers[index] ?? {};
            const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
            const head = `HTTP/1.1 200 OK\r\n${framing}\r\nX-Index: ${index}${'i'.repeat(50)}\r\n\r\n`;
            const bytes = Buffer.concat([Buffer.from(head), isChunked ? chunked(body) : body]);
            const edges = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
            return edges
              .slice(1)
              .flatMap((edge, i) => [{ send: bytes.subarray(edges[i], edge) }, { sleep_ms: 1 }]);
          },
          { connections: 3 },
        );
        const outcomes = readers.map(async ({ waitMs, pauseEvery }, index) => {
          const answer = await answered(client, { target: `/${index}` });
          if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
          const header = answer.headers.single('x-index');
          const { flow } = answer.body;
          const seen: Buffer[] = [];
          const fault = await answer.body.drain((chunk) => {
            seen.push(Buffer.from(chunk));
            if (pauseEvery > 0 && seen.length % pauseEvery === 0) {
              flow?.pause();
              setTimeout(() => flow?.resume(), 1);
            }
            return undefined;
          });
          const isRight = Buffer.concat(seen).equals(bodies[index] ?? Buffer.alloc(0));
          return fault === undefined && isRight && header === `${index}${'i'.repeat(50)}`;
        });
        return (await Promise.all(outcomes)).every(Boolean);
      }),
      { numRuns: 40, seed: 20_261_201 },
    );
  },
);

t.test('a body in many small chunks over many reads', async (t) => {
  const text = 'one chunk of the body '.repeat(20_000);
  const { client } = await setUp(t, [
    { send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' },
    { send: chunked(Buffer.from(text), 7) },
  ]);
  t.equal((await read(await answered(client))).text, text);
});

function chunked(body: Buffer, size = 10_000): Buffer {
  const parts: (Buffer | string)[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    parts.push(`${chunk.length.toString(16)}\r\n`, chunk, '\r\n');
  }
  parts.push('0\r\n\r\n');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
