import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openAuditFile, sha256Hex, verifyAudit } from '../../src/record/index.js';
import { auditRecord, linesOf, scratch, systemError, TestOps } from './helpers.js';

const now = () => Date.parse('2025-03-01T12:00:00Z');

async function write(file: string, ...ids: string[]) {
  const audit = await openAuditFile({ file, durability: 'durable' }, { now });
  for (const id of ids) t.equal(await audit.append(auditRecord(id)), true);
  await audit.close();
  return audit.head;
}

t.test('a last line torn at any byte is kept, sealed, and the chain goes on', async (t) => {
  const dir = await scratch(t);
  const whole = join(dir, 'whole.jsonl');
  await write(whole, 'a', 'b');
  const bytes = await readFile(whole);
  const second = bytes.indexOf(0x0a) + 1;
  for (let cut = second + 1; cut < bytes.length - 1; cut += 13) {
    const file = join(dir, `${cut}.jsonl`);
    await writeFile(file, bytes.subarray(0, cut));
    t.match(await verifyAudit(file), { ok: false, reason: 'torn', line: 2, seq: 2 }, 'before it is sealed');
    await write(file, 'c');
    const torn = bytes.subarray(second, cut);
    const lines = await linesOf(file);
    t.equal(lines[1], torn.toString(), 'the remains stay');
    t.match(JSON.parse(lines[2] ?? ''), {
      seq: 2,
      prev: sha256Hex(lines[0] ?? ''),
      seal: { bytes: torn.length, sha256: sha256Hex(torn) },
    });
    t.match(JSON.parse(lines[3] ?? ''), { seq: 3, prev: sha256Hex(lines[2] ?? ''), request_id: 'c' });
    t.match(await verifyAudit(file), {
      ok: true,
      records: 2,
      sealed: [{ file, line: 2, bytes: torn.length }],
      last: { seq: 3 },
    });
  }
  const { size } = await stat(whole);
  await truncate(whole, size - 1);
  await write(whole, 'c');
  t.match(
    await verifyAudit(whole),
    { ok: true, records: 3, last: { seq: 3 }, sealed: { length: 0 } },
    'only the line feed was lost: the record is whole and counts',
  );
});

t.test('the first line of all torn', async (t) => {
  const dir = await scratch(t);
  const whole = join(dir, 'whole.jsonl');
  await write(whole, 'a');
  const bytes = await readFile(whole);
  for (const start of [
    bytes.subarray(0, 1),
    bytes.subarray(0, 40),
    bytes.subarray(0, -2),
    Buffer.alloc(4096),
  ]) {
    const file = join(dir, `${start.length}.jsonl`);
    await writeFile(file, start);
    await write(file, 'b');
    t.match(await verifyAudit(file), { ok: true, records: 1, first: { seq: 1 }, sealed: [{ line: 1 }] });
  }
});

t.test('holes and broken lines that a lost machine leaves at the end are sealed together', async (t) => {
  const dir = await scratch(t);
  const cases: Record<string, (lines: string[]) => string> = {
    'zeros after whole lines': (lines) => `${lines.join('\n')}\n${'\0'.repeat(5_000)}`,
    'a hole in the last line': (lines) => `${lines[0]}\n${lines[1]}\n\0\0\0${lines[2]?.slice(3)}\n`,
    'a hole in the line before a whole one': (lines) =>
      `${lines[0]}\n${lines[1]?.slice(0, -9)}${'\0'.repeat(9)}\n${lines[2]}\n`,
    'an empty line': (lines) => `${lines.join('\n')}\n\n`,
    'several broken lines': (lines) => `${lines[0]}\nx\n\ny\n${lines[2]?.slice(0, 50)}`,
  };
  for (const [name, damage] of Object.entries(cases)) {
    const file = join(dir, `${name}.jsonl`);
    await write(file, 'a', 'b', 'c');
    await writeFile(file, damage(await linesOf(file)));
    await write(file, 'd');
    const verdict = await verifyAudit(file);
    t.match(verdict, { ok: true, sealed: [{ file }] }, name);
    t.equal(verdict.ok && verdict.sealed.length, 1, name);
    t.match((await linesOf(file)).at(-1), /"request_id":"d"/, name);
  }
});

t.test('a seal that was torn itself, and torn again', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  await write(file, 'a');
  await appendFile(file, '{"seq":2,"pre');
  // Cut inside the seal, once so that only its line feed is lost.
  for (const lost of [40, 1, 100]) {
    await write(file);
    await truncate(file, (await stat(file)).size - lost);
  }
  await write(file, 'b');
  t.match(await verifyAudit(file), { ok: true, records: 2, sealed: [{ line: 2 }] });
  t.equal((await verifyAudit(file)).last?.seq, 3);
});

t.test('a seal answers for exactly the bytes it names', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  await write(file, 'a');
  await appendFile(file, '{"seq":2,"pre');
  await write(file, 'b', 'c');
  const lines = await linesOf(file);
  await writeFile(
    file,
    `${lines.map((line, i) => (i === 1 ? line.replace('pre', 'prE') : line)).join('\n')}\n`,
  );
  t.match(await verifyAudit(file), { ok: false, reason: 'not-json', line: 2, seq: 2, last: { seq: 1 } });
  await writeFile(file, `${lines.filter((_, i) => i !== 1).join('\n')}\n`);
  t.match(await verifyAudit(file), { ok: true }, 'remains that are removed whole leave the chain as it is');
});

t.test('a seal that cannot be written keeps the file from being opened', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  await write(file, 'a');
  await appendFile(file, '{"seq":2,"pre');
  const before = await readFile(file, 'utf8');
  const ops = new TestOps();
  ops.onWrite = () => systemError('ENOSPC');
  await t.rejects(openAuditFile({ file, durability: 'async' }, { ops, now }), { code: 'ENOSPC' });
  t.equal(await readFile(file, 'utf8'), before);
  await write(file, 'b');
  t.same((await linesOf(file)).length, 4);
});

t.test('a long file is opened by its end', async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const audit = await openAuditFile({ file, durability: 'durable' }, { now });
  await Promise.all(Array.from({ length: 7_000 }, (_, i) => audit.append(auditRecord(`${i}`))));
  await audit.close();
  t.ok((await stat(file)).size > 5 * 1024 * 1024);
  await appendFile(file, '{"seq":');
  await write(file, 'after');
  t.match(await verifyAudit(file), { ok: true, records: 7_001, sealed: [{ line: 7_001, bytes: 7 }] });
});
