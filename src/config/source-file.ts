import type { OwnSchema } from '../contract/index.js';
import type { Diagnostic, Problem } from '../fault/index.js';
import { fileDiagnostic, sortDiagnostics, toDiagnostic } from './diagnostic.js';
import { readText } from './read-file.js';
import { ownShapeProblems } from './schema-files.js';
import { hiddenPlaces } from './secret-text.js';
import type { Place } from './text-lines.js';
import { parseYaml, type YamlFile } from './yaml-file.js';

/** More at once help nobody, and finding their places takes time. */
const MAX_PROBLEMS = 100;

/** A file that was read and parsed, soundly or not. */
export class SourceFile {
  readonly path: string;
  readonly yaml: YamlFile;
  #hidden: readonly Place[] | undefined;

  constructor(path: string, yaml: YamlFile) {
    this.path = path;
    this.yaml = yaml;
  }

  /** Whether there is a document to look at further. */
  get isReadable(): boolean {
    return this.yaml.value !== undefined;
  }

  diagnostics(problems: readonly Problem[]): Diagnostic[] {
    if (problems.length === 0) return [];
    this.#hidden ??= hiddenPlaces(this.yaml);
    const hidden = this.#hidden;
    const shown = problems.slice(0, MAX_PROBLEMS).map((p) => toDiagnostic(this.path, this.yaml, p, hidden));
    const diagnostics = sortDiagnostics(shown);
    const left = problems.length - MAX_PROBLEMS;
    if (left > 0) {
      const message = `there are ${left} more problems in this file`;
      diagnostics.push(fileDiagnostic(this.path, 'too-many-problems', message, 'Solve the others first.'));
    }
    return diagnostics;
  }
}

/** Reads and parses; a file that cannot be read is a Diagnostic, what is wrong inside is in `yaml.problems`. */
export function readSource(path: string, maxBytes: number): SourceFile | Diagnostic {
  const read = readText(path, maxBytes);
  if (!('text' in read)) return read;
  return new SourceFile(path, parseYaml(read.text, { json: path.endsWith('.json') }));
}

/** Problems of the text and, where it could be read, of its shape. */
export function shapeProblems(source: SourceFile, schema: OwnSchema): Problem[] {
  const { problems, value } = source.yaml;
  return [...problems, ...(source.isReadable ? unlessAt(problems, ownShapeProblems(schema, value)) : [])];
}

/** The findings about places that no earlier problem is about: a value that could not be read breaks every rule. */
export function unlessAt(earlier: readonly Problem[], findings: readonly Problem[]): Problem[] {
  const taken = new Set(earlier.map((problem) => problem.pointer));
  return findings.filter((problem) => problem.pointer === '' || !taken.has(problem.pointer));
}
