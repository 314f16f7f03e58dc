import { Environment } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { parseSpan } from './duration-text.js';
import { parseRfc3339 } from './instant.js';

export const TIMESTAMP = 'google.protobuf.Timestamp';
export const DURATION = 'google.protobuf.Duration';

/** What a rule can call. `own`: ours, which the engine knows by another name, since it has one that decides loosely. */
interface RuleFunction {
  readonly kind: 'function' | 'method' | 'loop';
  /** Numbers of arguments, without the receiver. */
  readonly arity: readonly number[];
  readonly own?: true;
}

/**
 * Everything that can be called; what is not here is refused at load. Left out: what depends on the host's time zone,
 * counts UTF-16 units, makes lists out of text, or gives a value of unknown type.
 */
export const FUNCTIONS: Readonly<Record<string, RuleFunction>> = {
  size: { kind: 'function', arity: [1] },
  string: { kind: 'function', arity: [1] },
  int: { kind: 'function', arity: [1], own: true },
  double: { kind: 'function', arity: [1], own: true },
  rfc3339: { kind: 'function', arity: [1], own: true },
  duration: { kind: 'function', arity: [1], own: true },
  re2: { kind: 'function', arity: [2], own: true },
  sum: { kind: 'function', arity: [1], own: true },
  startsWith: { kind: 'method', arity: [1] },
  endsWith: { kind: 'method', arity: [1] },
  contains: { kind: 'method', arity: [1] },
  lowerAscii: { kind: 'method', arity: [0], own: true },
  upperAscii: { kind: 'method', arity: [0], own: true },
  hasValue: { kind: 'method', arity: [0] },
  value: { kind: 'method', arity: [0] },
  orValue: { kind: 'method', arity: [1] },
  all: { kind: 'loop', arity: [2] },
  exists: { kind: 'loop', arity: [2] },
  exists_one: { kind: 'loop', arity: [2] },
  filter: { kind: 'loop', arity: [2] },
  map: { kind: 'loop', arity: [2, 3] },
  getFullYear: { kind: 'method', arity: [0] },
  getMonth: { kind: 'method', arity: [0] },
  getDate: { kind: 'method', arity: [0] },
  getDayOfWeek: { kind: 'method', arity: [0] },
  getHours: { kind: 'method', arity: [0] },
  getMinutes: { kind: 'method', arity: [0] },
  getSeconds: { kind: 'method', arity: [0] },
};

/** Names that people know from elsewhere, and what stands for them here. */
export const INSTEAD: Readonly<Record<string, string>> = {
  matches: 'write re2(text, "^pattern$"), which takes linear time whatever the text is',
  timestamp: 'write rfc3339(text), which takes no day that does not exist',
  has: 'a value that can be absent is optional: write name.hasValue()',
  split: 'select or read the parts as members; re2(text, "^pattern$") tells the form of a text',
  substring: 'write re2(text, "^pattern$"), which tells the form of a text',
  indexOf: 'write text.contains(part)',
  replace: 'write re2(text, "^pattern$"), which tells the form of a text',
  len: 'write size(value)',
  length: 'write size(value)',
  getDayOfMonth: 'write getDate(), which counts from 1',
  optMap: 'write name.hasValue() && ... name.value() ...',
};

const OWN_PREFIX = 'own_';

/** The engine's name of a function. */
export function engineName(name: string): string {
  return FUNCTIONS[name]?.own === true ? OWN_PREFIX + name : name;
}

/** A sentence of the engine in the words of rules. */
export function inOurWords(text: string): string {
  return text
    .replaceAll(/\bown_/g, '')
    .replaceAll(TIMESTAMP, 'timestamp')
    .replaceAll(DURATION, 'duration')
    .replaceAll(/\bassay\.request(?:\.(\w+))?/g, (_, part) =>
      part === undefined ? 'request' : `request.${part}`,
    );
}

/** Thrown where a function cannot decide. One for all: data can make every item of a list throw, and a new one takes time. */
const UNDECIDED = new Error('undecided');

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
/** Longest text that is read as a number or a time. */
const MAX_PARSED = 64;

let base: Environment | undefined;

/** The environment of all rules, made when the first one is compiled: the engine's, with our own functions. */
export function baseEnvironment(): Environment {
  base ??= newEnvironment();
  return base;
}

function newEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: true,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 1_000, maxDepth: 32, maxListElements: 200, maxMapEntries: 1, maxCallArguments: 4 },
  });
  const own = (signature: string, handler: (...args: never[]) => unknown) =>
    environment.registerFunction(`${OWN_PREFIX}${signature}`, handler, { async: false });

  own('int(int): int', (value: bigint) => value);
  own('int(double): int', (value: number) =>
    integerOf(Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined),
  );
  // RFC 8259 section 6, without fraction and exponent.
  own('int(string): int', (text: string) =>
    integerOf(text.length <= MAX_PARSED && /^-?(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined),
  );
  own('double(double): double', (value: number) => value);
  own('double(int): double', (value: bigint) => Number(value));
  own('double(string): double', (text: string) => {
    const isNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
    const value = text.length <= MAX_PARSED && isNumber.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) throw UNDECIDED;
    return value;
  });
  own(`rfc3339(${TIMESTAMP}): ${TIMESTAMP}`, (time: Date) => time);
  own(`rfc3339(string): ${TIMESTAMP}`, (text: string) => {
    const ms = text.length <= MAX_PARSED ? parseRfc3339(text) : undefined;
    if (ms === undefined) throw UNDECIDED;
    return new Date(ms);
  });
  own('sum(list<int>): int', (items: readonly bigint[]) =>
    integerOf(items.reduce((sum, item) => sum + item, 0n)),
  );
  own('sum(list<double>): double', (items: readonly number[]) => items.reduce((sum, item) => sum + item, 0));
  own(`duration(string): ${DURATION}`, (text: string) => {
    const ms = parseSpan(text);
    if (ms === undefined) throw UNDECIDED;
    return Duration.fromMilliseconds(ms);
  });
  // The engine's own fold every letter there is, and the Kelvin sign is no k.
  environment.registerFunction(`string.${OWN_PREFIX}lowerAscii(): string`, lowerAscii, { async: false });
  environment.registerFunction(`string.${OWN_PREFIX}upperAscii(): string`, upperAscii, { async: false });
  return environment;
}

/** The same with `re2(text, pattern)` for the patterns that a rule names. */
export function withPatterns(
  environment: Environment,
  patterns: ReadonlyMap<string, { test(text: string): boolean }>,
): Environment {
  return environment.registerFunction(
    `${OWN_PREFIX}re2(string, string): bool`,
    (text: string, pattern: string) => {
      const compiled = patterns.get(pattern);
      if (compiled === undefined) throw UNDECIDED;
      return compiled.test(text);
    },
    { async: false },
  );
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function integerOf(value: bigint | undefined): bigint {
  if (value === undefined || value > MAX_INT || value < MIN_INT) throw UNDECIDED;
  return value;
}
