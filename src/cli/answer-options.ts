import { readFileSync } from 'node:fs';
import { parseDuration } from '../contract/index.js';
import type { ToolBytes, ToolCall } from '../tooling/index.js';
import type { Arguments } from './command.js';

/** What the command line says of the call and of the answer that the bytes stand for. */
export interface AnswerOptions {
  readonly tool: string;
  /** Major version, where one was named. */
  readonly major: string | undefined;
  readonly call: ToolCall;
  readonly given: Omit<ToolBytes, 'bytes'>;
  readonly limits: { readonly totalMs?: number };
}

/** The options, or one sentence on what is wrong with them. */
export function readOptions({ operands, values, lists }: Arguments): AnswerOptions | string {
  const [operand] = operands;
  if (operand === undefined) return 'name the tool';
  const [, tool, major] = /^([a-z][a-z0-9_]{0,63})(?:@([0-9]{1,9}))?$/.exec(operand) ?? [];
  if (tool === undefined) return `'${operand}' is not TOOL or TOOL@MAJOR, such as review_status@1`;
  const params = pairs('param', '=', lists.param);
  const query = pairs('query', '=', lists.query);
  const asked = pairs('request-header', ':', lists['request-header']);
  const headers = pairs('header', ':', lists.header);
  for (const part of [params, query, asked, headers]) if (typeof part === 'string') return part;
  const status = values.status;
  if (status !== undefined && !/^[2-5][0-9]{2}$/.test(status)) return '--status takes 200 to 599';
  const total = values.total === undefined ? undefined : parseDuration(values.total);
  if (total !== undefined && 'message' in total) return `--total ${total.message}: ${total.remedy}`;
  const body = values.body === undefined ? undefined : readJson(values.body);
  if (typeof body === 'string') return body;
  return {
    tool,
    major,
    call: {
      params: once(params),
      query: grouped(query),
      headers: once(asked),
      ...(body === undefined ? {} : { body: body.value }),
    },
    limits: total === undefined ? {} : { totalMs: total.value },
    given: {
      headers: grouped(headers),
      ...(status === undefined ? {} : { status: Number(status) }),
      ...(values['media-type'] === undefined ? {} : { mediaType: values['media-type'] }),
    },
  };
}

type Pairs = readonly (readonly [name: string, value: string])[];

function pairs(option: string, between: '=' | ':', given: readonly string[] = []): Pairs | string {
  const found: (readonly [string, string])[] = [];
  for (const text of given) {
    const at = text.indexOf(between);
    if (at <= 0) return `--${option} takes NAME${between}VALUE, and '${text}' has no ${between}`;
    const value = text.slice(at + 1);
    const name = text.slice(0, at);
    if (between === '=') found.push([name, value]);
    else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\r\n\0]/.test(value)) {
      return `--${option} takes a header, and '${name}' does not begin one`;
    } else found.push([name.toLowerCase(), value.trim()]);
    if (option === 'param' && found.filter(([other]) => other === name).length > 1) {
      return `--param gives ${name} twice`;
    }
  }
  return found;
}

function once(given: Pairs | string): Record<string, string> {
  return typeof given === 'string' ? {} : Object.fromEntries(given);
}

function grouped(given: Pairs | string): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of typeof given === 'string' ? [] : given) {
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return Object.fromEntries(found);
}

function readJson(file: string): { readonly value: unknown } | string {
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it is not JSON';
    return `--body: ${file} cannot be read: ${code}`;
  }
}
