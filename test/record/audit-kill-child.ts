/**
 * Run by audit-kill.test.ts: appends records durably, eight at a time, and prints the id of each one that is
 * acknowledged, until it is killed. Arguments: the file, a prefix for ids, and how many bytes a write takes at most
 * (0: all), so that a kill can fall into the middle of a batch.
 */
import { writeSync } from 'node:fs';
import { openAuditFile } from '../../src/record/index.js';
import { auditRecord, TestOps } from './helpers.js';

const [file = '', prefix = '', piece = '0'] = process.argv.slice(2);
const ops = new TestOps();
if (piece !== '0') ops.onWrite = () => Number(piece);
const audit = await openAuditFile({ file, durability: 'durable' }, { ops });
writeSync(1, 'ready\n');
let count = 0;

async function append(): Promise<void> {
  for (;;) {
    const id = `${prefix}.${count++}`;
    if (await audit.append(auditRecord(id, new Date().toISOString()))) writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, append));
