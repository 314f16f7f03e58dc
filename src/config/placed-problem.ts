import type { Problem } from '../fault/index.js';
import type { Place } from './text-lines.js';

/** A Problem whose place in the text is known already. */
export interface PlacedProblem extends Problem {
  readonly place: Place;
}

/** A problem at a place that no pointer names. */
export function placed(rule: string, place: Place, message: string, remedy: string): PlacedProblem {
  return { pointer: '', rule, message, remedy, place };
}
