import type { Quantity } from '../contract/index.js';
import { nameOf } from '../contract/index.js';
import type { Problem } from '../fault/index.js';
import { formatPointer } from '../json/index.js';

/** Collects problems and warnings at one place of a document; the messages start with the place's name. */
export class Report {
  readonly #problems: Problem[];
  readonly #warnings: string[];
  readonly pointer: string;

  constructor(problems: Problem[], pointer = '', warnings: string[] = []) {
    this.#problems = problems;
    this.#warnings = warnings;
    this.pointer = pointer;
  }

  /** The same collection, at a member or item of this place. */
  at(...keys: readonly (string | number)[]): Report {
    return new Report(this.#problems, this.pointer + formatPointer(keys.map(String)), this.#warnings);
  }

  /** `message` goes on after the name of the place: `is not a URL`. */
  problem(rule: string, message: string, remedy: string): void {
    this.#problems.push({
      pointer: this.pointer,
      rule,
      message: `${nameOf(this.pointer)} ${message}`,
      remedy,
    });
  }

  /** What the operator should know though it stops nothing. `message` goes on after the name of the place. */
  warning(message: string): void {
    this.#warnings.push(`${nameOf(this.pointer)} ${message}`);
  }

  /** About the name of this place rather than its value. */
  keyProblem(rule: string, message: string, remedy: string): void {
    this.#problems.push({
      pointer: this.pointer,
      atKey: true,
      rule,
      message: `${nameOf(this.pointer)} ${message}`,
      remedy,
    });
  }

  /** The number of a text with a unit; undefined where it is none, which is reported. */
  quantity(quantity: Quantity): number | undefined {
    if ('value' in quantity) return quantity.value;
    this.problem('bad-form', quantity.message, quantity.remedy);
    return undefined;
  }
}
