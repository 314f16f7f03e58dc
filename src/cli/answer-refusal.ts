import type { ContractDefinition } from '../contract/index.js';
import { operatorCode } from '../fault/index.js';
import type { ToolAnswer } from '../tooling/index.js';
import type { AnswerOptions } from './answer-options.js';

/** Why there is no result, for the operator. Nothing that the bytes say stands in it, unless `verbose` asks for the pointer. */
export function explanation(
  { record, bugs }: ToolAnswer,
  definition: ContractDefinition,
  options: AnswerOptions,
  verbose: boolean,
): string {
  const { operator_code: code, fault } = record;
  if (code === null) return '';
  const row = operatorCode(code);
  const places = [
    fault?.offset === undefined ? '' : `byte ${fault.offset}, line ${fault.line}, column ${fault.column}`,
    fault?.rule === undefined ? '' : `rule ${JSON.stringify(fault.rule)}`,
    fault?.schema === undefined ? '' : `contract ${fault.schema}`,
    fault?.note ?? '',
    verbose && fault?.instance !== undefined ? `pointer ${JSON.stringify(fault.instance)}` : '',
  ].filter((place) => place !== '');
  const lines = [`assay answer: ${code} at stage ${row.stage}: ${row.what}`];
  if (places.length > 0) lines.push(`  at ${places.join('; ')}`);
  const missing = headersRead(definition).filter((name) => !Object.hasOwn(options.given.headers ?? {}, name));
  const names = missing.join(', ');
  if (missing.length > 0 && /^(?:CHK|SEL|SIG)_|^CON_HEADER$/.test(code)) {
    lines.push(
      `  = the contract reads the ${missing.length === 1 ? 'header' : 'headers'} ${names}, which bytes from standard input do not have: give ${missing.map((name) => `--header '${name}: ...'`).join(' ')}, or take what reads it out of the contract`,
    );
  } else lines.push(`  = ${row.remedy}`);
  for (const bug of bugs) lines.push(bug instanceof Error ? (bug.stack ?? bug.message) : String(bug));
  return `${lines.join('\n')}\n`;
}

/** Names of response headers that the contract looks at, but for content-type: `header:NAME`, `header: NAME`, `headers`. */
function headersRead({ responses, ...rest }: ContractDefinition): string[] {
  const names = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node === 'string') {
      const [, source] = /^header:(.+)$/.exec(node) ?? [];
      if (source !== undefined) names.add(source);
      if (node.startsWith('link:')) names.add('link');
    }
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'header' && typeof value === 'string') names.add(value.toLowerCase());
      else if (key !== 'schema') look(value);
    }
  };
  look(responses);
  for (const { required_headers: required } of responses) for (const name of required ?? []) names.add(name);
  const { signatures } = rest as { readonly signatures?: unknown };
  look(signatures);
  names.delete('content-type');
  return [...names].sort();
}
