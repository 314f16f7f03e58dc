import { parseArgs } from 'node:util';
import type { Exit } from './exit-codes.js';
import type { Io } from './io.js';

export interface OptionSpec {
  /** Long name, without dashes. */
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in help; absent: a flag. */
  readonly value?: string;
  readonly what: string;
  /** Takes a value each time it stands. */
  readonly repeatable?: true;
}

export interface Arguments {
  readonly operands: readonly string[];
  /** Values of the options that take one. */
  readonly values: Readonly<Record<string, string>>;
  /** Values of the options that may be repeated, in order. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
}

/** One command: a file of its own and a line in commands.ts. */
export interface Command {
  /** One or two words: `audit verify`. */
  readonly name: string;
  /** Operands as help shows them: `[CODE]`. */
  readonly operands?: string;
  readonly maxOperands?: number;
  /** One line, for the list. */
  readonly summary: string;
  /** Paragraphs, for its own help and docs/cli.md. */
  readonly description: readonly string[];
  readonly options: readonly OptionSpec[];
  /** How it can end, besides OK and USAGE. */
  readonly exits: readonly Exit[];
  /** Imports what it needs when it runs: no command waits for what only another one needs. */
  run(args: Arguments, io: Io): Promise<Exit>;
}

export const CONFIG_OPTION: OptionSpec = {
  name: 'config',
  short: 'c',
  value: 'FILE',
  what: 'the configuration; default config/assay.yaml',
};

export const DEFAULT_CONFIG = 'config/assay.yaml';

export const HELP_OPTION: OptionSpec = { name: 'help', short: 'h', what: 'this help' };

/** Splits a command's arguments, or says in one sentence what is wrong with them. */
export function parseArguments(
  command: Command,
  argv: readonly string[],
): Arguments | { readonly error: string } {
  const specs = [...command.options, HELP_OPTION];
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        specs.map(({ name, short, value, repeatable }) => [
          name,
          {
            type: value === undefined ? ('boolean' as const) : ('string' as const),
            multiple: repeatable === true,
            ...(short === undefined ? {} : { short }),
          },
        ]),
      ),
    });
    const most = command.maxOperands ?? 0;
    const extra = positionals[most];
    if (extra !== undefined) return { error: `unexpected argument '${extra}'` };
    const given = Object.entries(values);
    return {
      operands: positionals,
      values: Object.fromEntries(given.filter((e): e is [string, string] => typeof e[1] === 'string')),
      lists: Object.fromEntries(given.filter((e): e is [string, string[]] => Array.isArray(e[1]))),
      flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
    };
  } catch (error) {
    // The first sentence of parseArgs' own message names the option; the rest is advice for programmers.
    const message = error instanceof Error ? error.message : String(error);
    return { error: (message.split('. ')[0] ?? message).replace(/^\w/, (c) => c.toLowerCase()) };
  }
}
