import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ContractFolder,
  type LoadedFixture,
  loadContract,
  loadFixtures,
} from '../../src/config/index.js';
import { formatDiagnostic } from '../../src/fault/index.js';
import { type Assembled, assembleContract } from '../../src/route/index.js';

export interface Shipped extends Assembled {
  readonly folder: ContractFolder;
  readonly fixtures: readonly LoadedFixture[];
}

/** Every contract under schemas/, compiled, with its fixtures. Throws with all that is wrong. */
export async function shippedContracts(root = 'schemas'): Promise<Shipped[]> {
  const folders = readdirSync(root).flatMap((tool) =>
    readdirSync(join(root, tool)).map((major) => join(root, tool, major)),
  );
  return Promise.all(folders.map(loadShipped));
}

export async function loadShipped(path: string): Promise<Shipped> {
  const folder = loadContract(path);
  if ('diagnostics' in folder && !('source' in folder)) {
    throw new Error(folder.diagnostics.map(formatDiagnostic).join('\n'));
  }
  const assembled = assembleContract(folder.source);
  if ('problems' in assembled) {
    throw new Error(folder.diagnostics(assembled.problems).map(formatDiagnostic).join('\n'));
  }
  const loaded = loadFixtures(path);
  if ('diagnostics' in loaded) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
  return { ...assembled, folder, fixtures: loaded.fixtures };
}
