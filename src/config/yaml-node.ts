import { isScalar, type Node, type Pair } from 'yaml';

/** A node as the composer leaves it: its range ends before trailing space and comment. */
export type RangedNode = Node & {
  readonly range?: readonly [number, number, number] | null;
  readonly tag?: string | undefined;
};

/** The name of a map's key; keys are text only. */
export function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}
