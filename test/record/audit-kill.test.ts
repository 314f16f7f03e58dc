import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openAuditFile, verifyAudit } from '../../src/record/index.js';
import { scratch, until } from './helpers.js';

const CHILD = fileURLToPath(new URL('./audit-kill-child.js', import.meta.url));
const ROUNDS = Number(process.env.ASSAY_KILL_ROUNDS ?? 15);

/** Starts a writer, kills it with SIGKILL at a random moment, and gives what it acknowledged before. */
async function killedWriter(file: string, round: number): Promise<string[]> {
  const piece = round % 2 === 0 ? '0' : '150';
  const child = spawn(process.execPath, [CHILD, file, `${round}`, piece], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  await Promise.race([until(() => out.includes('\n')), closed]);
  if (child.exitCode !== null) throw new Error(errors);
  await pause(Math.random() * 60);
  child.kill('SIGKILL');
  await closed;
  // What stands behind the last line feed was not printed whole.
  return out.split('\n').slice(1, -1);
}

const NAME = `kill -9 at ${ROUNDS} random moments: every acknowledged record is in the file, and the chain holds`;
const TIMEOUT = 20_000 + ROUNDS * 3_000;

t.setTimeout(TIMEOUT + 1_000);
t.test(NAME, { timeout: TIMEOUT }, async (t) => {
  const file = join(await scratch(t), 'audit.jsonl');
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.push(...(await killedWriter(file, round)));
    const after = await verifyAudit(file);
    t.ok(after.ok || after.reason === 'torn', `round ${round}: at most a torn end`);
  }
  // The last end may be torn: opening once more seals it.
  await (await openAuditFile({ file, durability: 'durable' })).close();
  const text = await readFile(file, 'utf8');
  const present = new Set(Array.from(text.matchAll(/"request_id":"([^"]+)"/g), (match) => match[1]));
  const missing = acknowledged.filter((id) => !present.has(id));
  t.same(missing, [], 'no acknowledged record is missing');
  const verdict = await verifyAudit(file);
  t.match(verdict, { ok: true, refused: 0 });
  t.ok(acknowledged.length >= ROUNDS, `${acknowledged.length} records acknowledged`);
  const sealed = verdict.ok ? verdict.sealed.length : 0;
  t.comment(`${acknowledged.length} acknowledged, ${present.size} present, ${sealed} torn ends sealed`);
});
