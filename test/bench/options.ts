import { parseArgs } from 'node:util';
import { type BenchOptions, PARTS, type PartName } from './part.js';

export const HELP = `npm run bench -- [options]

  --only PART                 engine, calls, large or start; may be given more than once
  --seconds N                 length of one measurement; default 2
  --rounds N                  how often each is repeated; default 3
  --quick                     does everything run? one short round of few cells, the figures mean nothing
  --json                      the figures for a program, on standard output
  --write FILE                puts the tables between the marks of a Markdown file
  --profile BODY              instead: where the time goes; review, pull, repos_256k or repos_1m, and /late or /early
  --keep FOLDER               where --profile leaves its .cpuprofile
`;

export interface Options {
  readonly names: readonly PartName[];
  readonly options: BenchOptions;
  readonly json: boolean;
  readonly write: string | undefined;
  readonly profile: readonly string[];
  readonly keep: string | undefined;
  readonly help: boolean;
}

/** Throws where the command line is not understood. */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [...PARTS] },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'string' },
      profile: { type: 'string', multiple: true, default: [] },
      keep: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, quick, json, write, profile, keep, help } = values;
  const stranger = only.find((name) => !(PARTS as readonly string[]).includes(name));
  if (stranger !== undefined) throw new Error(`--only takes ${PARTS.join(', ')}, not ${stranger}`);
  return {
    names: PARTS.filter((name) => only.includes(name)),
    options: {
      quick,
      seconds: positive('seconds', values.seconds, profile.length > 0 ? 8 : quick ? 0.3 : 2),
      rounds: positive('rounds', values.rounds, quick ? 1 : 3),
      progress: (text) => void process.stderr.write(`  ${text}\n`),
    },
    json,
    write,
    profile,
    keep,
    help,
  };
}

function positive(name: string, text: string | undefined, unset: number): number {
  const value = text === undefined ? unset : Number(text);
  if (!(value > 0)) throw new Error(`--${name} takes a number above zero`);
  return value;
}
