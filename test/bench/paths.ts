import { join } from 'node:path';
import { type BenchBody, ENDINGS, type Ending } from './bodies.js';

/** The path of an answer, the same at the upstream and, below a mount, at every system: `/pull/1`. */
export function pathOf({ tool }: Pick<BenchBody, 'tool'>, ending: Ending): string {
  return `/${tool}/${ENDINGS.indexOf(ending) + 1}`;
}

/** Compiled main file of the command line. */
export const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.js');

/** The folder of package.json, seen from the compiled bench. */
export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Compiled script of a process that is measured or loaded beside. */
export function scriptPath(name: string): string {
  return join(import.meta.dirname, 'systems', `${name}.js`);
}
