import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ContractDefinition, ContractSource } from '../contract/index.js';
import type { Diagnostic, Problem } from '../fault/index.js';
import { fileDiagnostic } from './diagnostic.js';
import { readSource, SourceFile, shapeProblems } from './source-file.js';

/** A contract's folder, every text parsed, nothing compiled. */
export interface ContractFolder {
  readonly source: ContractSource;
  /** As it was named to the loader. */
  readonly folder: string;
  /** Turns what compiling finds into Diagnostics: `document` names a schema file, else it is about contract.yaml. */
  diagnostics(problems: readonly Problem[]): Diagnostic[];
}

export interface ContractOptions {
  /** The folder need not be named TOOL/MAJOR, as that of a draft. Default false. */
  readonly anywhere?: boolean;
}

const MAX_BYTES = 1_048_576;
const MAX_FILES = 200;

/**
 * Reads `contract.yaml` and the `*.schema.json` and `*.schema.yaml` beside it, and checks that tool, version and
 * folder agree: `review_status` 1.x.y stands in `review_status/1`. Reports every problem of every file at once.
 */
export function loadContract(
  folder: string,
  options: ContractOptions = {},
): ContractFolder | { readonly diagnostics: readonly Diagnostic[] } {
  const file = join(folder, 'contract.yaml');
  const names = schemaNames(folder);
  const contract = readSource(file, MAX_BYTES);
  if (!(contract instanceof SourceFile)) return { diagnostics: [contract] };
  const diagnostics: Diagnostic[] = [];
  const schemas = new Map<string, SourceFile>();
  if (names.length > MAX_FILES) {
    const message = `the folder has more than ${MAX_FILES} schema files`;
    diagnostics.push(
      fileDiagnostic(folder, 'too-many-files', message, 'Keep one contract and its schemas per folder.'),
    );
  }
  for (const name of names.slice(0, MAX_FILES)) {
    const schema = readSource(join(folder, name), MAX_BYTES);
    if (!(schema instanceof SourceFile)) diagnostics.push(schema);
    else schemas.set(name, schema);
  }

  const shape = shapeProblems(contract, 'contract');
  const definition = contract.yaml.value as ContractDefinition;
  if (shape.length === 0 && options.anywhere !== true) shape.push(...folderProblems(definition, folder));
  diagnostics.push(...contract.diagnostics(shape));
  for (const schema of schemas.values()) diagnostics.push(...schema.diagnostics(schema.yaml.problems));
  if (diagnostics.length > 0) return { diagnostics };

  return {
    folder,
    source: Object.freeze({
      name: `${definition.tool}@${majorOf(definition)}`,
      definition,
      schemas: new Map([...schemas].map(([name, schema]) => [name, schema.yaml.value])),
    }),
    diagnostics: (problems) =>
      problems.flatMap((problem) => (schemas.get(problem.document ?? '') ?? contract).diagnostics([problem])),
  };
}

/** The contracts that stand under a root folder, as `tool@major`; for suggestions. */
export function contractNames(root: string): string[] {
  return entries(root).flatMap((tool) => entries(join(root, tool)).map((major) => `${tool}@${major}`));
}

function schemaNames(folder: string): string[] {
  return entries(folder)
    .filter((name) => /\.schema\.(?:json|yaml)$/.test(name))
    .sort();
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that is not there shows when contract.yaml is read from it.
    return [];
  }
}

function majorOf(definition: ContractDefinition): string {
  return definition.version.split('.')[0] ?? '';
}

function folderProblems(definition: ContractDefinition, folder: string): Problem[] {
  const path = resolve(folder);
  const [tool, major] = [basename(dirname(path)), basename(path)];
  const problems: Problem[] = [];
  if (definition.tool !== tool) {
    problems.push({
      pointer: '/tool',
      rule: 'folder-mismatch',
      message: `tool is not the name of the folder, ${JSON.stringify(tool)}`,
      remedy: `Write tool: ${tool}, or move the contract to ${definition.tool}/${majorOf(definition)}.`,
    });
  }
  if (majorOf(definition) !== major) {
    problems.push({
      pointer: '/version',
      rule: 'folder-mismatch',
      message: `the major number of version is not the name of the folder, ${JSON.stringify(major)}`,
      remedy: `Write version: ${/^[0-9]+$/.test(major) ? major : '1'}.0.0, or move the contract to ${definition.tool}/${majorOf(definition)}.`,
    });
  }
  return problems;
}
