import type { ASTNode } from '@marcbachmann/cel-js';
import type { LinearPattern } from '../contract/index.js';
import { type Finding, pathOf } from './expression-syntax.js';

/**
 * How large a value can be, as far as it costs time.
 *
 * - text: `length` is its most code points; undefined where nothing bounds it
 * - list: `items` is its most items
 */
export type Extent =
  | { readonly kind: 'plain' }
  | { readonly kind: 'text'; readonly length: number | undefined; readonly read?: string }
  | { readonly kind: 'list'; readonly items: number; readonly item: Extent };

/** Extents of what an expression can name: `submitted`, `request.params.owner`. */
export type Extents = ReadonlyMap<string, Extent>;

export interface Cost {
  /** Steps that deciding the expression takes at most; one is about a tenth of a microsecond. */
  readonly steps: number;
  readonly findings: readonly Finding[];
}

const PLAIN: Extent = { kind: 'plain' };
/** Code points that are compared, or found unequal, in one step. */
const COMPARED = 64;
/** Code points of a text that are looked at one by one in one step. */
const READ = 4;
/** Steps of one place of a pattern at one code point. */
const PLACE = 2;
/**
 * Steps of an operation that can fail: what an error costs that is thrown and caught. A loop goes on after one, and data can
 * make every item fail.
 */
const FALLIBLE = 100;
const FALLIBLE_OPERATORS: ReadonlySet<string> = new Set(['/', '%', '*', '[]']);
const FALLIBLE_CALLS: ReadonlySet<string> = new Set([
  'value',
  'own_int',
  'own_double',
  'own_rfc3339',
  'own_duration',
  'own_sum',
]);
/** Sums of what JSON holds exactly stay within 64 bits, as many as a rule can write; those of anything larger need not. */
const EXACT = 2n ** 53n;
/** What gives integers beyond that. */
const LARGE: ReadonlySet<unknown> = new Set(['own_int', 'own_sum', '*']);
/** The scanner's usual limit, for a text that no schema bounds. */
const LONGEST = 65_536;

/** The most that an expression, type-checked and of functions that rules have, can cost. */
export function costOf(ast: ASTNode, extents: Extents, patterns: ReadonlyMap<string, LinearPattern>): Cost {
  const reader = new CostReader(patterns, canOverflow(ast));
  const { steps } = reader.node(ast, extents);
  return { steps, findings: reader.findings };
}

/**
 * Whether an integer beyond EXACT is in the expression. Where it is named - `[int(text)].all(n, ids.all(i, n + i > 0))` -
 * it comes up far from where it was made, so that every sum of the expression can fail.
 */
function canOverflow(ast: ASTNode): boolean {
  const open: unknown[] = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) {
      open.push(...node);
      continue;
    }
    if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) continue;
    const { op, args } = node;
    if (op === 'value' && typeof args === 'bigint' && (args > EXACT || args < -EXACT)) return true;
    if (LARGE.has(op) || (Array.isArray(args) && LARGE.has(args[0]))) return true;
    open.push(args);
  }
  return false;
}

interface Part {
  readonly steps: number;
  readonly extent: Extent;
}

class CostReader {
  readonly findings: Finding[] = [];
  readonly #patterns: ReadonlyMap<string, LinearPattern>;

  readonly #canOverflow: boolean;

  constructor(patterns: ReadonlyMap<string, LinearPattern>, canOverflow: boolean) {
    this.#patterns = patterns;
    this.#canOverflow = canOverflow;
  }

  node(node: ASTNode, extents: Extents): Part {
    const path = pathOf(node);
    const named = path === undefined ? undefined : extents.get(path);
    if (named !== undefined) return { steps: 1, extent: named };
    switch (node.op) {
      case 'value':
        return {
          steps: 1,
          extent: typeof node.args === 'string' ? { kind: 'text', length: node.args.length } : PLAIN,
        };
      case 'list': {
        const parts = node.args.map((part) => this.node(part, extents));
        const item = parts.map((part) => part.extent).reduce(larger, PLAIN);
        return { steps: 1 + total(parts), extent: { kind: 'list', items: parts.length, item } };
      }
      case '[]': {
        const [list, index] = node.args.map((part) => this.node(part, extents)) as [Part, Part];
        const extent = list.extent.kind === 'list' ? list.extent.item : PLAIN;
        return { steps: FALLIBLE + list.steps + index.steps, extent };
      }
      case '.':
        return { steps: 1 + this.node(node.args[0], extents).steps, extent: PLAIN };
      case '!_':
      case '-_':
        return { steps: 1 + this.node(node.args, extents).steps, extent: PLAIN };
      case '?:': {
        const [condition, left, right] = node.args.map((part) => this.node(part, extents)) as [
          Part,
          Part,
          Part,
        ];
        const steps = 1 + condition.steps + Math.max(left.steps, right.steps);
        return { steps, extent: larger(left.extent, right.extent) };
      }
      case 'call':
        return this.#call(node, node.args[0], undefined, node.args[1], extents);
      case 'rcall':
        return this.#call(node, node.args[0], node.args[1], node.args[2], extents);
      case 'id':
      case 'map':
      case '.?':
      case '[?]':
        return { steps: 1, extent: PLAIN };
      default:
        return this.#binary(node, extents);
    }
  }

  #binary(node: Extract<ASTNode, { op: '+' | '==' | 'in' | '&&' }>, extents: Extents): Part;
  #binary(node: ASTNode & { readonly args: [ASTNode, ASTNode] }, extents: Extents): Part;
  #binary(node: ASTNode & { readonly args: [ASTNode, ASTNode] }, extents: Extents): Part {
    const [left, right] = node.args.map((part) => this.node(part, extents)) as [Part, Part];
    const [a, b] = [left.extent, right.extent];
    const isSum = (node.op === '+' || node.op === '-') && a.kind === 'plain' && b.kind === 'plain';
    const canFail = FALLIBLE_OPERATORS.has(node.op) || (isSum && this.#canOverflow);
    const steps = (canFail ? FALLIBLE : 1) + left.steps + right.steps;
    if (node.op === '+' && a.kind === 'text' && b.kind === 'text') {
      const length = this.#bound(a, node.args[0]) + this.#bound(b, node.args[1]);
      return { steps: steps + Math.ceil(length / COMPARED), extent: { kind: 'text', length } };
    }
    if (node.op === '+' && a.kind === 'list' && b.kind === 'list') {
      const extent: Extent = { kind: 'list', items: a.items + b.items, item: larger(a.item, b.item) };
      return { steps: steps + extent.items, extent };
    }
    if (node.op === 'in' && b.kind === 'list')
      return { steps: steps + b.items * (1 + compared(a, b.item)), extent: PLAIN };
    return { steps: steps + compared(a, b), extent: PLAIN };
  }

  #call(
    node: ASTNode,
    name: string,
    receiver: ASTNode | undefined,
    args: readonly ASTNode[],
    extents: Extents,
  ): Part {
    const on = receiver === undefined ? undefined : this.node(receiver, extents);
    if (on?.extent.kind === 'list' && LOOPS.has(name))
      return this.#loop(name, on.extent, on.steps, args, extents);
    const parts = args.map((arg) => this.node(arg, extents));
    const steps = (FALLIBLE_CALLS.has(name) ? FALLIBLE : 1) + (on?.steps ?? 0) + total(parts);
    const first = on ?? parts[0] ?? { steps: 0, extent: PLAIN };
    const firstNode = receiver ?? args[0] ?? node;
    switch (name) {
      case 'value':
        return { steps, extent: first.extent };
      case 'orValue':
        return { steps, extent: larger(first.extent, parts[0]?.extent ?? PLAIN) };
      case 'own_sum':
        return { steps: steps + (first.extent.kind === 'list' ? first.extent.items : 0), extent: PLAIN };
      case 'size': {
        if (first.extent.kind !== 'text') return { steps, extent: PLAIN };
        return { steps: steps + Math.ceil(this.#bound(first.extent, firstNode) / READ), extent: PLAIN };
      }
      case 'own_lowerAscii':
      case 'own_upperAscii': {
        const length = this.#bound(first.extent, firstNode);
        return { steps: steps + Math.ceil(length / READ), extent: { kind: 'text', length } };
      }
      case 'own_re2': {
        const length = this.#bound(first.extent, firstNode);
        return { steps: steps + Math.ceil(length * this.#stepsPerCodePoint(args[1])), extent: PLAIN };
      }
      case 'contains': {
        const length = this.#bound(first.extent, firstNode);
        const part = this.#bound(parts[0]?.extent ?? PLAIN, args[0] ?? node);
        return { steps: steps + Math.ceil((length * Math.max(1, part)) / COMPARED), extent: PLAIN };
      }
      case 'startsWith':
      case 'endsWith':
        return { steps: steps + compared(first.extent, parts[0]?.extent ?? PLAIN), extent: PLAIN };
      case 'string':
        return { steps, extent: first.extent.kind === 'text' ? first.extent : { kind: 'text', length: 32 } };
      default:
        return { steps, extent: PLAIN };
    }
  }

  #loop(
    name: string,
    list: Extract<Extent, { kind: 'list' }>,
    before: number,
    [variable, ...bodies]: readonly ASTNode[],
    extents: Extents,
  ): Part {
    const inside = new Map(extents);
    if (variable?.op === 'id') inside.set(variable.args, list.item);
    const parts = bodies.map((body) => this.node(body, inside));
    const steps = 1 + before + list.items * (1 + total(parts));
    if (name === 'filter') return { steps, extent: list };
    if (name === 'map') return { steps, extent: { ...list, item: parts.at(-1)?.extent ?? PLAIN } };
    return { steps, extent: PLAIN };
  }

  /** The linear-time engine can stand at all places of a pattern at once, and the text decides whether it does. */
  #stepsPerCodePoint(node: ASTNode | undefined): number {
    const text = node?.op === 'value' && typeof node.args === 'string' ? node.args : '';
    const pattern = this.#patterns.get(text);
    if (pattern?.engine === 'native') return 1 / READ;
    return 1 + PLACE * (pattern?.places ?? text.length);
  }

  /** Most code points of a text that is read from end to end; one without a bound is a finding. */
  #bound(extent: Extent, { start, end }: ASTNode): number {
    if (extent.kind !== 'text') return 0;
    if (extent.length !== undefined) return extent.length;
    const message = 'the text can be of any length, and so can the time that this takes';
    const remedy = `add maxLength to the schema of ${extent.read ?? 'the text'}`;
    if (!this.findings.some((finding) => finding.start === start && finding.end === end))
      this.findings.push({ start, end, message, remedy });
    return 0;
  }
}

const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

function total(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.steps, 0);
}

function larger(a: Extent, b: Extent): Extent {
  if (a.kind === 'plain') return b;
  if (b.kind === 'plain') return a;
  if (a.kind === 'text' && b.kind === 'text') {
    if (a.length === undefined) return a;
    return b.length === undefined || b.length > a.length ? b : a;
  }
  if (a.kind === 'list' && b.kind === 'list')
    return { kind: 'list', items: Math.max(a.items, b.items), item: larger(a.item, b.item) };
  return a;
}

/** Steps of comparing two values: texts end with the shorter one, lists with the smaller one. */
function compared(a: Extent, b: Extent): number {
  if (a.kind === 'list' && b.kind === 'list')
    return Math.min(a.items, b.items) * (1 + compared(a.item, b.item));
  if (a.kind === 'text' && b.kind === 'text')
    return Math.ceil(Math.min(a.length ?? LONGEST, b.length ?? LONGEST) / COMPARED);
  return 0;
}
