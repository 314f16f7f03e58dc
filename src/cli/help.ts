import type { Command, OptionSpec } from './command.js';
import { HELP_OPTION } from './command.js';
import { EXIT, type Exit } from './exit-codes.js';

/** `assay help`: what there is. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((c) => [signature(c), c.summary] as const);
  return [
    'assay: a validating sidecar between an agent and the APIs its tools call',
    '',
    'usage: assay COMMAND [OPTIONS]',
    '',
    ...columns([
      ...rows,
      ['help [COMMAND]', 'this help, or that of a command'],
      ['--version', 'the version'],
    ]),
    '',
    'assay help COMMAND tells its options and how it can end.',
    '',
  ].join('\n');
}

/** `assay help COMMAND`. */
export function commandHelp(command: Command): string {
  const exits: readonly Exit[] = ['OK', 'USAGE', ...command.exits];
  return [
    `usage: assay ${signature(command)} [OPTIONS]`,
    '',
    ...command.description.flatMap((paragraph) => [...wrap(paragraph, 88), '']),
    'options:',
    ...columns([...command.options, HELP_OPTION].map((o) => [optionText(o), o.what] as const)),
    '',
    'exit codes:',
    ...columns(exits.map((name) => [String(EXIT[name].code), EXIT[name].meaning] as const)),
    '',
  ].join('\n');
}

export function signature(command: Command): string {
  return command.operands === undefined ? command.name : `${command.name} ${command.operands}`;
}

export function optionText({ name, short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

/** Lines of at most `width` characters, broken between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, 84 - width).map((line, i) => `  ${(i === 0 ? left : '').padEnd(width)}  ${line}`),
  );
}
