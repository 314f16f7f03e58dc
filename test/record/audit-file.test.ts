import { mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { type AuditTrouble, openAuditFile, sha256Hex, verifyAudit } from '../../src/record/index.js';
import {
  auditRecord,
  idsIn,
  linesOf,
  namesIn,
  parsedLines,
  scratch,
  systemError,
  TestOps,
  until,
} from './helpers.js';

const RETRY = { first: 2, most: 4 };
const now = () => Date.parse('2025-03-01T12:00:00Z');

async function open(file: string, durability: 'async' | 'durable', ops = new TestOps(), maxPending?: number) {
  const troubles: AuditTrouble[] = [];
  const audit = await openAuditFile(
    { file, durability, maxPending },
    { ops, now, retryMs: RETRY, onTrouble: (what) => troubles.push(what) },
  );
  return { audit, ops, troubles };
}

t.test('a call is not held for as long as nothing can be written', async (t) => {
  const { audit, ops, troubles } = await open(join(await scratch(t), 'audit.jsonl'), 'async');
  const made: string[] = [];
  const append = (id: string): Promise<boolean> =>
    audit.append(() => {
      made.push(id);
      return auditRecord(id);
    });
  ops.onWrite = () => systemError('ENOSPC');
  await append('req.1');
  t.same(made, [], 'made when it is written');
  await until(() => troubles.includes('unwritable'));
  await append('req.2');
  t.same(made, ['req.1', 'req.2'], 'made at once');
  ops.onWrite = () => null;
  await until(() => troubles.includes('recovered'));
  await audit.close();

  const hanging = await open(join(await scratch(t), 'audit.jsonl'), 'async');
  let free = () => {};
  hanging.ops.gate = () => new Promise((resolve) => (free = resolve));
  let late = 0;
  for (let i = 0; i < 1_500; i++) {
    hanging.audit.append(() => {
      late++;
      return auditRecord(`req.${i}`);
    });
  }
  t.equal(late, 500, 'no more than one write has is held');
  hanging.ops.gate = async () => undefined;
  free();
  await hanging.audit.close();
  t.equal(hanging.audit.head.seq, 1_500);
});

t.test('creates directory and file, chains, and goes on after a restart', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'var', 'log', 'audit.jsonl');
  for (const durability of ['durable', 'async', 'durable'] as const) {
    const { audit } = await open(file, durability);
    const from = audit.head.seq + 1;
    for (let i = from; i < from + 3; i++) t.equal(await audit.append(auditRecord(`req.${i}`)), true);
    await audit.close();
    t.equal(audit.head.seq, from + 2);
    t.equal(audit.writable, false);
    t.equal(await audit.append(auditRecord('late')), false, 'closed');
  }
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.equal((await stat(dirname(file))).mode & 0o777, 0o700);
  t.same(await namesIn(dirname(file)), ['audit.jsonl'], 'the lock is gone');
  let prev = '0'.repeat(64);
  for (const [index, line] of (await linesOf(file)).entries()) {
    t.match(JSON.parse(line), { seq: index + 1, prev, request_id: `req.${index + 1}` });
    prev = sha256Hex(line);
  }
  t.match(await verifyAudit(file), { ok: true, records: 9, last: { seq: 9, sha256: prev } });
});

t.test('an existing file gets mode 0600', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  await writeFile(file, '', { mode: 0o644 });
  const { audit } = await open(file, 'durable');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  await audit.close();
});

t.test('group commit: what comes during a write goes out in one write and one sync', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops } = await open(file, 'durable');
  const wave = (name: string) =>
    Array.from({ length: 200 }, (_, i) => audit.append(auditRecord(`${name}.${i}`)));
  let second: Promise<boolean>[] = [];
  let inWrite = 0;
  ops.gate = async () => {
    if (inWrite++ === 0) second = wave('second');
  };
  const kept = await Promise.all(wave('first'));
  t.ok(kept.every((value) => value === true));
  t.ok((await Promise.all(second)).every((value) => value === true));
  t.equal(ops.writes, 2);
  t.equal(ops.syncs, 2);
  await audit.close();
  t.equal((await idsIn(file)).length, 400);
  t.match(await verifyAudit(file), { ok: true, records: 400 });
});

t.test('durable: not before the sync', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops } = await open(file, 'durable');
  const order: string[] = [];
  ops.onSync = () => {
    order.push('sync');
    return null;
  };
  await audit.append(auditRecord('a')).then(() => order.push('kept'));
  await audit.append(auditRecord('b')).then(() => order.push('kept'));
  t.same(order, ['sync', 'kept', 'sync', 'kept']);
  await audit.close();
});

t.test('a write that takes part of the bytes is gone on with', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops } = await open(file, 'durable');
  ops.onWrite = () => 7;
  t.same(await Promise.all([audit.append(auditRecord('a')), audit.append(auditRecord('b'))]), [true, true]);
  t.ok(ops.writes > 100);
  await audit.close();
  t.match(await verifyAudit(file), { ok: true, records: 2 });
});

t.test('a large burst goes out in several writes', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops } = await open(file, 'durable');
  await Promise.all(Array.from({ length: 3_000 }, (_, i) => audit.append(auditRecord(`${i}`))));
  t.ok(ops.writes >= 2 && ops.writes <= 5, `${ops.writes} writes`);
  t.ok(Math.max(...ops.bytesWritten) < 2 * 1024 * 1024);
  await audit.close();
  t.same(
    await idsIn(file),
    Array.from({ length: 3_000 }, (_, i) => `${i}`),
  );
});

for (const code of ['ENOSPC', 'EACCES', 'EIO']) {
  t.test(
    `durable, ${code} after half a batch: false, not writable, nothing left, recovers by itself`,
    async (t) => {
      const file = join(await scratch(t), 'audit.jsonl');
      const { audit, ops, troubles } = await open(file, 'durable');
      t.equal(await audit.append(auditRecord('before')), true);
      const good = await readFile(file);
      let part = true;
      ops.onWrite = (_, bytes) => {
        // The first write takes half, all others nothing.
        if (part) {
          part = false;
          return Math.floor(bytes.length / 2);
        }
        return systemError(code);
      };
      const kept = await Promise.all([audit.append(auditRecord('x')), audit.append(auditRecord('y'))]);
      t.same(kept, [false, false]);
      t.equal(audit.writable, false);
      t.equal(await audit.append(auditRecord('z')), false, 'at once, without waiting for a retry');
      t.same(await readFile(file), good, 'what the failed write left is cut off');
      const tries = ops.writes;
      await until(() => ops.writes >= tries + 2);
      t.equal(audit.writable, false, 'retries alone do not make it writable');
      ops.onWrite = () => null;
      await until(() => audit.writable);
      t.equal(await audit.append(auditRecord('after')), true);
      await audit.close();
      t.same(await idsIn(file), ['before', 'after']);
      t.match((await parsedLines(file))[1], { seq: 2, gap: { refused: 3, reason: code } });
      t.match(await verifyAudit(file), { ok: true, records: 2, refused: 3 });
      t.same(troubles, ['unwritable', 'recovered'], 'told once each');
    },
  );
}

t.test('durable, the sync fails: whole lines are not believed either', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops } = await open(file, 'durable');
  t.equal(await audit.append(auditRecord('before')), true);
  ops.onSync = () => systemError('EIO');
  t.equal(await audit.append(auditRecord('x')), false);
  t.same(await idsIn(file), ['before']);
  ops.onSync = () => null;
  await until(() => audit.writable);
  t.equal(await audit.append(auditRecord('after')), true);
  await audit.close();
  t.same(await idsIn(file), ['before', 'after']);
  t.match(await verifyAudit(file), { ok: true, records: 2, refused: 1 });
});

t.test('async: the queue is bounded, keeps through a failure, and tells of what it refused', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops, troubles } = await open(file, 'async', new TestOps(), 5);
  ops.onWrite = () => systemError('ENOSPC');
  const answers: boolean[] = [];
  for (let i = 0; i < 8; i++) answers.push(await audit.append(auditRecord(`${i}`)));
  t.same(answers, [true, true, true, true, true, false, false, false]);
  t.equal(audit.pending, 5);
  t.equal(audit.writable, false, 'full');
  await until(() => troubles.includes('unwritable'));
  await until(() => ops.writes >= 3);
  t.equal(audit.pending, 5, 'nothing is lost by failed writes');
  ops.onWrite = () => null;
  await until(() => audit.writable);
  t.equal(await audit.append(auditRecord('after')), true);
  await audit.close();
  t.same(await idsIn(file), ['0', '1', '2', '3', '4', 'after']);
  t.match(await verifyAudit(file), { ok: true, records: 6, refused: 3 });
  t.same(troubles, ['unwritable', 'recovered']);
});

t.test('async: no write per record; by the clock they go out in one write, and are synced', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit, ops } = await open(file, 'async');
  for (let i = 0; i < 10; i++) await audit.append(auditRecord(`${i}`));
  t.equal(ops.writes, 0, 'no write per record');
  await until(() => ops.writes > 0);
  t.equal(ops.writes, 1);
  t.equal((await idsIn(file)).length, 10);
  await until(() => ops.syncs > 0);
  t.pass('synced without further appends');
  await audit.close();
});

t.test('close writes what waits, and tells what it could not', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const first = await open(file, 'async');
  await first.audit.append(auditRecord('a'));
  await Promise.all([first.audit.close(), first.audit.close()]);
  t.same(await idsIn(file), ['a']);
  const second = await open(file, 'async');
  await second.audit.append(auditRecord('b'));
  second.ops.onWrite = () => systemError('ENOSPC');
  await second.audit.close();
  t.same(await idsIn(file), ['a']);
  t.same(second.troubles, ['unwritable', 'lost']);
  const third = await open(file, 'durable');
  third.ops.onWrite = () => systemError('ENOSPC');
  const waiting = third.audit.append(auditRecord('c'));
  await third.audit.close();
  t.equal(await waiting, false);
  t.same(await namesIn(dirname(file)), ['audit.jsonl']);
});

t.test('the directory is removed underneath: no record is acknowledged into nothing', async (t) => {
  const dir = join(await scratch(t), 'var');
  const file = join(dir, 'audit.jsonl');
  const { audit, ops } = await open(file, 'durable');
  t.equal(await audit.append(auditRecord('gone')), true);
  await rm(dir, { recursive: true });
  t.equal(await audit.append(auditRecord('a')), true, 'made anew before the write');
  ops.gate = async () => {
    ops.gate = async () => undefined;
    await rm(dir, { recursive: true });
  };
  t.equal(await audit.append(auditRecord('b')), false, 'removed between check and write');
  await until(() => audit.writable);
  t.equal(await audit.append(auditRecord('c')), true);
  await audit.close();
  t.match(await parsedLines(file), [
    { seq: 3, gap: { refused: 1 } },
    { seq: 4, request_id: 'c' },
  ]);
  t.match(await verifyAudit(file), { ok: true, first: { seq: 3 } });
});

t.test('a file moved away goes on in a new one; one truncated in place too', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit } = await open(file, 'durable');
  await audit.append(auditRecord('a'));
  await rename(file, join(dir, 'moved'));
  t.equal(await audit.append(auditRecord('b')), true);
  t.match(await verifyAudit([join(dir, 'moved'), file]), { ok: true, records: 2 });
  await truncate(file, 0);
  t.equal(await audit.append(auditRecord('c')), true);
  await audit.close();
  t.match(await parsedLines(file), [{ seq: 3, request_id: 'c' }]);
});

t.test('a file put in the place of ours is not written to', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit } = await open(file, 'durable');
  await audit.append(auditRecord('a'));
  await rename(file, join(dir, 'moved'));
  await writeFile(file, 'somebody else\n');
  t.equal(await audit.append(auditRecord('b')), false);
  t.equal(await readFile(file, 'utf8'), 'somebody else\n');
  await rename(join(dir, 'moved'), file);
  await until(() => audit.writable);
  t.equal(await audit.append(auditRecord('c')), true);
  await audit.close();
  t.same(await idsIn(file), ['a', 'c']);
});

t.test('bytes that someone else appended are neither cut off nor built upon', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit } = await open(file, 'durable');
  await audit.append(auditRecord('a'));
  const text = `${await readFile(file, 'utf8')}foreign\n`;
  await writeFile(file, text);
  t.equal(await audit.append(auditRecord('b')), false);
  await audit.close();
  t.equal(await readFile(file, 'utf8'), text);
});

t.test('a second sidecar on the same file is refused, and the first goes on', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit } = await open(file, 'durable');
  await t.rejects(openAuditFile({ file, durability: 'durable' }), { name: 'LockHeldError' });
  t.equal(await audit.append(auditRecord('a')), true);
  await audit.close();
  const { audit: next } = await open(file, 'durable');
  await next.close();
});

t.test('a lock that was taken from us stops the writing until it is free', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const lock = `${file}.lock`;
  const audit = await openAuditFile(
    { file, durability: 'durable' },
    { now, retryMs: RETRY, lockTimes: { beatMs: 5, patienceMs: 10 } },
  );
  await audit.append(auditRecord('a'));
  await rm(lock);
  await mkdir(lock);
  await until(() => !audit.writable);
  t.equal(await audit.append(auditRecord('b')), false);
  await rm(lock, { recursive: true });
  await until(() => audit.writable);
  t.equal(await audit.append(auditRecord('c')), true);
  await audit.close();
  t.same(await idsIn(file), ['a', 'c']);
});

t.test('what cannot be opened rejects and leaves no lock', async (t) => {
  const dir = await scratch(t);
  const notes = join(dir, 'notes.txt');
  await writeFile(notes, 'remember the milk\n');
  await t.rejects(open(notes, 'durable'), { name: 'NotAnAuditFileError' });
  t.equal(await readFile(notes, 'utf8'), 'remember the milk\n');
  await mkdir(join(dir, 'folder'));
  await t.rejects(open(join(dir, 'folder'), 'durable'), { code: 'EISDIR' });
  const ops = new TestOps();
  ops.onOpen = (_, how) => (how === 'append' ? systemError('EACCES') : null);
  await t.rejects(open(join(dir, 'audit.jsonl'), 'durable', ops), { code: 'EACCES' });
  t.same(await namesIn(dir), ['folder', 'notes.txt']);
});

t.test('a listener that throws does not stop the audit', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const ops = new TestOps();
  const onTrouble = () => {
    throw new Error('listener');
  };
  const audit = await openAuditFile({ file, durability: 'durable' }, { ops, now, retryMs: RETRY, onTrouble });
  ops.onWrite = () => systemError('ENOSPC');
  t.equal(await audit.append(auditRecord('a')), false);
  ops.onWrite = () => null;
  await until(() => audit.writable);
  await audit.close();
});

t.test(
  'a record that is made when it is written: once, in its order; one that cannot be made is lost alone',
  async (t) => {
    const file = join(await scratch(t), 'audit.jsonl');
    const { audit, troubles } = await open(file, 'async');
    const made: string[] = [];
    const later = (id: string) => () => {
      made.push(id);
      if (id === 'b') throw new TypeError('bug');
      return auditRecord(id);
    };
    for (const id of ['a', 'b', 'c']) t.equal(await audit.append(later(id)), true);
    t.strictSame(made, [], 'nobody waits for it');
    await audit.close();
    t.strictSame(made, ['a', 'b', 'c']);
    t.strictSame(troubles, ['lost']);
    t.strictSame(await idsIn(file), ['a', 'c']);
    t.match(await verifyAudit(file), { ok: true, records: 2 });
  },
);

t.test('a durable record is made at once, and what it throws is the caller’s', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const { audit } = await open(file, 'durable');
  t.equal(await audit.append(() => auditRecord('a')), true);
  t.throws(
    () =>
      audit.append(() => {
        throw new TypeError('bug');
      }),
    { message: 'bug' },
  );
  t.equal(await audit.append(() => auditRecord('b')), true);
  await audit.close();
  t.strictSame(await idsIn(file), ['a', 'b']);
});
