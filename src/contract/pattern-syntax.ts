import { ANY_BUT_LINE_END, CLASS_ESCAPES, type CodePoints, codePoints, complement } from './code-points.js';

/**
 * What a pattern means, without its spelling: ECMA-262 regular expressions with the u flag, which is what JSON Schema
 * 2020-12 asks for (Core section 6.4), minus look-around and back-references, which no linear engine has.
 */
export type PatternNode =
  | CharacterSet
  | { readonly kind: 'begin' | 'end' }
  | { readonly kind: 'boundary'; readonly negated: boolean }
  | SequenceNode
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | RepeatNode;

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly items: readonly PatternNode[];
  /** Name of the group that this is; only where groups were asked for. */
  readonly group?: string;
}

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly item: PatternNode;
  readonly min: number;
  readonly max: number;
  /** It takes as little as it can; only where groups were asked for, since else it means the same. */
  readonly lazy?: true;
}

/** Exactly one code point. */
export interface CharacterSet {
  readonly kind: 'set';
  readonly points: CodePoints;
  /** Unicode general categories beside `points`: `\p{L}`; where there are any, `negated` is still to be applied. */
  readonly categories: readonly string[];
  readonly negated: boolean;
}

/**
 * The pattern's meaning, or a sentence about what it has that cannot be decided in linear time.
 *
 * @param groups keep what only matters to what a named group matches: the groups, and which repetition is lazy
 */
export function parsePattern(text: string, groups = false): PatternNode | string {
  try {
    new RegExp(text, 'u');
  } catch {
    return 'is not a regular expression of ECMA-262 with the u flag';
  }
  const parser = new PatternParser(text, groups);
  const node = parser.choice();
  return parser.unsupported ?? node;
}

// General categories but those with unassigned code points in them, on which engines of different age disagree.
const CATEGORY = /^(?:L[ulmot]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)$/;
const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The text is known to be valid, so that what is not understood here is unsupported and never malformed. */
class PatternParser {
  readonly #chars: readonly string[];
  #at = 0;
  unsupported: string | undefined;

  readonly #groups: boolean;

  constructor(text: string, groups: boolean) {
    this.#chars = Array.from(text);
    this.#groups = groups;
  }

  choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#chars.length && !'|)'.includes(this.#peek())) items.push(this.#term());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'sequence', items };
  }

  #term(): PatternNode {
    const atom = this.#atom();
    const bounds = this.#quantifier();
    if (bounds === undefined) return atom;
    // Which of several matches is found does not matter to a test, so a lazy quantifier means the same.
    const lazy = this.#take('?') && this.#groups;
    return { kind: 'repeat', item: atom, min: bounds[0], max: bounds[1], ...(lazy ? { lazy } : {}) };
  }

  #quantifier(): [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (!this.#take('{')) return undefined;
    const [min = '', max] = this.#until('}').split(',');
    return [
      Number(min),
      max === undefined ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max),
    ];
  }

  #atom(): PatternNode {
    const char = this.#next();
    switch (char) {
      case '^':
        return { kind: 'begin' };
      case '$':
        return { kind: 'end' };
      case '.':
        return points(ANY_BUT_LINE_END);
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        return point(char.codePointAt(0) ?? 0);
    }
  }

  #group(): PatternNode {
    let name: string | undefined;
    if (this.#take('?')) {
      if (this.#take('<')) {
        if ('=!'.includes(this.#peek())) return this.#give('looks behind');
        name = this.#until('>');
      } else if (!this.#take(':')) {
        return this.#give('=!'.includes(this.#peek()) ? 'looks ahead' : 'changes flags inside');
      }
    }
    const inner = this.choice();
    this.#take(')');
    return name !== undefined && this.#groups ? { kind: 'sequence', items: [inner], group: name } : inner;
  }

  #escape(): PatternNode {
    const char = this.#next();
    if (char === 'b' || char === 'B') return { kind: 'boundary', negated: char === 'B' };
    if (char === 'k' || /[1-9]/.test(char)) return this.#give('refers back to a group');
    return this.#characterEscape(char);
  }

  /** What follows a backslash, inside and outside a class. */
  #characterEscape(char: string): CharacterSet {
    const known = CLASS_ESCAPES.get(char);
    if (known !== undefined) return points(known);
    if (char === 'p' || char === 'P') return this.#category(char === 'P');
    const control = CONTROL_ESCAPES[char];
    if (control !== undefined) return point(control);
    if (char === '0') return point(0);
    if (char === 'c') return point((this.#next().codePointAt(0) ?? 0) % 32);
    if (char === 'x') return point(Number.parseInt(this.#next() + this.#next(), 16));
    if (char === 'u') return point(this.#unicodeEscape());
    return point(char.codePointAt(0) ?? 0);
  }

  #unicodeEscape(): number {
    if (this.#take('{')) return Number.parseInt(this.#until('}'), 16);
    const unit = this.#hex4(0);
    this.#at += 4;
    // ECMA-262 RegExpUnicodeEscapeSequence: two escaped surrogates in a row are one code point.
    if (unit >= 0xd800 && unit <= 0xdbff && this.#peek() === '\\' && this.#chars[this.#at + 1] === 'u') {
      const low = this.#hex4(2);
      if (low >= 0xdc00 && low <= 0xdfff) {
        this.#at += 6;
        return (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x1_0000;
      }
    }
    return unit;
  }

  #hex4(offset: number): number {
    return Number.parseInt(this.#chars.slice(this.#at + offset, this.#at + offset + 4).join(''), 16);
  }

  #category(negated: boolean): CharacterSet {
    this.#take('{');
    const name = this.#until('}');
    if (!CATEGORY.test(name))
      this.#give(`names \\p{${name}}, which is not a general category such as \\p{L}`);
    return { kind: 'set', points: [], categories: [name], negated };
  }

  #class(): CharacterSet {
    const negated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    const categories: string[] = [];
    while (this.#at < this.#chars.length && !this.#take(']')) {
      const first = this.#classAtom();
      const only = first.points[0];
      if (this.#peek() === '-' && this.#chars[this.#at + 1] !== ']' && only !== undefined) {
        this.#at++;
        const last = this.#classAtom().points[0];
        ranges.push([only[0], last?.[1] ?? only[1]]);
        continue;
      }
      if (first.negated) this.#give('has a negated \\P inside brackets');
      ranges.push(...first.points);
      categories.push(...first.categories);
    }
    const set = codePoints(ranges);
    if (categories.length === 0) return points(negated ? complement(set) : set);
    return { kind: 'set', points: set, categories, negated };
  }

  #classAtom(): CharacterSet {
    const char = this.#next();
    if (char !== '\\') return point(char.codePointAt(0) ?? 0);
    const escaped = this.#next();
    // ECMA-262 ClassEscape: inside brackets \b is the backspace.
    return escaped === 'b' ? point(8) : this.#characterEscape(escaped);
  }

  #give(reason: string): CharacterSet {
    this.unsupported ??= reason;
    this.#at = this.#chars.length;
    return points([]);
  }

  #peek(): string {
    return this.#chars[this.#at] ?? '';
  }

  #next(): string {
    return this.#chars[this.#at++] ?? '';
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #until(close: string): string {
    let text = '';
    while (this.#at < this.#chars.length && this.#peek() !== close) text += this.#next();
    this.#at++;
    return text;
  }
}

function points(set: CodePoints): CharacterSet {
  return { kind: 'set', points: set, categories: [], negated: false };
}

function point(code: number): CharacterSet {
  return points([[code, code]]);
}
