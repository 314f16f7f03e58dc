import {
  AGENT_CODES,
  type AgentCode,
  isAgentCode,
  isOperatorCode,
  OPERATOR_CODES,
  type OperatorCode,
  operatorCode,
  STAGES,
} from '../fault/index.js';
import type { Command } from './command.js';
import { wrap } from './help.js';
import { painter } from './style.js';

export const explain: Command = {
  name: 'explain',
  operands: '[CODE]',
  maxOperands: 1,
  summary: 'what an operator code means and what to do about it',
  description: [
    'Tells of an operator code, as it stands in a log line or an audit record, what happened, at which stage, what the agent was told, and what to do. Of an agent code it tells which operator codes lead to it. Without a code it lists all operator codes by stage.',
  ],
  options: [],
  exits: [],
  async run({ operands: [typed] }, io) {
    if (typed === undefined) {
      io.out(listing());
      return 'OK';
    }
    const code = typed.toUpperCase().replaceAll('-', '_');
    const paint = painter(io.color.out);
    const known = isOperatorCode(code) || isAgentCode(code);
    if (!known) {
      const { nearest } = await import('../contract/index.js');
      const near = nearest(code, [...Object.keys(OPERATOR_CODES), ...Object.keys(AGENT_CODES)]);
      const hint = near === undefined ? 'assay explain lists them all' : `did you mean ${near}?`;
      io.err(`assay explain: no code '${typed}'; ${hint}\n`);
      return 'USAGE';
    }
    if (isOperatorCode(code)) io.out(explainOperatorCode(code, (text) => paint('bold', text)));
    // OVERLOADED and INTERNAL are both: what the operator reads first, then what the agent got.
    if (isAgentCode(code) && !isOperatorCode(code)) io.out(explainAgentCode(code));
    return 'OK';
  },
};

/** HTTP status of the answer under the default profile. */
export function httpStatus(code: OperatorCode): number {
  const row = operatorCode(code);
  return row.status ?? AGENT_CODES[row.agent].status;
}

/** Operator codes in the order of the stages, as a call could meet them. */
export function codesByStage(): { readonly stage: string; readonly codes: readonly OperatorCode[] }[] {
  const all = Object.keys(OPERATOR_CODES).filter(isOperatorCode);
  return STAGES.map((stage) => ({
    stage,
    codes: all.filter((code) => operatorCode(code).stage === stage),
  })).filter(({ codes }) => codes.length > 0);
}

function explainOperatorCode(code: OperatorCode, emphasis: (text: string) => string): string {
  const row = operatorCode(code);
  const { retryable } = AGENT_CODES[row.agent];
  const agent = `${row.agent}, HTTP ${httpStatus(code)}, ${retryable ? 'may be repeated' : 'not to be repeated'}`;
  return [
    emphasis(code),
    ...indented('what', row.what),
    ...indented('remedy', row.remedy),
    ...indented('stage', row.stage),
    ...indented('agent', agent),
    '',
  ].join('\n');
}

function explainAgentCode(code: AgentCode): string {
  const { status, retryable } = AGENT_CODES[code];
  const from = Object.keys(OPERATOR_CODES).filter((c) => isOperatorCode(c) && operatorCode(c).agent === code);
  return [
    `${code} is what an agent is told: HTTP ${status} by default, ${retryable ? 'may be repeated' : 'not to be repeated'}.`,
    from.length === 0
      ? 'No operator code leads to it by itself: a contract declares it, or the call was not safe to repeat.'
      : 'Operator codes that lead to it:',
    ...from.map((c) => `  ${c}`),
    '',
  ].join('\n');
}

function listing(): string {
  const width = Math.max(...Object.keys(OPERATOR_CODES).map((code) => code.length));
  return codesByStage()
    .flatMap(({ stage, codes }) => [
      stage,
      ...codes.flatMap((code) =>
        wrap(operatorCode(code).what, 96 - width).map(
          (line, i) => `  ${(i === 0 ? code : '').padEnd(width)}  ${line}`,
        ),
      ),
      '',
    ])
    .join('\n');
}

function indented(label: string, text: string): string[] {
  return wrap(text, 78).map((line, i) => `  ${(i === 0 ? label : '').padEnd(8)}${line}`);
}
