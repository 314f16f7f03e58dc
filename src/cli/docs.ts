import { writeFileSync } from 'node:fs';
import { COMMANDS } from './commands.js';
import { configurationDocument } from './config-docs.js';
import { cliDocument, operatorCodesDocument } from './docs-text.js';

/** `npm run docs`: writes the documents that are made from the program, beside the compiled output. */
const folder = new URL('../../../docs/', import.meta.url);
writeFileSync(new URL('cli.md', folder), cliDocument(COMMANDS));
writeFileSync(new URL('configuration.md', folder), configurationDocument());
writeFileSync(new URL('operator-codes.md', folder), operatorCodesDocument());
