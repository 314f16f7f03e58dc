import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, formatDiagnostic } from '../../src/fault/index.js';

/** The folder of these tests, as it stands in the project. */
export const HOME = fileURLToPath(new URL('../../../test/config/', import.meta.url));

/** Diagnostics as a person sees them, paths starting at `folder`. */
export function asShown(diagnostics: readonly Diagnostic[], folder: string): string {
  return diagnostics.map(formatDiagnostic).join('\n').replaceAll(folder, '').replaceAll(HOME, '');
}

/** The text that a file beside the test has for it. TAP_SNAPSHOT=1 writes what was shown into the file. */
export function expected(file: string, shown: string): string {
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(file, shown);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
