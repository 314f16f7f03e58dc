import { RE2JS } from 're2js';
import { isAnchored, longestMatch, placesOf, writeRe2 } from './pattern.js';
import { provablyLinear } from './pattern-linear.js';
import { type PatternNode, parsePattern } from './pattern-syntax.js';
import { isPrototypeName } from './prototype-names.js';

/** A pattern that a whole text must match; its named groups are what is read from the text. Linear in the text. */
export interface TextPattern {
  /** What the groups matched, by name; one that had no part in the match is absent. Undefined: the text does not match. */
  match(text: string): Record<string, string> | undefined;
  /**
   * How much of a text that does not match could still have become one that does: the length in UTF-16 units of its
   * longest such beginning. Only for the operator. Undefined where that cannot be told.
   */
  fits(text: string): number | undefined;
  readonly groups: readonly TextGroup[];
}

export interface TextGroup {
  readonly name: string;
  /** Every match has it. */
  readonly always: boolean;
  /** Most code points; undefined where there is no bound. */
  readonly maxLength: number | undefined;
}

/** What is wrong with a pattern: a sentence without subject, and what to write instead. */
export interface PatternTrouble {
  readonly rule: 'pattern' | 'unanchored-pattern' | 'pattern-groups';
  readonly message: string;
  readonly remedy: string;
}

/** Bytes of a text where the configuration says nothing else (limits.string_bytes). */
const LONGEST = 65_536;
/** Code points times places: at the worst about half a second. */
const MOST_WORK = 4_000_000;
/** The same for the place of a mismatch, which is for the operator alone. */
const MOST_WORK_OF_FITS = 1_000_000;

/** What a match takes at the most; a deterministic pattern stands at one place at a time. */
function workOf(node: PatternNode): number {
  if (provablyLinear(node)) return LONGEST;
  return Math.min(LONGEST, longestMatch(node) + 1) * placesOf(node);
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Compiles the pattern of a text body: ECMA-262 with the u flag, on the linear-time engine. */
export function compileTextPattern(text: string): TextPattern | PatternTrouble {
  const node = parsePattern(text, true);
  if (typeof node === 'string') {
    const remedy = 'write a pattern without look-around, back-references and flags';
    return { rule: 'pattern', message: node, remedy };
  }
  if (!isAnchored(node)) {
    const message = 'does not say where the text starts and ends; the whole text must match';
    return {
      rule: 'unanchored-pattern',
      message,
      remedy: 'write ^ first and $ last: "^v(?<version>[0-9.]{1,20})$"',
    };
  }
  if (workOf(node) > MOST_WORK) {
    const message =
      'can take seconds on a long text, with so many places at which the match can stand at once';
    const remedy =
      'say where the text ends with {0,100} instead of *, write fewer or smaller repetitions, or none within another';
    return { rule: 'pattern', message, remedy };
  }
  const groups: Group[] = [];
  collect(node, { always: true, repeated: false }, groups);
  const trouble = troubleWith(groups);
  if (trouble !== undefined) return trouble;
  try {
    return new Re2Pattern(node, groups);
  } catch {
    const message = 'is too large for the linear-time engine, which takes repetitions up to 1000';
    return { rule: 'pattern', message, remedy: 'write fewer or smaller repetitions' };
  }
}

interface Group extends TextGroup {
  readonly repeated: boolean;
}

interface Around {
  readonly always: boolean;
  readonly repeated: boolean;
}

function collect(node: PatternNode, around: Around, found: Group[]): void {
  switch (node.kind) {
    case 'sequence': {
      if (node.group !== undefined) {
        const longest = longestMatch(node);
        const maxLength = Number.isFinite(longest) ? longest : undefined;
        found.push({ name: node.group, ...around, maxLength });
      }
      for (const item of node.items) collect(item, around, found);
      break;
    }
    case 'choice':
      for (const option of node.options) collect(option, { ...around, always: false }, found);
      break;
    case 'repeat':
      collect(
        node.item,
        { always: around.always && node.min > 0, repeated: around.repeated || node.max > 1 },
        found,
      );
      break;
    default:
  }
}

function troubleWith(groups: readonly Group[]): PatternTrouble | undefined {
  const say = (message: string, remedy: string): PatternTrouble => ({
    rule: 'pattern-groups',
    message,
    remedy,
  });
  const seen = new Set<string>();
  for (const { name, repeated } of groups) {
    if (!NAME.test(name) || isPrototypeName(name)) {
      return say(
        `has a group "${name}", which cannot be the name of a member`,
        'use up to 64 letters, digits and _, and no name that every object has',
      );
    }
    if (seen.has(name)) return say(`has two groups "${name}"`, 'give each a name of its own');
    seen.add(name);
    if (!repeated) continue;
    return say(
      `repeats the group "${name}", and only one of its matches could be read`,
      `put the repetition inside the group: (?<${name}>(?:...)+)`,
    );
  }
  return undefined;
}

class Re2Pattern implements TextPattern {
  readonly groups: readonly TextGroup[];
  readonly #whole: RE2JS;
  readonly #beginnings: RE2JS | undefined;
  /** Longest text that is searched for the place of a mismatch. */
  readonly #longestFit: number;

  constructor(node: PatternNode, groups: readonly Group[]) {
    this.groups = groups.map(({ name, always, maxLength }) => ({ name, always, maxLength }));
    this.#whole = RE2JS.compile(writeRe2(node));
    const beginnings = beginningsOf(node);
    this.#beginnings = compileBeginnings(beginnings);
    const longest = MOST_WORK_OF_FITS / placesOf(beginnings);
    this.#longestFit = longestMatch(node) < longest ? Number.POSITIVE_INFINITY : longest;
  }

  match(text: string): Record<string, string> | undefined {
    const matcher = this.#whole.matcher(text);
    if (!matcher.matches()) return undefined;
    const found: Record<string, string> = {};
    for (const { name } of this.groups) {
      const value = matcher.group(name);
      if (value !== null && value !== undefined) found[name] = value;
    }
    return found;
  }

  fits(text: string): number | undefined {
    if (text.length > this.#longestFit) return undefined;
    const matcher = this.#beginnings?.matcher(text);
    return matcher?.lookingAt() ? matcher.end() : undefined;
  }
}

function compileBeginnings(beginnings: PatternNode): RE2JS | undefined {
  try {
    return RE2JS.compile(writeRe2(beginnings), RE2JS.LONGEST_MATCH);
  } catch {
    // It is up to twice as large for each level of nesting; then the operator does without the place.
    return undefined;
  }
}

const NOTHING: PatternNode = { kind: 'sequence', items: [] };

/** Matches every beginning of every text that the node matches, and at most some more where it looks at boundaries. */
function beginningsOf(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'begin':
      return node;
    case 'end':
    case 'boundary':
      return NOTHING;
    case 'set':
      return { kind: 'choice', options: [node, NOTHING] };
    case 'choice':
      return { kind: 'choice', options: node.options.map(beginningsOf) };
    case 'repeat': {
      const { item, max } = node;
      if (max === 0) return NOTHING;
      const before: PatternNode = { kind: 'repeat', item: ungrouped(item), min: 0, max: max - 1 };
      return { kind: 'sequence', items: [before, beginningsOf(item)] };
    }
    case 'sequence':
      // All of the items, or of the first ones all and of the next one a beginning.
      return node.items.reduceRight<PatternNode>((rest, item, i) => {
        const beginning = beginningsOf(item);
        if (i === node.items.length - 1) return beginning;
        return { kind: 'choice', options: [{ kind: 'sequence', items: [ungrouped(item), rest] }, beginning] };
      }, NOTHING);
  }
}

/** The same without names of groups, which may stand once only. */
function ungrouped(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(ungrouped) };
    case 'choice':
      return { kind: 'choice', options: node.options.map(ungrouped) };
    case 'repeat':
      return { kind: 'repeat', item: ungrouped(node.item), min: node.min, max: node.max };
    default:
      return node;
  }
}
