import { overlaps } from './code-points.js';
import type { CharacterSet, PatternNode } from './pattern-syntax.js';

/** Character sets of one pattern above which the proof is not tried. */
const MAX_POSITIONS = 400;

/**
 * Whether a backtracking engine needs at most linear time for a test, whatever the text.
 *
 * The proof: the pattern is anchored at `^`, and it is deterministic - after any character there is at most one place
 * in the pattern that can take the next one, and one way to get there. Then a wrong turn of the engine fails at the very
 * next character, so that each character is looked at a bounded number of times. Nested or adjacent ambiguous
 * repetition (`(a+)+`, `a*a*`, `(a|a)*`) breaks that rule; so does an unanchored pattern, which starts anew at every
 * character. False where it cannot be shown.
 */
export function provablyLinear(node: PatternNode): boolean {
  if (node.kind !== 'sequence' || node.items[0]?.kind !== 'begin') return false;
  const hasEnd = node.items.at(-1)?.kind === 'end';
  const body = node.items.slice(1, hasEnd ? -1 : undefined);
  const positions = new Positions();
  const part = positions.sequence(body);
  return part !== undefined && positions.deterministic(part);
}

/** Places where a match of some part can begin and end (the Glushkov construction). */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Can match the empty text. */
  readonly nullable: boolean;
}

const EMPTY: Part = { first: [], last: [], nullable: true };

class Positions {
  readonly #sets: CharacterSet[] = [];
  /** Position -> positions that can take the next character; one listed twice can be reached in two ways. */
  readonly #follow: number[][] = [];

  /** Undefined where the part has something that the proof does not cover. */
  part(node: PatternNode): Part | undefined {
    switch (node.kind) {
      case 'set': {
        // What a Unicode category holds is not known here.
        if (node.categories.length > 0 || this.#sets.length >= MAX_POSITIONS) return undefined;
        const position = this.#sets.push(node) - 1;
        this.#follow.push([]);
        return { first: [position], last: [position], nullable: false };
      }
      case 'sequence':
        return this.sequence(node.items);
      case 'choice':
        return this.#choice(node.options);
      case 'repeat':
        return this.#repeat(node.item, node.min, node.max);
      default:
        return undefined;
    }
  }

  sequence(items: readonly PatternNode[]): Part | undefined {
    let before = EMPTY;
    for (const item of items) {
      const part = this.part(item);
      if (part === undefined) return undefined;
      this.#connect(before.last, part.first);
      before = {
        first: before.nullable ? [...before.first, ...part.first] : before.first,
        last: part.nullable ? [...before.last, ...part.last] : part.last,
        nullable: before.nullable && part.nullable,
      };
    }
    return before;
  }

  #choice(options: readonly PatternNode[]): Part | undefined {
    const parts: Part[] = [];
    for (const option of options) {
      const part = this.part(option);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    // Two ways to match nothing are two ways to go on.
    if (parts.filter((part) => part.nullable).length > 1) return undefined;
    return {
      first: parts.flatMap((part) => part.first),
      last: parts.flatMap((part) => part.last),
      nullable: parts.some((part) => part.nullable),
    };
  }

  #repeat(item: PatternNode, min: number, max: number): Part | undefined {
    const part = this.part(item);
    if (part === undefined || part.nullable || max === 0) return undefined;
    if (max > 1) this.#connect(part.last, part.first);
    return { ...part, nullable: min === 0 };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const position of from) this.#follow[position]?.push(...to);
  }

  deterministic(whole: Part): boolean {
    return [whole.first, ...this.#follow].every((next) => this.#disjoint(next));
  }

  #disjoint(positions: readonly number[]): boolean {
    return positions.every((a, i) =>
      positions.slice(i + 1).every((b) => {
        const [x, y] = [this.#sets[a], this.#sets[b]];
        return x !== undefined && y !== undefined && !overlaps(x.points, y.points);
      }),
    );
  }
}
