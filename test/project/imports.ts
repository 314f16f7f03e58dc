import { builtinModules } from 'node:module';
import ts from 'typescript';

/** Every module that a source text names: imports, re-exports, types and `import()`; in order. */
export function importsOf(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
}

/** The modules that are still imported when the program runs: `import type` and `export type` leave nothing behind. */
export function runtimeImportsOf(text: string): string[] {
  return importsOf(text.replace(/^(?:import|export) type [^;]*;/gm, ''));
}

export type Specifier =
  | { readonly kind: 'relative'; readonly path: string }
  | { readonly kind: 'builtin' }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'bare-builtin' };

export function classify(specifier: string): Specifier {
  if (specifier.startsWith('.')) return { kind: 'relative', path: specifier };
  if (specifier.startsWith('node:')) return { kind: 'builtin' };
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
  // Without its prefix a built-in could be shadowed by a package of that name.
  return builtinModules.includes(name) ? { kind: 'bare-builtin' } : { kind: 'package', name };
}
