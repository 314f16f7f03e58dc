import { type Document, isAlias, isCollection, isMap, isScalar, type Pair, type Scalar } from 'yaml';
import { formatPointer, isJsonNumber, numberVerdict } from '../json/index.js';
import type { PlacedProblem } from './placed-problem.js';
import type { TextLines } from './text-lines.js';
import { keyOf, type RangedNode } from './yaml-node.js';

/** Values that all aliases of a file together may repeat: ten aliases of ten aliases of ... end here. */
const MAX_REPEATED = 10_000;

/** What a document says as plain objects, arrays and scalars, and what of it cannot be said so. */
export function plainValue(
  document: Document,
  lines: TextLines,
): { readonly value: unknown; readonly problems: readonly PlacedProblem[] } {
  const reader = new Reader(document, lines);
  const value = reader.read(document.contents as RangedNode, []);
  return { value, problems: reader.problems };
}

class Reader {
  readonly problems: PlacedProblem[] = [];
  readonly #document: Document;
  readonly #lines: TextLines;
  /** Nodes that are being read: an alias to one of them would never end. */
  readonly #open = new Set<RangedNode>();
  readonly #reported = new Set<RangedNode>();
  /** The aliases that are being followed, outermost first. */
  readonly #aliases: RangedNode[] = [];
  #repeated = 0;

  constructor(document: Document, lines: TextLines) {
    this.#document = document;
    this.#lines = lines;
  }

  read(node: RangedNode | null, path: readonly string[]): unknown {
    if (node === null) return null;
    const [alias] = this.#aliases;
    if (alias !== undefined && ++this.#repeated > MAX_REPEATED) {
      if (this.#repeated === MAX_REPEATED + 1) {
        const message = 'aliases repeat more than 10,000 values';
        this.#problem(alias, path, 'alias-bomb', message, 'Write the values out, or repeat less.');
      }
      return null;
    }
    if (isAlias(node)) return this.#alias(node, path);
    if (node.tag !== undefined) {
      const message = 'tags are not taken';
      this.#problem(
        node,
        path,
        'yaml-tag',
        message,
        'Remove the tag; put text that looks like something else in quotes.',
      );
    }
    if (isScalar(node)) return this.#scalar(node as Scalar & RangedNode, path);
    this.#open.add(node);
    const value = isMap(node) ? this.#map(node.items as Pair[], path) : this.#list(node, path);
    this.#open.delete(node);
    return value;
  }

  #alias(
    node: RangedNode & { source: string; resolve(doc: Document): unknown },
    path: readonly string[],
  ): unknown {
    const target = node.resolve(this.#document) as RangedNode | undefined;
    if (target === undefined) {
      const remedy = `Write &${node.source} before the value that is meant, above this line, or put the text in quotes.`;
      this.#problem(node, path, 'unknown-alias', 'this alias names no anchor above it', remedy);
      return null;
    }
    if (this.#open.has(target)) {
      this.#problem(
        node,
        path,
        'endless-alias',
        'this alias stands inside the value that it repeats',
        'Write the value out.',
      );
      return null;
    }
    this.#aliases.push(node);
    const value = this.read(target, path);
    this.#aliases.pop();
    return value;
  }

  #scalar(node: Scalar & RangedNode, path: readonly string[]): unknown {
    if (typeof node.value !== 'number') return node.value;
    const lexeme = node.source ?? '';
    if (!isJsonNumber(lexeme)) {
      const message = 'this is a number in YAML but not in JSON';
      this.#problem(
        node,
        path,
        'number-form',
        message,
        'Write it in plain decimal digits, or in quotes if it is text.',
      );
    } else if (numberVerdict(lexeme) !== 'exact') {
      const message = 'this number would be rounded';
      this.#problem(
        node,
        path,
        'number-precision',
        message,
        'Write fewer digits, or put it in quotes if it is text.',
      );
    }
    return node.value;
  }

  #map(pairs: readonly Pair[], path: readonly string[]): unknown {
    const value: Record<string, unknown> = {};
    for (const pair of pairs) {
      const name = keyOf(pair);
      const at = [...path, name];
      const key = pair.key as RangedNode;
      if (key.tag !== undefined) {
        this.#problem(key, at, 'yaml-tag', 'tags are not taken', 'Remove the tag.');
      } else if (name === '<<') {
        const message = 'merge keys (<<) are not part of YAML 1.2';
        this.#problem(
          key,
          at,
          'merge-key',
          message,
          'Write the keys out; a whole value can be repeated with &name and *name.',
        );
        continue;
      } else if (name === '__proto__') {
        const remedy = 'Choose another name; a fixture can carry it in body_text.';
        this.#problem(key, at, 'proto-key', 'no key can be named __proto__', remedy);
        continue;
      }
      if (Object.hasOwn(value, name)) {
        this.#problem(key, at, 'repeated-key', 'this key stands twice in its map', 'Keep one of them.');
        continue;
      }
      value[name] = this.read(pair.value as RangedNode | null, at);
    }
    return value;
  }

  #list(node: RangedNode, path: readonly string[]): unknown {
    if (!isCollection(node)) return null;
    return node.items.map((item, i) => this.read(item as RangedNode | null, [...path, String(i)]));
  }

  #problem(
    at: Pick<RangedNode, 'range'>,
    path: readonly string[],
    rule: string,
    message: string,
    remedy: string,
  ): void {
    // What an alias repeats is wrong once.
    if (this.#reported.has(at as RangedNode)) return;
    this.#reported.add(at as RangedNode);
    const [start, end] = at.range ?? [0, 1];
    this.problems.push({
      pointer: formatPointer(path),
      rule,
      message,
      remedy,
      place: this.#lines.place(start, end),
    });
  }
}
