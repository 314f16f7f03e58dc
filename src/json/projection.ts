/**
 * What of a document is kept while it streams. A Projection describes one value:
 *
 * - `KEEP`: the value is kept whole, whatever it is.
 * - a `Pick`: a scalar is kept; an object keeps its braces and the named members (each under its own Projection);
 *   an array keeps its brackets and, where `items` is set, every item (so that indices and counts stay true).
 *
 * A member that no Pick names is dropped: checked for grammar, never turned into a value. A Pick without members
 * and items therefore keeps just the type of what stands there. Picks may refer to themselves (recursive schemas).
 */
export type Projection = typeof KEEP | Pick;

export const KEEP = 'keep';

export interface Pick {
  readonly members: ReadonlyMap<string, Projection>;
  /** Projection of every array item; absent: items are dropped and `[]` is kept. */
  readonly items?: Projection;
}
