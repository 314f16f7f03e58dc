import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openAuditFile } from '../../src/record/index.js';
import { REFUSED } from '../server/records.js';
import { assay } from './assay.js';
import { config, project } from './project.js';

t.test('a chain that holds, and one that was changed', async (t) => {
  const file = join(await project(t), 'audit.jsonl');
  const audit = await openAuditFile({ file, durability: 'durable' });
  for (let i = 0; i < 3; i++) await audit.append({ ...REFUSED, request_id: `req.0000000${i}` });
  const { head } = audit;
  await audit.close();

  const good = await assay(['audit', 'verify', file]);
  t.match(good, { exit: 'OK', out: /^3 records in 1 file, chain intact\n/, err: '' });
  t.match(good.out, `head  ${head.seq} ${head.sha256}`);
  const anchor = `${head.seq}:${head.sha256}`;
  t.match(await assay(['audit', 'verify', file, '--anchor', anchor]), {
    exit: 'OK',
    out: /contains the anchor/,
  });
  t.match(await assay(['audit', 'verify', file, '--anchor', `2:${'0'.repeat(64)}`]), { exit: 'FAILED' });
  t.match(await assay(['audit', 'verify', file, '--anchor', 'x']), { exit: 'USAGE' });

  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('"req.00000001"', '"req.00000009"'));
  t.match(await assay(['audit', 'verify', file]), { exit: 'FAILED', out: '', err: /changed/ });
  await writeFile(file, text.split('\n').toSpliced(1, 1).join('\n'));
  t.match(await assay(['audit', 'verify', file]), { exit: 'FAILED', err: /dropped/ });
  t.match(await assay(['audit', 'verify', join(file, 'none')]), { exit: 'RUNTIME', err: /cannot be read/ });
});

t.test('of the configuration only audit.file is needed, no secret and no contract', async (t) => {
  const dir = await project(t);
  const file = join(dir, 'audit.jsonl');
  const audit = await openAuditFile({ file, durability: 'durable' });
  await audit.append(REFUSED);
  await audit.close();
  const server = '{ agent_auth: { bearer: { secret: NOWHERE } } }';
  const text = config('http://127.0.0.1:9', server)
    .replace('var/audit.jsonl', file)
    .replace('thing@1', 'nothing@1');
  await writeFile(join(dir, 'config/assay.yaml'), text);
  t.match(await assay(['audit', 'verify', '-c', join(dir, 'config/assay.yaml')]), {
    exit: 'OK',
    out: /^1 record in 1 file, chain intact\n/,
    err: '',
  });
  await writeFile(join(dir, 'config/assay.yaml'), text.replace('audit: { file', 'audit: { flie'));
  t.match(await assay(['audit', 'verify', '-c', join(dir, 'config/assay.yaml')]), {
    exit: 'CONFIG',
    err: 'flie',
  });
});
