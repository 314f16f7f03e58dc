import { Composer, type Document, isAlias, isCollection, isMap, isScalar, type Pair, Parser } from 'yaml';
import type { Problem } from '../fault/index.js';
import { parsePointer } from '../json/index.js';
import { type PlacedProblem, placed } from './placed-problem.js';
import { plainJson } from './plain-json.js';
import { NOT_PLAIN } from './plain-text.js';
import { plainYaml } from './plain-yaml.js';
import { type Place, TextLines } from './text-lines.js';
import { textProblem } from './text-problem.js';
import { placeWithin } from './text-within.js';
import { tooDeep } from './yaml-depth.js';
import { syntaxProblems } from './yaml-error.js';
import { keyOf, type RangedNode } from './yaml-node.js';
import { plainValue } from './yaml-value.js';

/** A YAML or JSON text, read. */
export interface YamlFile {
  readonly lines: TextLines;
  /** Plain objects, arrays and scalars; undefined where the text is no sound YAML document. */
  readonly value: unknown;
  readonly problems: readonly PlacedProblem[];
  /**
   * Where the value at a JSON Pointer stands, or (`atKey`) its key; the nearest thing around it where there is none.
   * A block map or list is shown by its key. `within`: a part of a text, in UTF-16 units of its value.
   */
  locate(pointer: string, atKey?: boolean, within?: Problem['within']): Place;
  /** Calls back with every text, number and boolean and the keys above it. */
  scalars(visit: (path: readonly string[], value: unknown, place: Place) => void): void;
}

/**
 * Reads one YAML 1.2 document (core schema) and collects every problem: syntax, a second document, directives, tags,
 * merge keys, repeated keys, `__proto__`, numbers that JSON or a double cannot hold, unknown and runaway aliases.
 * `json`: the text must be JSON as well. Never throws on bad text.
 */
export function parseYaml(text: string, options: { readonly json?: boolean } = {}): YamlFile {
  // Most JSON is YAML too (YAML 1.2.2 section 1.3), and all that plainJson reads.
  const value = options.json === true || /^[{[]/.test(text) ? plainJson(text) : plainYaml(text);
  return value === NOT_PLAIN ? parseWhole(text, options) : new PlainFile(text, options, value);
}

/** A text that the plain reader has read. Places are rarely asked for, and only by the whole parser known. */
class PlainFile implements YamlFile {
  readonly value: unknown;
  readonly problems: readonly PlacedProblem[] = [];
  readonly #parse: () => YamlFile;
  #whole: YamlFile | undefined;

  constructor(text: string, options: { readonly json?: boolean }, value: unknown) {
    this.value = value;
    this.#parse = () => parseWhole(text, options);
  }

  get lines(): TextLines {
    return this.#file.lines;
  }

  locate(pointer: string, atKey?: boolean, within?: Problem['within']): Place {
    return this.#file.locate(pointer, atKey, within);
  }

  scalars(visit: (path: readonly string[], value: unknown, place: Place) => void): void {
    this.#file.scalars(visit);
  }

  get #file(): YamlFile {
    this.#whole ??= this.#parse();
    return this.#whole;
  }
}

/** The same by the YAML package: whatever is in the text, and where. */
export function parseWhole(text: string, options: { readonly json?: boolean } = {}): YamlFile {
  const lines = new TextLines(text);
  const bad = textProblem(lines);
  if (bad !== undefined) return unreadable(lines, [bad]);

  const tokens = [...new Parser().parse(text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    const message = 'lists and maps are nested deeper than 100';
    const remedy = 'Write flatter YAML; nothing here needs such depth.';
    return unreadable(lines, [placed('too-deep', lines.place(deep), message, remedy)]);
  }
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    strict: true,
    stringKeys: true,
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // Compared by plainValue: the composer's own way takes quadratic time.
    uniqueKeys: false,
  });
  const [document, second] = composer.compose(tokens, true, text.length);
  const problems: PlacedProblem[] = [];
  for (const token of tokens) {
    if (token.type !== 'directive') continue;
    const message = 'YAML directives are not taken';
    const remedy = 'Remove the line; files are read as YAML 1.2.';
    problems.push(placed('yaml-directive', lines.place(token.offset), message, remedy));
  }
  problems.push(...syntaxProblems(document?.errors ?? [], lines));
  if (second !== undefined) {
    const message = 'a second YAML document starts here';
    problems.push(
      placed('yaml-documents', lines.place(second.range[0]), message, 'Keep one document per file.'),
    );
  }
  if (document === undefined || document.errors.length > 0) return unreadable(lines, problems);
  if (options.json === true) problems.push(...jsonProblems(lines));
  if (isEmpty(document.contents)) {
    problems.push(
      placed('empty-file', lines.place(0), 'the file is empty', 'Write the document, or remove the file.'),
    );
    return unreadable(lines, problems);
  }
  const plain = plainValue(document as Document, lines);
  problems.push(...plain.problems);
  const tree = document.contents as RangedNode;
  return {
    lines,
    value: plain.value,
    problems,
    locate: (pointer, atKey, within) =>
      locate(document as Document, tree, lines, pointer, atKey ?? false, within),
    scalars: (visit) => visitScalars(tree, lines, [], visit),
  };
}

/** Nothing, or nothing after `---`. */
function isEmpty(node: RangedNode | null): node is null {
  const [start, end] = node?.range ?? [0, 0];
  return node === null || (isScalar(node) && start === end);
}

function unreadable(lines: TextLines, problems: readonly PlacedProblem[]): YamlFile {
  return { lines, value: undefined, problems, locate: () => lines.place(0), scalars: () => {} };
}

function jsonProblems(lines: TextLines): PlacedProblem[] {
  try {
    JSON.parse(lines.text);
    return [];
  } catch (error) {
    // V8 tells the place in its message only; without it the start of the file is shown.
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '');
    const message = 'this is YAML but not JSON, and the file is named .json';
    const remedy = 'Write JSON, or name the file .yaml.';
    return [placed('not-json', lines.place(Number(at?.[1] ?? 0)), message, remedy)];
  }
}

function locate(
  document: Document,
  root: RangedNode,
  lines: TextLines,
  pointer: string,
  atKey: boolean,
  within: Problem['within'],
): Place {
  let node: RangedNode | null = root;
  let key: RangedNode | undefined;
  let found: Place | undefined;
  for (const token of parsePointer(pointer) ?? []) {
    const target: unknown = isAlias(node) ? node.resolve(document) : node;
    let next: RangedNode | null | undefined;
    if (isMap(target)) {
      const pair = target.items.find((item) => keyOf(item as Pair) === token) as Pair | undefined;
      if (pair !== undefined)
        [key, next] = [pair.key as RangedNode, (pair.value ?? null) as RangedNode | null];
    } else if (isCollection(target)) {
      next = /^[0-9]+$/.test(token) ? (target.items[Number(token)] as RangedNode | undefined) : undefined;
      key = undefined;
    }
    if (next === undefined) return found ?? placeOf(node, key, lines, true);
    node = next;
    found = placeOf(node, key, lines, true);
  }
  return (within && placeInText(node, lines, within)) ?? placeOf(node, key, lines, atKey);
}

function placeInText(
  node: RangedNode | null,
  lines: TextLines,
  { start, end }: NonNullable<Problem['within']>,
): Place | undefined {
  if (!isScalar(node) || typeof node.value !== 'string' || node.range == null) return undefined;
  const { type, value } = node;
  return placeWithin(lines, { type, value, start: node.range[0], end: node.range[1] }, start, end);
}

/** The key where it is asked for, or where the value has no text of its own that one could point at. */
function placeOf(
  node: RangedNode | null,
  key: RangedNode | undefined,
  lines: TextLines,
  atKey: boolean,
): Place {
  const [start, end] = node?.range ?? [0, 0];
  const isBlock = isCollection(node) && node.flow !== true;
  const isEmpty = node === null || start === end;
  if (key?.range && (atKey || isBlock || isEmpty)) return lines.place(key.range[0], key.range[1]);
  return isBlock ? lines.place(start) : lines.place(start, end);
}

function visitScalars(
  node: RangedNode | null,
  lines: TextLines,
  path: readonly string[],
  visit: (path: readonly string[], value: unknown, place: Place) => void,
): void {
  if (isScalar(node)) {
    const [start, end] = node.range ?? [0, 0];
    visit(path, node.value, lines.place(start, end));
  } else if (isMap(node)) {
    for (const pair of node.items as Pair[])
      visitScalars(pair.value as RangedNode | null, lines, [...path, keyOf(pair)], visit);
  } else if (isCollection(node)) {
    node.items.forEach((item, i) => {
      visitScalars(item as RangedNode, lines, [...path, String(i)], visit);
    });
  }
}
