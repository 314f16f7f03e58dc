import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type FileOps, nodeFileOps } from '../../src/record/file-ops.js';
import { LockHeldError, OwnerLock } from '../../src/record/owner-lock.js';
import { namesIn, scratch } from './helpers.js';

const TIMES = { beatMs: 20, patienceMs: 100 };

t.test('one owner at a time, also within one process', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  const lock = await OwnerLock.take(path, nodeFileOps, TIMES);
  t.equal((await stat(path)).mode & 0o777, 0o600);
  const again = await OwnerLock.take(path, nodeFileOps, TIMES).catch((error: unknown) => error);
  t.type(again, LockHeldError);
  t.match(again, { message: new RegExp(`held by process ${process.pid} on `) });
  await lock.keep();
  await lock.release();
  t.same(await namesIn(join(path, '..')), []);
  const next = await OwnerLock.take(path, nodeFileOps, TIMES);
  await lock.release();
  await next.keep();
  t.same(
    await namesIn(join(path, '..')),
    ['a.lock'],
    'a released lock does not remove that of the next owner',
  );
});

t.test('a lock of a process that has ended is replaced at once, without patience', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  await OwnerLock.take(path, nodeFileOps, TIMES);
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const owner = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...owner, id: 'x', pid: child.pid }));
  await OwnerLock.take(path, nodeFileOps, { beatMs: 1_000_000, patienceMs: 1_000_000 });
  t.equal(JSON.parse(await readFile(path, 'utf8')).pid, process.pid);
});

t.test(
  'a process id that came round again is not the owner',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const path = join(await scratch(t), 'a.lock');
    await OwnerLock.take(path, nodeFileOps, TIMES);
    const owner = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...owner, id: 'x', started: '1' }));
    await OwnerLock.take(path, nodeFileOps, { beatMs: 1_000_000, patienceMs: 1_000_000 });
    t.not(JSON.parse(await readFile(path, 'utf8')).id, 'x');
  },
);

t.test('a lock of another container: held while it is touched, left over when it is not', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  const foreign = JSON.stringify({ id: 'x', pid: 1, host: 'elsewhere', place: 'boot ns', started: '5' });
  await writeFile(path, foreign);
  const beat = setInterval(() => nodeFileOps.touch(path), 5);
  const refused = await OwnerLock.take(path, nodeFileOps, { beatMs: 100, patienceMs: 300 }).catch(
    (e: unknown) => e,
  );
  clearInterval(beat);
  t.match(refused, { name: 'LockHeldError', message: /held by process 1 on elsewhere/ });
  t.equal(await readFile(path, 'utf8'), foreign);
  await OwnerLock.take(path, nodeFileOps, TIMES);
  t.equal(JSON.parse(await readFile(path, 'utf8')).pid, process.pid);
});

t.test('an empty or unreadable lock counts as that of another container', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  for (const text of ['', 'null', '{"pid":1}', 'x']) {
    await writeFile(path, text);
    const lock = await OwnerLock.take(path, nodeFileOps, TIMES);
    await lock.release();
    t.same(await namesIn(join(path, '..')), [], JSON.stringify(text));
  }
});

t.test('an owner notices that the lock is gone or taken', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  const lock = await OwnerLock.take(path, nodeFileOps, TIMES);
  await rename(path, `${path}.aside`);
  await lock.keep();
  t.equal(await readFile(path, 'utf8'), await readFile(`${path}.aside`, 'utf8'), 'gone: taken again');
  await writeFile(path, JSON.stringify({ id: 'x', pid: 1, host: 'elsewhere' }));
  await t.rejects(lock.keep(), { name: 'LockHeldError' });
});

t.test('of two that find the same leftover, one gets it', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  for (let round = 0; round < 10; round++) {
    await writeFile(path, JSON.stringify({ id: 'x', pid: 2 ** 22 + 1, host: 'elsewhere' }));
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, () => OwnerLock.take(path, nodeFileOps, { beatMs: 5, patienceMs: 5 })),
    );
    const owners = tries.filter((result) => result.status === 'fulfilled');
    t.equal(owners.length, 1, `round ${round}`);
    t.same(await namesIn(join(path, '..')), ['a.lock']);
    await owners[0]?.value.release();
  }
});

t.test('a lock that another process made while ours was judging the leftover stays', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  const ended = JSON.stringify({ id: 'x', pid: 1, host: 'elsewhere', place: null, started: null });
  const fresh = JSON.stringify({ id: 'y', pid: 1, host: 'somewhere', place: null, started: null });
  await writeFile(path, ended);
  let beat: NodeJS.Timeout | undefined;
  const ops: FileOps = {
    ...nodeFileOps,
    open: (file, mode) => {
      if (file === `${path}.take` && beat === undefined) {
        writeFileSync(path, fresh);
        beat = setInterval(() => nodeFileOps.touch(path).catch(() => undefined), 2);
      }
      return nodeFileOps.open(file, mode);
    },
  };
  await t.rejects(OwnerLock.take(path, ops, TIMES), { name: 'LockHeldError', message: /on somewhere/ });
  clearInterval(beat);
  t.ok(beat !== undefined, 'the other one came in between');
  t.equal(await readFile(path, 'utf8'), fresh);
  t.same(await namesIn(join(path, '..')), ['a.lock']);
});

t.test('a guard that a crash left behind is named', async (t) => {
  const path = join(await scratch(t), 'a.lock');
  await writeFile(path, JSON.stringify({ id: 'x', pid: 2 ** 22 + 1, host: 'elsewhere' }));
  await writeFile(`${path}.take`, '');
  await t.rejects(OwnerLock.take(path, nodeFileOps, TIMES), {
    name: 'LockHeldError',
    message: /a\.lock\.take.*remove it/,
  });
});
