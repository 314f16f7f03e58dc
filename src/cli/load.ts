import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadSettings, type Settings } from '../config/index.js';
import { formatDiagnostic } from '../fault/index.js';
import { type Arguments, DEFAULT_CONFIG } from './command.js';
import type { Exit } from './exit-codes.js';
import type { Io } from './io.js';

export interface Loaded {
  readonly file: string;
  readonly settings: Settings;
}

/** Loads the configuration that `--config` names, or prints every problem and gives the exit. */
export async function load(args: Arguments, io: Io): Promise<Loaded | { readonly exit: Exit }> {
  const file = args.values.config ?? DEFAULT_CONFIG;
  const unreadable = await whyUnreadable(file);
  if (unreadable !== undefined) {
    const given = args.values.config !== undefined;
    const remedy = given ? 'check the path that --config gives' : 'give its path with --config FILE';
    io.err(`assay: no configuration at ${resolve(file)}: ${unreadable}\n  = ${remedy}\n`);
    return { exit: 'CONFIG' };
  }
  const result = await loadSettings(file, io.env);
  if ('settings' in result) return { file, settings: result.settings };

  const count = result.diagnostics.length;
  io.err(result.diagnostics.map(formatDiagnostic).join('\n'));
  io.err(`\n${count} ${count === 1 ? 'problem' : 'problems'} in ${file} and what it names\n`);
  return { exit: 'CONFIG' };
}

async function whyUnreadable(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).isDirectory()) return 'it is a directory';
    await access(file, constants.R_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'there is no such file';
    if (code === 'EACCES') return 'it may not be read by this user';
    return String(code);
  }
}
