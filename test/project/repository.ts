import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** What is not part of the project: installed, built, or of git. `build-*` are folders for a second compilation. */
const NOT_OURS = /^(node_modules|\.git|\.node24|\.tap|var|build|build-.*)$/;

/** The folder that holds package.json: tests run compiled, from build/test, and read the sources and documents. */
export const ROOT = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package.json above the tests');
  return findRoot(parent);
}

/** Every file of the project, as paths from the root with `/`, sorted. */
export function projectFiles(): string[] {
  return walk(ROOT).sort();
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => folder !== ROOT || !NOT_OURS.test(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return [relative(ROOT, path).split(sep).join('/')];
    });
}

/** Text of a file, by its path from the root. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export function readPackage(): Package {
  return JSON.parse(read('package.json')) as Package;
}
