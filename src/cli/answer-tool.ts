import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../config/index.js';
import type { ContractDefinition } from '../contract/index.js';
import { formatDiagnostic } from '../fault/index.js';
import { type AuditFile, LockHeldError, openAuditFile } from '../record/index.js';
import { openTool, type Tool, toolOfRoute } from '../tooling/index.js';
import type { AnswerOptions } from './answer-options.js';
import type { Arguments } from './command.js';
import type { Exit } from './exit-codes.js';
import type { Io } from './io.js';

export interface FoundTool {
  readonly tool: Tool;
  readonly definition: ContractDefinition;
  /** Flushes and closes the audit file, where there is one. */
  close(): Promise<void>;
}

/** The tool that the command line names, its audit file open; or prints what is wrong and gives the exit. */
export function findTool(
  args: Arguments,
  options: AnswerOptions,
  io: Io,
): Promise<FoundTool | { readonly exit: Exit }> {
  return args.values.config === undefined ? inFolder(args, options, io) : inConfiguration(args, options, io);
}

async function inConfiguration(
  args: Arguments,
  { tool: name, major, limits }: AnswerOptions,
  io: Io,
): Promise<FoundTool | { readonly exit: Exit }> {
  const { load } = await import('./load.js');
  const loaded = await load(args, io);
  if ('exit' in loaded) return loaded;
  const { routes, contracts, audit } = loaded.settings;
  const route = routes.find(
    ({ tool, contract }) => tool === name && (major === undefined || contract.name === `${name}@${major}`),
  );
  const source = contracts.find((one) => one.source.name === route?.contract.name)?.source;
  if (route === undefined || source === undefined) {
    const tools = [...new Set(routes.map(({ contract }) => contract.name))].join(', ');
    io.err(`assay answer: no route of ${loaded.file} has the tool ${name}\n  = it has ${tools}\n`);
    return { exit: 'CONFIG' };
  }
  const kept = await opened(args.values.audit ?? audit?.file, io);
  if ('exit' in kept) return kept;
  const { definition } = source;
  const tool = toolOfRoute(route, definition, { ...kept.sink, limits, configDigest: loaded.settings.digest });
  return { tool, definition, close: kept.close };
}

async function inFolder(
  args: Arguments,
  { tool: name, major, limits }: AnswerOptions,
  io: Io,
): Promise<FoundTool | { readonly exit: Exit }> {
  const root = args.values.contracts ?? 'schemas';
  const majors = major === undefined ? majorsIn(join(root, name)) : [major];
  const [only, another] = majors;
  if (only === undefined) {
    io.err(
      `assay answer: there is no contract ${join(root, name)}\n  = write it, or give the folder of contracts with --contracts DIR\n`,
    );
    return { exit: 'CONFIG' };
  }
  if (another !== undefined) {
    const choices = majors.map((one) => `${name}@${one}`).join(' or ');
    io.err(`assay answer: the tool ${name} has several contracts\n  = write ${choices}\n`);
    return { exit: 'USAGE' };
  }
  const folder = join(root, name, only);
  const loaded = loadContract(folder);
  const kept = 'source' in loaded ? await opened(args.values.audit, io) : undefined;
  if (kept !== undefined && 'exit' in kept) return kept;
  const tool = openTool(folder, { ...kept?.sink, limits });
  if (!('answer' in tool) || !('source' in loaded)) {
    await kept?.close();
    io.err('diagnostics' in tool ? tool.diagnostics.map(formatDiagnostic).join('\n') : '');
    return { exit: 'CONFIG' };
  }
  return { tool, definition: loaded.source.definition, close: async () => kept?.close() };
}

function majorsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9]{1,9}$/.test(name));
  } catch {
    return [];
  }
}

interface Kept {
  readonly sink: { readonly audit?: AuditFile };
  close(): Promise<void>;
}

/** The audit file, durable: the answer is only printed when its record is on disk. */
async function opened(file: string | undefined, io: Io): Promise<Kept | { readonly exit: Exit }> {
  if (file === undefined) return { sink: {}, close: async () => {} };
  try {
    const audit = await openAuditFile({ file, durability: 'durable' });
    return { sink: { audit }, close: () => audit.close() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const remedy =
      error instanceof LockHeldError
        ? 'a sidecar that runs keeps its own: give another file with --audit FILE'
        : 'give a file that can be written with --audit FILE';
    io.err(`assay answer: the audit file ${file} cannot be opened: ${why}\n  = ${remedy}\n`);
    return { exit: 'RUNTIME' };
  }
}
