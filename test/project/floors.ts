import { posix } from 'node:path';
import { classify, importsOf, runtimeImportsOf } from './imports.js';

/** The folders of src, lowest first: a file imports only from lower floors. ARCHITECTURE.md has the table. */
export const FLOORS = [
  'fault',
  'json',
  'upstream',
  'contract',
  'evidence',
  'envelope',
  'record',
  'route',
  'config',
  'server',
  'tooling',
  'cli',
] as const;

/** Production package -> the floors that may import it. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  undici: ['upstream'],
  ajv: ['contract'],
  'ajv-formats': ['contract'],
  '@hyperjump/json-schema-formats': ['contract'],
  re2js: ['contract'],
  jose: ['evidence'],
  '@marcbachmann/cel-js': ['evidence'],
  yaml: ['config'],
  fastify: ['server'],
  '@fastify/under-pressure': ['server'],
  pino: ['server', 'record'],
};

/** Source path (`src/json/scan.ts`) -> text. */
export type Sources = ReadonlyMap<string, string>;

/** Floor of a source file: 0 upwards, FLOORS.length for src/index.ts, undefined where its folder is no floor. */
function floorOf(path: string): number | undefined {
  const parts = path.split('/');
  if (parts.length === 2) return FLOORS.length;
  const floor = (FLOORS as readonly string[]).indexOf(parts[1] ?? '');
  return floor < 0 ? undefined : floor;
}

/** Every import that breaks the floors, as `file: what`. */
export function floorViolations(sources: Sources): string[] {
  const found: string[] = [];
  for (const [file, text] of sources) {
    const floor = floorOf(file);
    if (floor === undefined) {
      found.push(`${file}: lies on no floor`);
      continue;
    }
    for (const specifier of importsOf(text)) {
      const wrong = violation(file, floor, specifier, sources);
      if (wrong !== undefined) found.push(`${file}: ${wrong}`);
    }
  }
  return found;
}

function violation(file: string, floor: number, specifier: string, sources: Sources): string | undefined {
  const imported = classify(specifier);
  switch (imported.kind) {
    case 'builtin':
      return undefined;
    case 'bare-builtin':
      return `${specifier} lacks its node: prefix`;
    case 'package': {
      const home = HOMES[imported.name];
      if (home === undefined) return `${imported.name} has no home`;
      return home.includes(FLOORS[floor] ?? '')
        ? undefined
        : `${imported.name} is at home in ${home.join(', ')}`;
    }
    case 'relative':
      return relativeViolation(file, floor, imported.path, sources);
  }
}

function relativeViolation(file: string, floor: number, path: string, sources: Sources): string | undefined {
  const target = posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts');
  if (!sources.has(target)) return `${path} is no source file`;
  const below = floorOf(target);
  if (below === floor) return undefined;
  if (below === undefined || below > floor) return `${path} is not below ${FLOORS[floor]}`;
  return posix.basename(target) === 'index.ts' ? undefined : `${path} does not go through index.js`;
}

/** Circles of files that import one another when the program runs, each as `a -> b -> a`. */
export function circles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      found.push([...path.slice(at), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const specifier of runtimeImportsOf(sources.get(file) ?? '')) {
      const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
      if (specifier.startsWith('.') && sources.has(target)) visit(target);
    }
    path.pop();
    done.add(file);
  };
  for (const file of sources.keys()) visit(file);
  return found;
}
