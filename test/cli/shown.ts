import { readFileSync, writeFileSync } from 'node:fs';
import type { Test } from 'tap';

const folder = new URL('../../../test/cli/shown/', import.meta.url);

/** Compares what a person sees with test/cli/shown/NAME.txt; TAP_SNAPSHOT=1 writes it anew, for the eyes of a reviewer. */
export function asShown(t: Test, name: string, text: string): void {
  const file = new URL(`${name}.txt`, folder);
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(file, text);
  t.equal(text, readFileSync(file, 'utf8'), `as in test/cli/shown/${name}.txt`);
}
