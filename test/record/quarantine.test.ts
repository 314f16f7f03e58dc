import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  listQuarantined,
  openQuarantine,
  type QuarantineDeps,
  type QuarantineItem,
  type QuarantineOptions,
  readQuarantined,
  sha256Hex,
} from '../../src/record/index.js';
import { namesIn, scratch, systemError, TestOps } from './helpers.js';

const NOW = Date.parse('2025-03-01T12:00:00.000Z');
const DAY = 86_400_000;

function item(requestId: string, time = NOW, body: Uint8Array = Buffer.alloc(1_000, 'x')): QuarantineItem {
  return {
    requestId,
    time,
    tool: 'review_status',
    status: 200,
    headers: [['content-type', 'application/json']],
    body,
    truncated: false,
    code: 'CON_NO_ALTERNATIVE',
    instance: '/state',
  };
}

async function open(dir: string, options: Partial<QuarantineOptions> = {}, deps: QuarantineDeps = {}) {
  return openQuarantine(
    { dir, itemBytes: 4_096, totalBytes: 1_000_000, retainMs: DAY, ...options },
    { now: () => NOW, maxPending: 1_000, retryMs: { first: 0, most: 0 }, ...deps },
  );
}

async function bytesOnDisk(dir: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(dir)) sum += (await stat(join(dir, name))).size;
  return sum;
}

/** Size of the file of an item like those of `item`. */
async function sizeOfOne(t: import('tap').Test, requestId: string): Promise<number> {
  const store = await open(join(await scratch(t), 'q'));
  store.keep(item(requestId));
  await store.close();
  return store.usedBytes;
}

t.test('keeps everything of an answer, byte for byte, with modes 0700 and 0600', async (t) => {
  const dir = join(await scratch(t), 'var', 'quarantine');
  const store = await open(dir);
  const body = Buffer.from([0, 10, 255, 13, 10, 123]);
  const ref = store.keep(item('req.J7q94MkP', NOW, body));
  t.equal(ref, '20250301T120000000Z-req.J7q94MkP');
  const expected = {
    ref,
    time: '2025-03-01T12:00:00.000Z',
    request_id: 'req.J7q94MkP',
    tool: 'review_status',
    status: 200,
    code: 'CON_NO_ALTERNATIVE',
    instance: '/state',
    truncated: false,
    body_bytes: 6,
    body_sha256: sha256Hex(body),
    headers_truncated: false,
    headers: [['content-type', 'application/json']],
  };
  t.same(await store.read(ref ?? ''), { ...expected, body });
  t.same(await store.list(), [expected]);
  t.same(await listQuarantined(dir), [expected], 'without owning it');
  t.same(await readQuarantined(dir, ref ?? ''), { ...expected, body });
  const path = join(dir, `${ref}.answer`);
  t.equal((await stat(dir)).mode & 0o777, 0o700);
  t.equal((await stat(path)).mode & 0o777, 0o600);
  t.same(await readFile(path), Buffer.concat([Buffer.from(`${JSON.stringify(expected)}\n`), body]));
  t.equal(store.usedBytes, (await stat(path)).size);
  await store.close();
  t.equal(store.keep(item('req.00000001')), null, 'closed');
});

t.test('an open directory is closed to others', async (t) => {
  const dir = join(await scratch(t), 'q');
  await mkdir(dir);
  await chmod(dir, 0o755);
  const store = await open(dir);
  t.equal((await stat(dir)).mode & 0o777, 0o700);
  await store.close();
});

t.test('the body is copied and cut at itemBytes; headers are bounded', async (t) => {
  const store = await open(join(await scratch(t), 'q'), { itemBytes: 10 });
  const body = Buffer.from('0123456789');
  const whole = store.keep(item('req.whole', NOW, body)) ?? '';
  body.fill('!');
  const cut = store.keep(item('req.cut', NOW, Buffer.from('0123456789A'))) ?? '';
  const before = store.keep({ ...item('req.before', NOW, Buffer.from('x')), truncated: true }) ?? '';
  const long: [string, string][] = Array.from({ length: 100 }, (_, i) => [`x-${i}`, 'v'.repeat(1_000)]);
  const headers = store.keep({ ...item('req.headers'), headers: long }) ?? '';
  t.match(await store.read(whole), { truncated: false, body: Buffer.from('0123456789') });
  t.match(await store.read(cut), { truncated: true, body_bytes: 10, body: Buffer.from('0123456789') });
  t.match(await store.read(before), { truncated: true, body_bytes: 1 });
  const kept = (await store.read(headers))?.headers ?? [];
  t.same(kept, long.slice(0, kept.length));
  t.equal(kept.length, 16);
  t.match(await store.read(headers), { headers_truncated: true });
  await store.close();
});

t.test('the total holds at every moment, under concurrent keeps, and the oldest go first', async (t) => {
  const dir = join(await scratch(t), 'q');
  const one = await sizeOfOne(t, 'req.0000');
  const totalBytes = one * 10 + 7;
  const ops = new TestOps();
  let most = 0;
  ops.onWrite = (_, bytes) => Math.ceil(bytes.length / 3);
  ops.gate = async () => {
    most = Math.max(most, await bytesOnDisk(dir));
  };
  const store = await open(dir, { totalBytes }, { ops });
  const refs: string[] = [];
  for (let wave = 0; wave < 10; wave++) {
    for (let i = 0; i < 7; i++) {
      const number = wave * 7 + i;
      refs.push(store.keep(item(`req.${String(number).padStart(4, '0')}`, NOW - 1_000 + number)) ?? 'none');
      t.ok(store.usedBytes <= totalBytes);
    }
    await new Promise((resolve) => setTimeout(resolve, wave % 3));
  }
  t.equal(new Set(refs).size, 70);
  t.equal(store.count, 10);
  t.same(
    (await store.list()).map(({ ref }) => ref),
    refs.slice(-10),
  );
  t.same(
    await namesIn(dir),
    refs.slice(-10).map((ref) => `${ref}.answer`),
  );
  t.equal(await bytesOnDisk(dir), store.usedBytes);
  t.equal(store.usedBytes, one * 10);
  t.ok(most <= totalBytes && most > one * 9, 'on disk as well');
  t.equal(await store.read(refs[0] ?? ''), null, 'evicted');
  await store.close();
});

t.test('one large answer makes just the room it needs', async (t) => {
  const one = await sizeOfOne(t, 'req.0');
  const store = await open(join(await scratch(t), 'q'), { totalBytes: one * 5, itemBytes: 1_000_000 });
  for (let i = 0; i < 5; i++) store.keep(item(`req.${i}`, NOW + i));
  const large = Buffer.alloc(1_000 + one + 1, 'y');
  const ref = store.keep(item('req.9', NOW + 9, large));
  t.same(
    (await store.list()).map(({ request_id }) => request_id),
    ['req.3', 'req.4', 'req.9'],
  );
  t.same((await store.read(ref ?? ''))?.body, large);
  t.equal(store.keep(item('req.x', NOW + 10, Buffer.alloc(one * 5))), null, 'larger than everything may be');
  t.equal(store.count, 3, 'and nothing was evicted for it');
  await store.close();
});

t.test('eviction goes by time, also where answers come out of order', async (t) => {
  const one = await sizeOfOne(t, 'req.0');
  const store = await open(join(await scratch(t), 'q'), { totalBytes: one * 3 });
  for (const at of [5, 1, 4, 2, 3]) store.keep(item(`req.${at}`, NOW + at));
  t.same(
    (await store.list()).map(({ request_id }) => request_id),
    ['req.3', 'req.4', 'req.5'],
  );
  await store.close();
});

t.test('age', async (t) => {
  const dir = join(await scratch(t), 'q');
  let now = NOW;
  const store = await open(dir, { retainMs: 1_000 }, { now: () => now });
  const first = store.keep(item('req.first', NOW)) ?? '';
  const second = store.keep(item('req.second', NOW + 1)) ?? '';
  now = NOW + 999;
  t.equal((await store.list()).length, 2);
  now = NOW + 1_000;
  t.equal(await store.read(first), null);
  t.same(
    (await store.list()).map(({ ref }) => ref),
    [second],
  );
  t.same(await namesIn(dir), [`${second}.answer`], 'gone from the disk');
  await store.close();
  now = NOW + 2_000;
  const next = await open(dir, { retainMs: 1_000 }, { now: () => now });
  t.same(await namesIn(dir), [], 'at start as well');
  t.equal(next.usedBytes, 0);
  await next.close();
});

t.test('names are made of the time and safe characters only', async (t) => {
  const dir = join(await scratch(t), 'q');
  const store = await open(dir);
  const ids = ['../../etc/passwd', 'a/b\\c\0d\ne', '', '.', 'ünï', '-x', 'y'.repeat(500), 'a b;c$(d)'];
  const refs = ids.map((id) => store.keep(item(id)) ?? 'none');
  for (const ref of refs) t.match(ref, /^20250301T120000000Z-[A-Za-z0-9_.]{1,64}$/);
  t.equal(refs[0], '20250301T120000000Z-.._.._etc_passwd');
  await store.close();
  t.equal((await namesIn(dir)).length, ids.length);
  t.same(await namesIn(join(dir, '..')), ['q']);
  const reader = await open(dir);
  for (const [at, ref] of refs.entries())
    t.equal((await reader.read(ref))?.request_id, ids[at]?.length === 500 ? `${'y'.repeat(255)}…` : ids[at]);
  for (const ref of [
    '../q',
    '..',
    '',
    `${refs[0]}/../${refs[0]}`,
    `${refs[0]}.answer`,
    `${refs[0]}\n`,
    '/etc/passwd',
  ]) {
    t.equal(await reader.read(ref), null, JSON.stringify(ref));
    t.equal(await readQuarantined(dir, ref), null, JSON.stringify(ref));
  }
  await reader.close();
});

t.test('two answers of one call in one millisecond', async (t) => {
  const store = await open(join(await scratch(t), 'q'));
  const refs = [1, 2, 3].map((n) => store.keep(item('req.same', NOW, Buffer.from(`${n}`))));
  t.same(
    refs,
    ['', '-002', '-003'].map((end) => `20250301T120000000Z-req.same${end}`),
  );
  t.equal((await store.read(refs[1] ?? ''))?.body.toString(), '2');
  await store.close();
});

t.test('a restart takes over what is there, keeps the limits, and leaves other things alone', async (t) => {
  const dir = join(await scratch(t), 'q');
  const one = await sizeOfOne(t, 'req.0');
  const first = await open(dir);
  for (let i = 0; i < 6; i++) first.keep(item(`req.${i}`, NOW - 6 + i));
  await first.close();
  const name = '20250301T120000000Z-req.9.answer';
  await writeFile(join(dir, `${name}.tmp`), 'cut by a crash');
  await writeFile(join(dir, 'README'), 'not ours'.repeat(10_000));
  await writeFile(join(dir, '20259901T120000000Z-req.9.answer'), 'no such month');
  await mkdir(join(dir, name));
  await symlink('/etc/passwd', join(dir, '20250101T000000000Z-link.answer'));
  const second = await open(dir, { totalBytes: one * 4 });
  t.equal(second.usedBytes, one * 4);
  t.same(
    (await second.list()).map(({ request_id }) => request_id),
    ['req.2', 'req.3', 'req.4', 'req.5'],
  );
  t.equal(await second.read('20250101T000000000Z-link'), null);
  t.equal(await readQuarantined(dir, '20250101T000000000Z-link'), null);
  second.keep(item('req.6', NOW));
  t.same(
    (await second.list()).map(({ request_id }) => request_id),
    ['req.3', 'req.4', 'req.5', 'req.6'],
  );
  await second.close();
  const others = (await namesIn(dir)).filter((found) => !/-req\.[3-6]\.answer$/.test(found));
  t.same(others, ['20250101T000000000Z-link.answer', name, '20259901T120000000Z-req.9.answer', 'README']);
});

t.test('the order is the same after a restart', async (t) => {
  const dir = join(await scratch(t), 'q');
  const first = await open(dir);
  for (const id of ['b', 'a', 'c', 'a']) first.keep(item(id));
  const before = (await first.list()).map(({ ref }) => ref);
  await first.close();
  const second = await open(dir);
  t.same(
    (await second.list()).map(({ ref }) => ref),
    before,
  );
  await second.close();
});

t.test('a full queue: null at once, and what was taken is written', async (t) => {
  const store = await open(join(await scratch(t), 'q'), {}, { maxPending: 3 });
  const refs = [1, 2, 3, 4, 5].map((n) => store.keep(item(`req.${n}`)));
  t.same(
    refs.map((ref) => ref !== null),
    [true, true, true, false, false],
  );
  t.equal((await store.list()).length, 3);
  t.type(store.keep(item('req.6')), 'string', 'room again');
  await store.close();
});

t.test('a failing disk: nothing is taken for a while, nothing throws, and it recovers', async (t) => {
  const dir = join(await scratch(t), 'q');
  const ops = new TestOps();
  const troubles: string[] = [];
  const paused = await open(
    dir,
    {},
    { ops, retryMs: { first: 1e9, most: 1e9 }, onTrouble: (what) => troubles.push(what) },
  );
  ops.onWrite = () => systemError('ENOSPC');
  const lost = paused.keep(item('req.lost')) ?? '';
  t.equal(await paused.read(lost), null);
  t.equal(paused.usedBytes, 0);
  t.equal(paused.keep(item('req.later')), null, 'broken');
  t.same(troubles, ['write']);
  t.same(await namesIn(dir), [], 'no remains');
  await paused.close();
  const store = await open(dir, {}, { ops });
  t.equal(await store.read(store.keep(item('req.1')) ?? ''), null);
  ops.onWrite = () => null;
  t.match(await store.read(store.keep(item('req.2')) ?? ''), { request_id: 'req.2' });
  await store.close();
});

t.test('what cannot be removed still counts, and nothing is written over the total', async (t) => {
  const dir = join(await scratch(t), 'q');
  const one = await sizeOfOne(t, 'req.0');
  const ops = new TestOps();
  const store = await open(dir, { totalBytes: one * 2 }, { ops });
  store.keep(item('req.0', NOW));
  store.keep(item('req.1', NOW + 1));
  await store.list();
  ops.onRemove = () => systemError('EACCES');
  const refused = store.keep(item('req.2', NOW + 2)) ?? '';
  t.equal(await store.read(refused), null);
  t.equal(store.usedBytes, one * 2);
  t.equal(await bytesOnDisk(dir), one * 2);
  ops.onRemove = () => null;
  store.keep(item('req.3', NOW + 3));
  t.same(
    (await store.list()).map(({ request_id }) => request_id),
    ['req.1', 'req.3'],
  );
  await store.close();
});

t.test('the directory is removed underneath', async (t) => {
  const dir = join(await scratch(t), 'q');
  const store = await open(dir);
  store.keep(item('req.1'));
  await store.list();
  await rm(dir, { recursive: true });
  const ref = store.keep(item('req.2')) ?? '';
  t.match(await store.read(ref), { request_id: 'req.2' });
  t.equal(store.count, 1);
  t.equal(store.usedBytes, await bytesOnDisk(dir));
  t.equal((await stat(dir)).mode & 0o777, 0o700);
  await store.close();
});

t.test('an item that makes no sense is not taken and does not throw', async (t) => {
  const store = await open(join(await scratch(t), 'q'));
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 9e15, -1e15, 253402300800000]) {
    t.equal(store.keep(item('req.1', time)), null, `${time}`);
  }
  t.equal(store.keep({} as QuarantineItem), null);
  t.equal(store.count, 0);
  await store.close();
});

t.test('a file that is not whole is not given out', async (t) => {
  const dir = join(await scratch(t), 'q');
  const store = await open(dir);
  const ref = store.keep(item('req.1')) ?? '';
  await store.list();
  const path = join(dir, `${ref}.answer`);
  const whole = await readFile(path);
  const altered = Buffer.from(whole);
  altered[whole.length - 1] = 0;
  for (const bytes of [whole.subarray(0, -1), whole.subarray(0, 20), Buffer.alloc(0), altered]) {
    await writeFile(path, bytes);
    t.equal(await store.read(ref), null, `${bytes.length} bytes`);
  }
  await writeFile(path, whole);
  t.match(await store.read(ref), { ref });
  await store.close();
});
