import { readFile } from 'node:fs/promises';
import t from 'tap';
import { COMMANDS } from '../../src/cli/commands.js';
import { cliDocument, operatorCodesDocument } from '../../src/cli/docs-text.js';
import { OPERATOR_CODES } from '../../src/fault/index.js';

const docs = new URL('../../../docs/', import.meta.url);

t.test('the documents are those that the program makes: npm run docs', async (t) => {
  t.equal(await readFile(new URL('cli.md', docs), 'utf8'), cliDocument(COMMANDS));
  t.equal(await readFile(new URL('operator-codes.md', docs), 'utf8'), operatorCodesDocument());
});

t.test('every code has one anchor, its sentence and its remedy', async (t) => {
  const text = operatorCodesDocument();
  for (const [code, row] of Object.entries(OPERATOR_CODES)) {
    t.equal(text.split(`\n### ${code}\n`).length, 2, code);
    t.ok(text.includes(`\n${row.what}\n`), code);
    t.ok(text.includes(`\n- What to do: ${row.remedy}\n`), code);
  }
});
