import { appendFile, copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { chainedLine, recordBody } from '../../src/record/audit-line.js';
import {
  type AuditReason,
  type AuditVerdict,
  formatVerdict,
  openAuditFile,
  sha256Hex,
  verifyAudit,
} from '../../src/record/index.js';
import { auditRecord, linesOf, scratch, writeLines } from './helpers.js';

const COUNT = 8;

/** A chain of eight records, and the same with its lines altered. */
async function chain(t: import('tap').Test) {
  const dir = await scratch(t);
  const file = join(dir, 'audit.jsonl');
  const audit = await openAuditFile({ file, durability: 'durable' });
  for (let i = 1; i <= COUNT; i++) await audit.append(auditRecord(`req.${i}`));
  await audit.close();
  const lines = await linesOf(file);
  const altered = join(dir, 'altered.jsonl');
  const after = async (alter: (lines: string[]) => string[]): Promise<AuditVerdict> => {
    await writeLines(altered, alter([...lines]));
    return verifyAudit(altered);
  };
  return { dir, file, lines, altered, after };
}

function broken(reason: AuditReason, line: number, seq: number | null, last?: number) {
  return { ok: false, reason, line, seq, ...(last !== undefined && { last: { seq: last } }) };
}

t.test('intact', async (t) => {
  const { file, lines, after } = await chain(t);
  const last = { seq: COUNT, sha256: sha256Hex(lines[COUNT - 1] ?? '') };
  t.same(await verifyAudit(file), {
    ok: true,
    files: [file],
    records: COUNT,
    sealed: [],
    refused: 0,
    first: { seq: 1, prev: '0'.repeat(64) },
    last,
    anchor: null,
  });
  t.match(await after((lines) => lines), { ok: true });
});

t.test('changed: every record but the last is caught, and named', async (t) => {
  const { after, lines } = await chain(t);
  for (let at = 0; at < COUNT - 1; at++) {
    const verdict = await after((lines) => lines.with(at, lines[at]?.replace('success', 'failure') ?? ''));
    t.match(verdict, broken('changed', at + 1, at + 1, at === 0 ? undefined : at), `record ${at + 1}`);
    // Not one character, wherever it stands.
    const character = (at * 131) % (lines[at]?.length ?? 1);
    const flipped = await after((lines) => {
      const bytes = Buffer.from(lines[at] ?? '');
      bytes[character] = (bytes[character] ?? 0) ^ 1;
      return lines.with(at, bytes.toString());
    });
    t.match(flipped, { ok: false, line: at + 1 }, `record ${at + 1}, byte ${character}`);
  }
  t.match(
    await after((lines) => lines.with(-1, lines.at(-1)?.replace('success', 'failure') ?? '')),
    { ok: true },
    'the last record is only held by an anchor',
  );
});

t.test('changed: the chain members themselves', async (t) => {
  const { after } = await chain(t);
  const edit = (at: number, from: RegExp, to: string) =>
    after((lines) => lines.with(at, lines[at]?.replace(from, to) ?? ''));
  t.match(await edit(3, /"seq":4/, '"seq":40'), broken('changed', 4, 4, 3));
  t.match(await edit(3, /"seq":4/, '"seq":2'), broken('changed', 4, 4, 3));
  t.match(await edit(3, /"prev":"./, '"prev":"_'), broken('changed', 4, 4, 3));
  t.match(await edit(3, /"prev":"[0-9a-f]{4}/, '"prev":"0000'), broken('changed', 4, 4, 3));
  t.match(await edit(3, /"seq":4,/, ''), broken('changed', 4, 4, 3));
  t.match(await edit(0, /"prev":"0/, '"prev":"1'), broken('changed', 1, 1), 'the first');
});

t.test('dropped', async (t) => {
  const { after } = await chain(t);
  for (let at = 1; at < COUNT - 1; at++) {
    t.match(await after((lines) => lines.toSpliced(at, 1)), broken('dropped', at + 1, at + 1, at));
  }
  const several = await after((lines) => lines.toSpliced(2, 3));
  t.match(several, { ...broken('dropped', 3, 3, 2), detail: 'records 3 to 5 are missing before this line' });
  t.match(await after((lines) => lines.slice(1)), { ok: true, first: { seq: 2 } }, 'as retention does');
  t.match(
    await after((lines) => lines.slice(0, -1)),
    { ok: true, last: { seq: 7 } },
    'the end: only an anchor shows it',
  );
});

t.test('inserted', async (t) => {
  const { after, lines } = await chain(t);
  const copy = lines[1] ?? '';
  for (let at = 2; at <= COUNT; at++) {
    t.match(
      await after((lines) => lines.toSpliced(at, 0, copy)),
      broken('inserted', at + 1, 2),
      `copy at ${at + 1}`,
    );
  }
  const forged = chainedLine(
    { seq: 3, sha256: sha256Hex(lines[2] ?? '') },
    recordBody(auditRecord('forged')),
  );
  const fitting = await after((lines) => lines.toSpliced(3, 0, forged.line.toString()));
  t.match(fitting, broken('inserted', 4, 4, 3), 'the forged one is named, not the true one after it');
  const loose = chainedLine(
    { seq: 3, sha256: 'f'.repeat(64) },
    recordBody(auditRecord('forged')),
  ).line.toString();
  t.match(await after((lines) => lines.toSpliced(3, 0, loose)), broken('inserted', 4, 4, 3));
  t.match(await after((lines) => lines.toSpliced(3, 0, '{"note":"hello"}')), broken('inserted', 4, null, 3));
  t.match(await after((lines) => lines.toSpliced(3, 0, 'hello')), broken('not-json', 4, 4, 3));
  t.match(await after((lines) => lines.toSpliced(3, 0, '')), broken('not-json', 4, 4, 3));
});

t.test('reordered', async (t) => {
  const { after } = await chain(t);
  for (let at = 1; at < COUNT - 1; at++) {
    const swapped = await after((lines) => lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? ''));
    t.match(swapped, broken('reordered', at + 1, at + 2, at), `${at + 1} and ${at + 2}`);
  }
  const moved = await after((lines) => [...lines.toSpliced(2, 1), lines[2] ?? '']);
  t.match(moved, broken('reordered', 3, 4, 2), 'one moved to the end');
});

t.test('torn: the end of the newest file', async (t) => {
  const { altered, lines } = await chain(t);
  await writeFile(altered, lines.join('\n'));
  t.match(await verifyAudit(altered), broken('torn', COUNT, COUNT, COUNT - 1));
});

t.test('over several files', async (t) => {
  const { dir, lines } = await chain(t);
  const files = ['x-2025-01-01.jsonl', 'x-2025-01-02.jsonl', 'x.jsonl'].map((name) => join(dir, name));
  const [one = '', two = '', three = ''] = files;
  await writeLines(one, lines.slice(0, 3));
  await writeLines(two, lines.slice(3, 5));
  await writeLines(three, lines.slice(5));
  t.match(await verifyAudit(three), { ok: true, files, records: COUNT });
  t.match(await verifyAudit([one, three]), { ...broken('dropped', 1, 4, 3), file: three });
  t.match(await verifyAudit([two, one, three]), { ...broken('inserted', 1, 1, 5), file: one });
  await rm(two);
  t.match(
    await verifyAudit(three),
    { ...broken('dropped', 1, 4, 3), file: three },
    'a file removed from the middle',
  );
  await rm(one);
  t.match(await verifyAudit(three), { ok: true, records: 3, first: { seq: 6 } });
  await rm(three);
  t.match(await verifyAudit(three), { ...broken('unreadable', 0, null), file: three });
  t.match(await verifyAudit([one]), { ...broken('unreadable', 0, null), file: one });
});

t.test('an anchor shows what the chain alone cannot', async (t) => {
  const { file, altered, lines } = await chain(t);
  const at = (seq: number) => ({ anchor: { seq, sha256: sha256Hex(lines[seq - 1] ?? '') } });
  for (let seq = 1; seq <= COUNT; seq++)
    t.match(await verifyAudit(file, at(seq)), { ok: true, anchor: 'held' });
  await writeLines(altered, lines.slice(0, 5));
  t.match(await verifyAudit(altered, at(8)), { ...broken('anchor', 5, 8, 5), detail: /its end is missing/ });
  await writeLines(altered, lines.with(-1, lines.at(-1)?.replace('success', 'failure') ?? ''));
  t.match(await verifyAudit(altered, at(8)), broken('anchor', 8, 8, 7), 'the last record changed');
  // Everything written anew, consistent in itself.
  let point = { seq: 0, sha256: '0'.repeat(64) };
  const rewritten = lines.map((_, i) => {
    const next = chainedLine(point, recordBody(auditRecord(`other.${i}`)));
    point = next.point;
    return next.line.toString();
  });
  await writeLines(altered, rewritten);
  t.match(await verifyAudit(altered), { ok: true });
  t.match(await verifyAudit(altered, at(4)), broken('anchor', 4, 4, 3));
  await writeLines(altered, lines.slice(4));
  t.match(await verifyAudit(altered, at(4)), { ok: true, anchor: 'held' }, 'named by the oldest line');
  t.match(await verifyAudit(altered, { anchor: { seq: 4, sha256: 'f'.repeat(64) } }), broken('anchor', 1, 4));
  t.match(await verifyAudit(altered, at(3)), { ok: true, anchor: 'older' });
  await writeLines(altered, []);
  t.match(await verifyAudit(altered, at(3)), broken('anchor', 0, 3));
});

t.test('nothing to verify', async (t) => {
  const { altered } = await chain(t);
  await writeLines(altered, []);
  t.match(await verifyAudit(altered), { ok: true, records: 0, first: null, last: null });
  t.match(await verifyAudit([]), { ok: true, records: 0, files: [] });
});

t.test('a line beyond all bounds is refused without being kept', async (t) => {
  const { altered, lines } = await chain(t);
  await writeLines(altered, [...lines, 'x'.repeat(9 * 1024 * 1024), ...lines]);
  t.match(await verifyAudit(altered), broken('not-json', COUNT + 1, COUNT + 1, COUNT));
});

t.test('while a sidecar writes and rotates', async (t) => {
  const { file } = await chain(t);
  let now = Date.now();
  const audit = await openAuditFile({ file, durability: 'durable' }, { now: () => now });
  let going = true;
  const writing = (async () => {
    for (let i = 0; going; i++) {
      if (i % 5 === 0) now += 86_400_000;
      await Promise.all([audit.append(auditRecord(`a.${i}`)), audit.append(auditRecord(`b.${i}`))]);
    }
  })();
  for (let i = 0; i < 10; i++) t.match(await verifyAudit(file), { ok: true });
  going = false;
  await writing;
  await audit.close();
  t.match(await verifyAudit(file), { ok: true, last: audit.head });
});

t.test('what a person reads', async (t) => {
  const { dir, file, altered, lines } = await chain(t);
  const head = sha256Hex(lines.at(-1) ?? '');
  t.equal(
    formatVerdict(await verifyAudit(file)),
    `8 records in 1 file, chain intact\n  first 1\n  head  8 ${head}\n`,
  );
  await writeLines(altered, lines.toSpliced(2, 1));
  t.equal(
    formatVerdict(await verifyAudit(altered)),
    `${altered}:3: dropped: record 3 is missing before this line\n  the chain holds up to seq 2\n`,
  );
  t.equal(
    formatVerdict(await verifyAudit(join(dir, 'none'))),
    `${join(dir, 'none')}: unreadable: the file cannot be read (ENOENT)\n`,
  );
  await copyFile(file, altered);
  await appendFile(altered, 'torn');
  const audit = await openAuditFile({ file: altered, durability: 'durable' });
  await audit.close();
  const verdict = await verifyAudit(altered, { anchor: { seq: 8, sha256: head } });
  t.equal(
    formatVerdict(verdict),
    `8 records in 1 file, chain intact\n  first 1\n  head  9 ${audit.head.sha256}\n` +
      `  sealed ${altered}:9, 4 bytes of a cut write\n  contains the anchor\n`,
  );
});
