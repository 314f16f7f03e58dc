import { readFile } from 'node:fs/promises';
import t from 'tap';
import { chainedLine, GENESIS, MAX_LINE_BYTES, readLine, recordBody } from '../../src/record/audit-line.js';
import { type AuditRecord, cut, faultRecord, MAX_RELATED, sha256Hex } from '../../src/record/index.js';
import { auditRecord } from './helpers.js';

t.test('a line is the chain and then the record, member for member', async (t) => {
  const record = auditRecord('req.00000001');
  const { line, point } = chainedLine(GENESIS, recordBody(record));
  t.equal(line.toString(), `{"seq":1,"prev":"${'0'.repeat(64)}",${JSON.stringify(record).slice(1)}`);
  t.same(point, { seq: 1, sha256: sha256Hex(line) });
  t.match(readLine(Buffer.from(line)), {
    seq: 1,
    prev: GENESIS.sha256,
    sha256: point.sha256,
    kind: 'record',
    seal: null,
  });
});

t.test('members that a record does not have are not written', async (t) => {
  const record = { ...auditRecord('req.00000001'), body: 'secret' };
  t.notMatch(recordBody(record), /secret/);
});

t.test('what a terminal acts upon or hides is escaped, and reads back the same', async (t) => {
  const hidden = [
    '\u009b2J',
    '\u007f',
    '\u202eab',
    '\u2028',
    '\u200b',
    '\u{e0041}',
    '\ue000',
    '\ufdd0',
    '\ud800',
  ];
  const fault = { instance: `/${hidden.join('/')}`, rule: 'caf\u00e9 \u{1f600}' };
  const body = recordBody({ ...auditRecord('req.00000001'), fault });
  t.match(body, /^[ -~\u00e9\u{1f600}]+$/u, 'only what is seen as it is');
  t.match(body, 'caf\u00e9 \u{1f600}');
  t.strictSame(JSON.parse(body).fault, fault);
});

t.test('the worst record is still a bounded line', async (t) => {
  // A control character is the costliest: six bytes in JSON.
  const long = '\u0001'.repeat(100_000);
  const found = { instance: long, schema: long, rule: long };
  const number = -1.797693134862315e-300;
  const attempt = { status: number, ms: number, wire_bytes: number, decoded_bytes: number, fault: null };
  const record: AuditRecord = {
    ...auditRecord(long, long),
    sidecar: long,
    tool: long,
    route: { method: long, path: long },
    request_sha256: long,
    agent: long,
    contract: { name: long, version: long, digest: long },
    config_digest: long,
    upstream: long,
    attempts: Array.from({ length: 1_000 }, () => attempt),
    fault: { instance: long, schema: long, rule: long, note: long, related: Array(1_000).fill(found) },
    body_sha256: long,
    answer: { status: number, sha256: long, bytes: number },
    quarantine: long,
  };
  const { line } = chainedLine(
    { seq: Number.MAX_SAFE_INTEGER - 1, sha256: GENESIS.sha256 },
    recordBody(record),
  );
  t.ok(line.length <= MAX_LINE_BYTES, `${line.length} bytes`);
  t.ok(line.length > MAX_LINE_BYTES / 4, 'the bound is of the right order');
  t.match(readLine(Buffer.from(line)), { kind: 'record' });
});

t.test('a fault in a record', async (t) => {
  t.equal(faultRecord(null), null);
  t.same(faultRecord({}), {});
  const detail = { agent: 'NOT_FOUND', instance: '/a', offset: 3, note: 'x', retryAfter: 4 } as const;
  t.same(faultRecord(detail), detail);
  const related = Array.from({ length: 20 }, (_, i) => ({ instance: `/${i}`, schema: '/s', rule: 'type' }));
  t.same(faultRecord({ related }), { related: related.slice(0, MAX_RELATED) });
});

t.test('cutting never leaves half a character', async (t) => {
  t.equal(cut('abcd', 4), 'abcd');
  t.equal(cut('abcde', 4), 'abc…');
  t.equal(cut('ab😀de', 4), 'ab…');
});

t.test('lines that are none of ours', async (t) => {
  const read = (text: string) => readLine(Buffer.from(text));
  t.equal(read(''), null);
  t.equal(read('{"seq":1,"prev"'), null);
  t.equal(read('[]'), 'unchained');
  t.equal(read('{"a":1}'), 'unchained');
  t.equal(read(`{"seq":0,"prev":"${'0'.repeat(64)}","time":""}`), 'unchained');
  t.equal(read(`{"prev":"${'0'.repeat(64)}","seq":1,"time":""}`), 'unchained');
  t.equal(read(`{"seq":1,"prev":"${'0'.repeat(64)}"}`), 'unchained');
  t.match(read(`{"seq":1,"prev":"${'0'.repeat(64)}","time":""}`), { seq: 1 });
});

t.test('docs/audit.md has every member, in the order in which it is written', async (t) => {
  const docs = await readFile(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  const [, section = ''] = docs.split('\n## A line\n');
  const rows = Array.from(
    section.split('\n## ')[0]?.matchAll(/^\| `([a-z0-9_]+)` \|/gm) ?? [],
    (match) => match[1],
  );
  const { line } = chainedLine(GENESIS, recordBody(auditRecord('req.00000001')));
  t.same(rows, Object.keys(JSON.parse(line.toString())));
});
