import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadPlaces, loadSettings, type Places, type Settings } from '../config/index.js';
import { type Diagnostic, formatDiagnostic } from '../fault/index.js';
import { type Arguments, DEFAULT_CONFIG } from './command.js';
import type { Exit } from './exit-codes.js';
import type { Io } from './io.js';

export interface Loaded {
  readonly file: string;
  readonly settings: Settings;
}

/** Loads the configuration that `--config` names and prints its warnings, or prints every problem and gives the exit. */
export async function load(args: Arguments, io: Io): Promise<Loaded | { readonly exit: Exit }> {
  const result = await read(args, io, (file) => loadSettings(file, io.env));
  if ('exit' in result) return result;
  for (const warning of result.settings.warnings) io.err(`assay: warning: ${warning}\n`);
  return result;
}

/** What the configuration says of a sidecar that runs elsewhere: neither secrets nor contracts are needed. */
export async function places(args: Arguments, io: Io): Promise<Places | { readonly exit: Exit }> {
  const result = await read(args, io, (file) => loadPlaces(file, io.env));
  return 'exit' in result ? result : result.places;
}

async function read<T extends object>(
  args: Arguments,
  io: Io,
  from: (file: string) => Promise<T | { readonly diagnostics: readonly Diagnostic[] }>,
): Promise<(T & { readonly file: string }) | { readonly exit: Exit }> {
  const file = args.values.config ?? DEFAULT_CONFIG;
  const unreadable = await whyUnreadable(file);
  if (unreadable !== undefined) {
    const given = args.values.config !== undefined;
    const remedy = given ? 'check the path that --config gives' : 'give its path with --config FILE';
    io.err(`assay: no configuration at ${resolve(file)}: ${unreadable}\n  = ${remedy}\n`);
    return { exit: 'CONFIG' };
  }
  const result = await from(file);
  if (!('diagnostics' in result)) return { ...result, file };

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
