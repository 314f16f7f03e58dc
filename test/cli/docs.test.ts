import { readFile } from 'node:fs/promises';
import t from 'tap';
import { COMMANDS } from '../../src/cli/commands.js';
import { configurationDocument } from '../../src/cli/config-docs.js';
import { cliDocument, operatorCodesDocument } from '../../src/cli/docs-text.js';
import { ownSchema } from '../../src/config/index.js';
import { BUILT_IN_PROFILES, REQUEST_ID } from '../../src/envelope/index.js';
import { OPERATOR_CODES } from '../../src/fault/index.js';

const docs = new URL('../../../docs/', import.meta.url);

t.test('the documents are those that the program makes: npm run docs', async (t) => {
  t.equal(await readFile(new URL('cli.md', docs), 'utf8'), cliDocument(COMMANDS));
  t.equal(await readFile(new URL('configuration.md', docs), 'utf8'), configurationDocument());
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

t.test('the configuration page has every key, its default, and every built-in profile', async (t) => {
  const text = configurationDocument();
  const keys = (schema: unknown): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const own = 'properties' in schema && typeof schema.properties === 'object' ? schema.properties : {};
    return [...Object.keys(own ?? {}), ...Object.values(schema).flatMap(keys)];
  };
  const all = new Set(keys(ownSchema('config')));
  t.ok(all.size > 60);
  for (const key of all) t.ok(text.includes(`\n| \`${key}\` | `), key);
  for (const [name, { body, headers }] of BUILT_IN_PROFILES) {
    t.ok(text.includes(`\n### ${name}\n`), name);
    if (body !== undefined) t.ok(text.includes(`\n- Body: \`${JSON.stringify(body)}\`\n`), name);
    for (const [header, value] of Object.entries(headers)) t.ok(text.includes(`\`${header}: ${value}\``));
  }
  t.match(text, '| `wire_bytes` | [size](#forms-of-values) | `"1 MiB"` |');
  t.match(text, REQUEST_ID.source);
});
