import { type Command, parseArguments } from './command.js';
import { COMMANDS } from './commands.js';
import type { Exit } from './exit-codes.js';
import { commandHelp, overview } from './help.js';
import type { Io } from './io.js';

/** Runs one command line, without the program's name. */
export async function run(argv: readonly string[], io: Io): Promise<Exit> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    io.err(overview(COMMANDS));
    return 'USAGE';
  }
  if (first === '--version' || first === '-v') {
    const { VERSION } = await import('../server/index.js');
    io.out(`assay ${VERSION}\n`);
    return 'OK';
  }
  if (first === '--help' || first === '-h') return help(rest, io);
  if (first === 'help') return help(rest, io);
  const found = find(argv);
  if (found === undefined) return unknown(argv, io);

  const args = parseArguments(found.command, found.rest);
  if ('error' in args) {
    io.err(
      `assay ${found.command.name}: ${args.error}\n  = assay help ${found.command.name} tells its options\n`,
    );
    return 'USAGE';
  }
  if (args.flags.has('help')) {
    io.out(commandHelp(found.command));
    return 'OK';
  }
  return found.command.run(args, io);
}

async function help(words: readonly string[], io: Io): Promise<Exit> {
  if (words.length === 0) {
    io.out(overview(COMMANDS));
    return 'OK';
  }
  const found = find(words);
  if (found === undefined) return unknown(words, io);
  io.out(commandHelp(found.command));
  return 'OK';
}

/** The command that the first one or two words name. */
function find(words: readonly string[]): { command: Command; rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = COMMANDS.find((c) => c.name === name);
    if (command !== undefined) return { command, rest: words.slice(name.split(' ').length) };
  }
  return undefined;
}

async function unknown(words: readonly string[], io: Io): Promise<Exit> {
  const { nearest } = await import('../contract/index.js');
  const [first = ''] = words;
  const family = COMMANDS.filter((c) => c.name.startsWith(`${first} `)).map((c) => c.name);
  const near = nearest(first, [...COMMANDS.map((c) => c.name), 'help']);
  const meant = family.length > 0 ? family : near === undefined ? [] : [near];
  const hint = meant.length > 0 ? `did you mean assay ${meant.join(' or assay ')}?` : 'assay help lists them';
  io.err(`assay: no command '${first}'; ${hint}\n`);
  return 'USAGE';
}
