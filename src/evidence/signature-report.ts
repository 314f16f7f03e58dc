import { parseDuration } from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { parsePointer } from '../json/index.js';
import type { KeyNeed } from './signature.js';

const DEFAULT_SKEW = '5s';

/** Collects what is wrong with one entry of `signatures`. */
export class SignatureReport {
  readonly pointer: string;
  readonly #problems: Problem[];
  readonly #before: number;

  constructor(pointer: string, problems: Problem[]) {
    this.pointer = pointer;
    this.#problems = problems;
    this.#before = problems.length;
  }

  get isSound(): boolean {
    return this.#problems.length === this.#before;
  }

  /** @param member JSON Pointer from the entry on */
  say(member: string, message: string, remedy: string): void {
    this.#problems.push({ pointer: `${this.pointer}${member}`, rule: 'signature', message, remedy });
  }

  /** Milliseconds. */
  duration(member: string, text = DEFAULT_SKEW): number {
    const quantity = parseDuration(text);
    if ('value' in quantity) return quantity.value;
    this.say(member, `"${text}" ${quantity.message}`, quantity.remedy);
    return 0;
  }

  path(member: string, text = ''): readonly string[] {
    const path = parsePointer(text);
    if (path === undefined) this.say(member, `"${text}" is not a JSON Pointer`, 'write for example /token');
    return path ?? [];
  }
}

export function secretNeed(name: string, pointer: string, leastBytes: number): KeyNeed {
  return { name, pointer, kind: 'secret', leastBytes, fits: () => false };
}

export function publicNeed(name: string, pointer: string, fits: KeyNeed['fits']): KeyNeed {
  return { name, pointer, kind: 'public', leastBytes: 0, fits };
}
