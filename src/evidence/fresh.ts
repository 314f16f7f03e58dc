import { type CallContext, type FreshDefinition, parseDuration, type Quantity } from '../contract/index.js';
import { Fault, type OperatorCode, type Problem } from '../fault/index.js';
import { formatPointer, parsePointer, resolvePointer } from '../json/index.js';
import { parseHttpDate } from '../upstream/index.js';
import type { Check } from './check.js';
import { parseRfc3339 } from './instant.js';

const DEFAULT_SKEW = '5s';

/** 9999-12-31T23:59:59.999Z; a larger epoch value is in another unit than declared. */
const LAST_INSTANT = 253_402_300_799_999;

/**
 * The answer is of now: its time lies no more than `within` before the arrival of the answer's head, and no more
 * than `skew` after it. A time that is missing or not in the declared form is refused as unknown.
 *
 * @param pointer JSON Pointer of the check in contract.yaml
 */
export function compileFresh(definition: FreshDefinition, pointer: string): Check | Problem[] {
  const { fresh, id } = definition;
  const problems: Problem[] = [];
  const say = (member: string, message: string, remedy: string) =>
    problems.push({ pointer: `${pointer}/fresh${member}`, rule: 'check-fresh', message, remedy });

  const duration = (member: string, text: string): number | undefined => {
    const quantity: Quantity = parseDuration(text);
    if ('value' in quantity) return quantity.value;
    say(member, `"${text}" ${quantity.message}`, quantity.remedy);
    return undefined;
  };
  const within = duration('/within', fresh.within);
  const skew = duration('/skew', fresh.skew ?? DEFAULT_SKEW);
  if ((fresh.from === undefined) === (fresh.header === undefined)) {
    say('', 'needs exactly one of from and header', 'write header: date, or from: /updated_at');
  }
  const path = fresh.from === undefined ? undefined : parsePointer(fresh.from);
  if (fresh.from !== undefined && path === undefined) {
    say('/from', `"${fresh.from}" is not a JSON Pointer`, 'write a pointer such as /updated_at');
  }
  if (fresh.header !== undefined && fresh.format !== undefined) {
    say('/format', 'format goes with from; a header has its own form', 'remove format');
  }
  if (problems.length > 0 || within === undefined || skew === undefined) return problems;

  const refuse = (code: OperatorCode, note: string) =>
    new Fault(code, {
      rule: id,
      schema: pointer,
      ...(path === undefined ? {} : { instance: formatPointer(path) }),
      note,
    });
  const read =
    path === undefined ? headerAge(fresh.header ?? 'date') : memberAge(path, fresh.format ?? 'rfc3339');

  return {
    id,
    reads: path === undefined ? [] : [path],
    run(value: unknown, context: CallContext): Fault | undefined {
      const age = read(value, context);
      if (age === undefined) return refuse('CHK_FRESH_UNKNOWN', 'no time in the declared form');
      if (age > within)
        return refuse('CHK_FRESH_STALE', `${seconds(age)} s old, window ${seconds(within)} s`);
      if (age < -skew) return refuse('CHK_FRESH_FUTURE', `${seconds(-age)} s ahead, skew ${seconds(skew)} s`);
      return undefined;
    },
  };
}

/** Age in milliseconds, negative for the future; undefined when it cannot be told. */
type ReadAge = (value: unknown, context: CallContext) => number | undefined;

function headerAge(header: NonNullable<FreshDefinition['fresh']['header']>): ReadAge {
  return (_value, { headers, now }) => {
    const text = headers.single(header);
    if (text === undefined) return undefined;
    if (header === 'age') {
      // RFC 9111 section 5.1: delta-seconds.
      return /^[0-9]{1,10}$/.test(text) ? Number(text) * 1000 : undefined;
    }
    const time = parseHttpDate(text);
    return time === undefined ? undefined : now - time;
  };
}

function memberAge(path: readonly string[], format: 'rfc3339' | 'epoch_s' | 'epoch_ms'): ReadAge {
  return (value, { now }) => {
    const found = resolvePointer(value, path)?.value;
    if (format === 'rfc3339') {
      const time = typeof found === 'string' ? parseRfc3339(found) : undefined;
      return time === undefined ? undefined : now - time;
    }
    const number = typeof found === 'string' && /^[0-9]{1,16}$/.test(found) ? Number(found) : found;
    if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
    const time = format === 'epoch_s' ? number * 1000 : number;
    return time > LAST_INSTANT ? undefined : now - time;
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
