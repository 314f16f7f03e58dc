import { AGENT_CODES, operatorCode } from '../fault/index.js';
import type { Command } from './command.js';
import { HELP_OPTION } from './command.js';
import { EXIT, type Exit } from './exit-codes.js';
import { codesByStage, httpStatus } from './explain.js';
import { optionText, signature } from './help.js';

export const GENERATED = '<!-- Made by `npm run docs` from the program itself; change it there. -->';

/** docs/cli.md, from the list of commands. */
export function cliDocument(commands: readonly Command[]): string {
  return [
    '# The command line',
    '',
    GENERATED,
    '',
    '`assay COMMAND [OPTIONS]`. `assay help` and `assay help COMMAND` tell the same; `assay --version` tells the version.',
    'From a checkout: `npm run build`, and then `node build/src/cli/main.js COMMAND`.',
    '',
    ...rows(
      ['command', 'does'],
      commands.map((c) => [`[\`${signature(c)}\`](#assay-${c.name.replaceAll(' ', '-')})`, c.summary]),
    ),
    '',
    ...commands.flatMap((c) => commandSection(c)),
    '## Exit codes',
    '',
    ...rows(
      ['code', 'name', 'meaning'],
      Object.entries(EXIT).map(([name, { code, meaning }]) => [String(code), `\`${name}\``, meaning]),
    ),
    '',
    'Colour is used only on a terminal, and never when `NO_COLOR` is set.',
    '',
  ].join('\n');
}

function commandSection(command: Command): string[] {
  const exits: readonly Exit[] = ['OK', 'USAGE', ...command.exits];
  return [
    `## assay ${command.name}`,
    '',
    '```',
    `assay ${signature(command)} [OPTIONS]`,
    '```',
    '',
    ...command.description.flatMap((paragraph) => [paragraph, '']),
    ...rows(
      ['option', 'means'],
      [...command.options, HELP_OPTION].map((o) => [`\`${optionText(o)}\``, o.what]),
    ),
    '',
    `Ends with ${exits.map((name) => `${EXIT[name].code} (\`${name}\`)`).join(', ')}.`,
    '',
  ];
}

/** docs/operator-codes.md, from the table of operator codes. */
export function operatorCodesDocument(): string {
  const stages = codesByStage();
  return [
    '# Operator codes',
    '',
    GENERATED,
    '',
    'Why a call did not succeed, for the operator: the code stands in the log line, in the audit record and with the',
    'quarantined answer. The agent never sees it; it gets one of the agent codes. `assay explain CODE` tells the same.',
    '',
    ...rows(
      ['agent code', 'HTTP status', 'may be repeated'],
      Object.entries(AGENT_CODES).map(([code, { status, retryable }]) => [
        `\`${code}\``,
        String(status),
        retryable ? 'yes' : 'no',
      ]),
    ),
    '',
    'The statuses are defaults: an upstream in the configuration may choose others. A call that is not safe to repeat',
    'and was sent gives `OUTCOME_UNKNOWN` instead of `UPSTREAM_UNAVAILABLE`, `INVALID_RESPONSE` or `INTERNAL`.',
    '',
    ...stages.flatMap(({ stage, codes }) => [
      `## Stage: ${stage}`,
      '',
      ...codes.flatMap((code) => {
        const row = operatorCode(code);
        return [
          `### ${code}`,
          '',
          row.what,
          '',
          `- What to do: ${row.remedy}`,
          `- The agent gets: \`${row.agent}\`, HTTP ${httpStatus(code)}`,
          '',
        ];
      }),
    ]),
  ].join('\n');
}

/** A Markdown table; a `|` in a cell is the caller's to escape. */
export function rows(heading: readonly string[], cells: readonly (readonly string[])[]): string[] {
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...cells.map(line)];
}
