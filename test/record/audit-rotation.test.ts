import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type AuditTrouble, openAuditFile, verifyAudit } from '../../src/record/index.js';
import { auditRecord, idsIn, namesIn, parsedLines, scratch, systemError, TestOps, until } from './helpers.js';

const DAY = 86_400_000;
const START = Date.parse('2025-02-27T23:59:59.999Z');

/** A sink whose clock stands where it is put, and whose records carry that time. */
async function openAt(file: string, time: number, retainMs?: number, ops = new TestOps()) {
  const clock = { now: time };
  const troubles: AuditTrouble[] = [];
  const audit = await openAuditFile(
    { file, durability: 'durable', retainMs },
    { now: () => clock.now, ops, retryMs: { first: 2, most: 4 }, onTrouble: (what) => troubles.push(what) },
  );
  const append = (id: string) => audit.append(auditRecord(id, new Date(clock.now).toISOString()));
  return { audit, clock, append, ops, troubles };
}

t.test('the first record of a UTC day starts a new file, and the chain goes on in it', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit, clock, append } = await openAt(file, START);
  await append('a');
  clock.now += 1;
  await append('b');
  await append('c');
  clock.now += 3 * DAY;
  await append('d');
  await audit.close();
  t.same(await namesIn(dir), ['audit-2025-02-27.jsonl', 'audit-2025-02-28.jsonl', 'audit.jsonl']);
  t.same(await idsIn(join(dir, 'audit-2025-02-27.jsonl')), ['a']);
  t.same(await idsIn(join(dir, 'audit-2025-02-28.jsonl')), ['b', 'c']);
  t.match(await parsedLines(file), [{ seq: 4, request_id: 'd' }]);
  t.match(await verifyAudit(file), { ok: true, records: 4, first: { seq: 1 }, last: { seq: 4 } });
  const older = await verifyAudit([join(dir, 'audit-2025-02-28.jsonl'), file]);
  t.match(
    older,
    { ok: true, records: 3, first: { seq: 2 } },
    'what was before the oldest file is not asked for',
  );
});

t.test(
  'across a restart: the last day leaves, a missing or empty current file goes on from the newest',
  async (t) => {
    const dir = await scratch(t);
    const file = join(dir, 'audit.jsonl');
    const first = await openAt(file, START);
    await first.append('a');
    await first.audit.close();
    const second = await openAt(file, START + 1);
    await second.append('b');
    await second.audit.close();
    t.same(await namesIn(dir), ['audit-2025-02-27.jsonl', 'audit.jsonl']);
    await writeFile(join(dir, 'audit-2025-02-28.jsonl'), await readFile(file));
    await writeFile(file, '');
    const third = await openAt(file, START + 2 * DAY);
    await third.append('c');
    await third.audit.close();
    t.match(await parsedLines(file), [{ seq: 3 }]);
    await rm(file);
    await rm(join(dir, 'audit-2025-02-28.jsonl'));
    const fourth = await openAt(file, START + 2 * DAY);
    await fourth.append('d');
    await fourth.audit.close();
    t.match(await parsedLines(file), [{ seq: 2 }]);
    t.match(await verifyAudit(file), { ok: true, records: 2 });
  },
);

t.test('a name that is taken gets a number; order is that of the chain, not of the names', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit, clock, append } = await openAt(file, START);
  // A clock that goes back and forth over midnight, twelve times.
  for (let i = 0; i < 12; i++) {
    clock.now = START + (i % 2);
    await append(`${i}`);
  }
  await audit.close();
  const names = await namesIn(dir);
  t.equal(names.length, 12);
  t.ok(names.includes('audit-2025-02-27.jsonl') && names.includes('audit-2025-02-27.5.jsonl'));
  t.ok(names.includes('audit-2025-02-28.4.jsonl'));
  t.match(await verifyAudit(file), { ok: true, records: 12 });
  const next = await openAt(file, START + 1);
  t.equal(next.audit.head.seq, 12);
  await next.audit.close();
  await rm(file);
  const last = await openAt(file, START + 1);
  t.equal(last.audit.head.seq, 11, 'the newest by the chain');
  await last.audit.close();
});

t.test(
  'retention removes from the oldest on, by the end of the day, and never the current file',
  async (t) => {
    const dir = await scratch(t);
    const file = join(dir, 'audit.jsonl');
    const { audit, clock, append } = await openAt(file, START, 2 * DAY);
    await writeFile(join(dir, 'audit-2020-01-01.jsonl.bak'), 'not ours');
    await writeFile(join(dir, 'audit-notes.jsonl'), 'not ours');
    await append('0');
    for (let day = 1; day <= 4; day++) {
      clock.now = START + 1 + (day - 1) * DAY;
      await append(`${day}`);
    }
    // Midnight of 3 March: the days up to 28 February ended two days ago or more.
    t.same(await namesIn(dir), [
      'audit-2020-01-01.jsonl.bak',
      'audit-2025-03-01.jsonl',
      'audit-2025-03-02.jsonl',
      'audit-notes.jsonl',
      'audit.jsonl',
      'audit.jsonl.lock',
    ]);
    t.match(await verifyAudit(file), { ok: true, records: 3, first: { seq: 3 }, anchor: null });
    await audit.close();
    const next = await openAt(file, START + 30 * DAY, 2 * DAY);
    t.same(
      (await namesIn(dir)).filter((name) => name.startsWith('audit-2025')),
      [],
      'at start as well',
    );
    t.equal(next.audit.head.seq, 5);
    await next.append('later');
    await next.audit.close();
    t.match(await verifyAudit(file), { ok: true, first: { seq: 6 } });
  },
);

t.test('a rotation that fails does not stop the audit, and is made up for', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit, clock, append, ops, troubles } = await openAt(file, START);
  await append('a');
  clock.now += 1;
  ops.onRename = () => systemError('EACCES');
  t.equal(await append('b'), true);
  t.equal(await append('c'), true);
  t.same(troubles, ['rotation'], 'not tried for every record');
  ops.onRename = () => null;
  clock.now += 60_000;
  t.equal(await append('d'), true);
  await audit.close();
  t.same(await namesIn(dir), ['audit-2025-02-27.jsonl', 'audit.jsonl']);
  t.same(await idsIn(file), ['d']);
  t.match(await verifyAudit(file), { ok: true, records: 4 });
});

t.test('a crash or failure between the rename and the new file loses nothing', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit, clock, append, ops } = await openAt(file, START);
  await append('a');
  clock.now += 1;
  ops.onOpen = (path, how) => (how === 'append' && path === file ? systemError('EMFILE') : null);
  t.equal(await append('b'), false);
  t.same(await namesIn(dir), ['audit-2025-02-27.jsonl', 'audit.jsonl.lock']);
  ops.onOpen = () => null;
  await until(() => audit.writable);
  t.equal(await append('c'), true);
  await audit.close();
  t.match(await verifyAudit(file), { ok: true, records: 2, refused: 1, last: { seq: 3 } });
});

t.test('retention that fails does not stop the audit', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const { audit, clock, append, ops, troubles } = await openAt(file, START, DAY);
  await append('a');
  clock.now += 10 * DAY;
  ops.onRemove = (path) => (path.includes('2025') ? systemError('EACCES') : null);
  t.equal(await append('b'), true);
  t.same(troubles, ['retention']);
  await audit.close();
  t.match(await verifyAudit(file), { ok: true, records: 2 });
});

t.test('a file name without an ending, and one with dots', async (t) => {
  for (const name of ['audit', 'audit.v1.log']) {
    const dir = await scratch(t);
    const { audit, clock, append } = await openAt(join(dir, name), START);
    await append('a');
    clock.now += 1;
    await append('b');
    await audit.close();
    t.equal((await namesIn(dir)).length, 2, name);
    t.match(await verifyAudit(join(dir, name)), { ok: true, records: 2 }, name);
  }
});
