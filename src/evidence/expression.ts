import { type Environment, ParseError, type ParseResult, TypeError as TypeFault } from '@marcbachmann/cel-js';
import type { LinearPattern } from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { costOf, type Extents } from './expression-cost.js';
import { DURATION, inOurWords, withPatterns } from './expression-functions.js';
import { type Finding, nameEverything } from './expression-syntax.js';

/** What an expression can name: variables with their types, already in an environment. */
export interface Names {
  readonly environment: Environment;
  readonly declared: ReadonlySet<string>;
  readonly extents: Extents;
}

/** A compiled sentence in CEL. */
export interface Expression {
  /** The declared names that it uses. */
  readonly used: ReadonlySet<string>;
  /** Most steps that deciding it takes. */
  readonly steps: number;
  /** Whether it holds; undefined where it cannot be decided. Never throws, whatever the values are. */
  holds(values: Readonly<Record<string, unknown>>): boolean | undefined;
}

/**
 * Parses and type-checks a sentence; it must be true or false, and take bounded time.
 *
 * @param pointer JSON Pointer of its text in contract.yaml
 */
export function compileExpression(text: string, pointer: string, names: Names): Expression | Problem[] {
  const problem = ({ start, end, message, remedy }: Finding): Problem => ({
    pointer,
    within: { start, end: Math.max(end, start + 1) },
    rule: 'check-rule',
    message,
    remedy,
  });
  let parsed: ParseResult;
  let patterns: ReadonlyMap<string, LinearPattern>;
  let used: ReadonlySet<string>;
  try {
    // Each expression has an environment of its own: what one names is no part of another.
    const environment = names.environment.clone();
    parsed = environment.parse(text);
    const named = nameEverything(parsed.ast, names.declared, new Set(names.extents.keys()));
    ({ patterns, used } = named);
    if (named.findings.length > 0) return named.findings.map(problem);
    if (patterns.size > 0) withPatterns(environment, patterns);
  } catch (error) {
    return [problem(faultOf(error, text))];
  }
  const { valid, type, error } = parsed.check();
  if (!valid) return [problem(faultOf(error, text))];
  if (type !== 'bool') {
    const message = `the rule gives ${inOurWords(String(type))}, and a rule is true or false`;
    return [problem({ start: 0, end: text.length, message, remedy: 'compare it: ... == ..., or ... > ...' })];
  }
  const loose = looseParts(parsed.ast);
  if (loose.length > 0) return loose.map(problem);
  const { steps, findings } = costOf(parsed.ast, names.extents, patterns);
  if (findings.length > 0) return findings.map(problem);
  return { used, steps, holds: (values) => decide(parsed, values) };
}

function decide(parsed: ParseResult, values: Readonly<Record<string, unknown>>): boolean | undefined {
  // Nobody reads where the engine threw, and to find out takes several times as long as all the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const verdict: unknown = parsed(values);
    // Only `true` is a yes: a promise, for one, is truthy.
    return verdict === true ? true : verdict === false ? false : undefined;
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What the type checker leaves behind in a node; the package's types do not have it. */
interface Checked {
  readonly checkedType?: { readonly name: string; readonly hasDynType: boolean };
}

/**
 * Parts that the checker took and should not be: those of a type that it does not know, and sums of durations, of which
 * the engine carries the nanoseconds of negative ones wrongly.
 */
function looseParts(ast: ParseResult['ast']): Finding[] {
  const found: Finding[] = [];
  const open: unknown[] = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) {
      open.push(...node);
      continue;
    }
    if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) continue;
    const { op, args, start, end, checkedType } = node as ParseResult['ast'] & Checked;
    open.push(args);
    const at = { start, end };
    if (checkedType?.hasDynType === true) {
      const remedy = 'name the value by itself in reads, or write the name in quotes: request.query["a-b"]';
      found.push({ ...at, message: 'the type of this cannot be known before a call', remedy });
    } else if (
      (op === '+' || op === '-') &&
      args.every((arg) => (arg as Checked).checkedType?.name === DURATION)
    ) {
      const remedy = 'add one after the other to a time, or write one duration: duration("1h30m")';
      found.push({ ...at, message: 'two durations cannot be added or subtracted', remedy });
    }
  }
  return found;
}

function faultOf(error: unknown, text: string): Finding {
  if (!(error instanceof ParseError || error instanceof TypeFault)) {
    const message = 'this is no expression of CEL';
    return { start: 0, end: text.length, message, remedy: 'docs/checks.md has what a rule can say' };
  }
  const sentence = sentenceOf(error.summary);
  if (error instanceof TypeFault) {
    const { start, end } = error.range ?? { start: 0, end: text.length };
    return { start, end, message: sentence, remedy: typeRemedy(sentence) };
  }
  // Behind the text stands nothing that could be shown.
  const last = text.trimEnd().length;
  const { start, end } = error.range ?? { start: last, end: last };
  return { start: Math.min(start, last), end, message: sentence, remedy: parseRemedy(error.code, sentence) };
}

/** The engine's names of what stands between words. */
const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  LPAREN: '(',
  RPAREN: ')',
  LBRACKET: '[',
  RBRACKET: ']',
  LBRACE: '{',
  RBRACE: '}',
  COMMA: ',',
  COLON: ':',
  DOT: '.',
  QUESTION: '?',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'a text',
  BOOLEAN: 'true or false',
  PLUS: '+',
  MINUS: '-',
  MULTIPLY: '*',
  DIVIDE: '/',
  MODULO: '%',
  EQ: '==',
  NE: '!=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  AND: '&&',
  OR: '||',
  NOT: '!',
  IN: 'in',
};

function sentenceOf(summary: string): string {
  const text = inOurWords(summary)
    .replace(/^(Unexpected token: |Expected )(\w+)(?:, got (\w+))?$/, (_, start, one, other) =>
      [start + (TOKENS[one] ?? one), ...(other === undefined ? [] : [`got ${TOKENS[other] ?? other}`])].join(
        ', ',
      ),
    )
    .replace(/^no such overload: /, 'these types do not go together: ')
    .replace(/^found no matching overload for '(.*)'$/, 'nothing is called like this: $1');
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function parseRemedy(code: string, sentence: string): string {
  if (code === 'limit_exceeded') return 'cut the rule into several; each must hold';
  if (/character: =/.test(sentence)) return 'equality is written ==';
  if (/character: [&|]/.test(sentence)) return 'and is written &&, or is written ||';
  return 'write an expression of CEL, such as submitted <= now && state == "done"';
}

function typeRemedy(sentence: string): string {
  const has = (...words: string[]) => words.every((word) => new RegExp(`\\b${word}\\b`).test(sentence));
  if (has('optional'))
    return 'a value that can be absent or null is optional: write name.orValue(...), or !name.hasValue() || name.value() ...';
  if (has('timestamp', 'string'))
    return 'write rfc3339(text) for a text that tells a time, or give its schema format: date-time';
  if (has('timestamp', 'int')) return 'write duration("60s") beside a time';
  if (has('int', 'double'))
    return 'write 3.0 beside a number, 3 beside an integer, or convert with double(...) or int(...)';
  if (has('int', 'string') || has('double', 'string'))
    return 'put text in quotes, or convert it with int(...) or double(...)';
  if (/^no such key/.test(sentence))
    return 'request has id, and params, query and headers as the contract declares them';
  return 'both sides need one type; docs/checks.md has the types that values have';
}
