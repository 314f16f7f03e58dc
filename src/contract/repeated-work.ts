import type { Problem } from '../fault/index.js';
import type { Bundle } from './bundle.js';
import { isNode, type SchemaNode, subschemas } from './keywords.js';
import { compilePattern } from './pattern.js';
import { inContract, problemAt } from './place.js';

/** Schemas that may judge one value of an answer, one after another. */
const MAX_JUDGEMENTS = 1_000;
/** Levels that are looked at; twice the depth that the scanner lets pass by default. */
const MAX_LEVELS = 64;

/** Stands for every name that no schema in reach names, and for every index beyond the prefixes. */
const OTHER = Symbol('other');
type Label = string | number | typeof OTHER;

/**
 * Bounds the validator's work. It judges a value once for every way that leads to a schema for it, and where the branches
 * of `anyOf` each refer back to the whole, the ways double at every level: 2^20 at depth 20, for an answer of a few
 * hundred bytes. No time limit ends that, since nothing else runs meanwhile.
 *
 * Counted from above: of each schema the member or item with the most ways below it, without asking whether one document
 * can take all of these at once. Names of members (`propertyNames`) are judged no more often than the object is.
 *
 * @returns at most one problem, at the schema that is over MAX_JUDGEMENTS with the fewest levels below it
 */
export function repeatedWork(bundle: Bundle): Problem[] {
  const culprit = new Counter(bundle).firstOver(MAX_JUDGEMENTS);
  if (culprit === undefined) return [];
  const keyword = joining(culprit);
  return [
    problemAt(bundle.placeOf(culprit, keyword) ?? bundle.placeOf(bundle.root) ?? inContract(), {
      rule: 'repeated-work',
      atKey: keyword !== undefined,
      message: `more than ${MAX_JUDGEMENTS} schemas could judge one and the same value below here, as every branch describes it anew`,
      remedy:
        'describe what the branches share once, beside them, and in each branch only what tells it apart',
    }),
  ];
}

/** The keyword that lets several schemas judge the same value. */
function joining(node: SchemaNode): string | undefined {
  return ['anyOf', 'oneOf', 'allOf'].find((word) => node[word] !== undefined);
}

class Counter {
  /** Every schema in reach. */
  readonly #nodes = new Set<SchemaNode>();
  readonly #sameValue = new Map<SchemaNode, readonly SchemaNode[]>();
  readonly #labels = new Map<SchemaNode, ReadonlySet<Label>>();
  /** Ways to a value so many levels below each schema, over the member or item that has the most; level by level. */
  #below = new Map<SchemaNode, number>();

  constructor(bundle: Bundle) {
    this.#nodes.add(bundle.root);
    // A set grows while it is walked, and what is added is walked as well.
    for (const node of this.#nodes) {
      const all = subschemas(node).filter((sub) => sub.keyword !== '$defs' && isNode(sub.schema));
      const same = all.filter((sub) => sub.sameValue).map((sub) => sub.schema as SchemaNode);
      if (typeof node.$ref === 'string') same.push(bundle.target(node.$ref));
      this.#sameValue.set(node, same);
      for (const next of [...same, ...all.map((sub) => sub.schema as SchemaNode)]) this.#nodes.add(next);
    }
  }

  firstOver(limit: number): SchemaNode | undefined {
    this.#below = this.#own();
    for (let level = 0; level <= MAX_LEVELS; level++) {
      const counts = [...this.#below];
      const over = counts.filter(([, ways]) => ways > limit).map(([node]) => node);
      const [first] = over;
      if (first !== undefined) return over.find((node) => joining(node) !== undefined) ?? first;
      const above = this.#oneLevelUp();
      // What a level leaves as it is, every further one does: also where nothing is left below.
      if (counts.every(([node, ways]) => above.get(node) === ways)) return undefined;
      this.#below = above;
    }
    return undefined;
  }

  /** Schemas that judge the value itself, the one that is asked about included. */
  #own(): Map<SchemaNode, number> {
    const own = new Map<SchemaNode, number>();
    // No schema leads back to itself on the same value (sound-references.ts).
    const count = (node: SchemaNode): number => {
      const known = own.get(node);
      if (known !== undefined) return known;
      const ways = (this.#sameValue.get(node) ?? []).reduce((sum, same) => sum + count(same), 1);
      own.set(node, ways);
      return ways;
    };
    for (const node of this.#nodes) count(node);
    return own;
  }

  #oneLevelUp(): Map<SchemaNode, number> {
    const perLabel = new Map<SchemaNode, Map<Label, number>>();
    const above = new Map<SchemaNode, number>();
    for (const node of this.#nodes) {
      let most = 0;
      for (const label of this.#labelsOf(node)) most = Math.max(most, this.#ways(node, label, perLabel));
      above.set(node, most);
    }
    return above;
  }

  /** Ways from a schema over one member or item, its schemas on the same value included. */
  #ways(node: SchemaNode, label: Label, memory: Map<SchemaNode, Map<Label, number>>): number {
    const known = memory.get(node) ?? new Map<Label, number>();
    memory.set(node, known);
    let ways = known.get(label);
    if (ways === undefined) {
      ways = this.#ownWays(node, label);
      for (const same of this.#sameValue.get(node) ?? []) ways += this.#ways(same, label, memory);
      known.set(label, ways);
    }
    return ways;
  }

  #ownWays(node: SchemaNode, label: Label): number {
    const to = (schema: unknown): number => (isNode(schema) ? (this.#below.get(schema) ?? 0) : 0);
    const index = typeof label === 'number' ? label : undefined;
    const prefix: readonly unknown[] = Array.isArray(node.prefixItems) ? node.prefixItems : [];
    const item = to(index === undefined ? node.items : (prefix[index] ?? node.items)) + to(node.contains);
    if (index !== undefined) return item;

    const { properties, additionalProperties: others } = node;
    const patterns = Object.entries(isNode(node.patternProperties) ? node.patternProperties : {});
    if (label === OTHER) {
      const matched = patterns.reduce((sum, [, schema]) => sum + to(schema), 0);
      return Math.max(item, matched, to(others));
    }
    const name = String(label);
    const own = isNode(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = [
      ...own,
      ...patterns.filter(([text]) => matches(text, name)).map(([, schema]) => schema),
    ];
    return matching.length === 0 ? to(others) : matching.reduce<number>((sum, schema) => sum + to(schema), 0);
  }

  /** Every member and item that a schema, or one on the same value, tells apart from others. */
  #labelsOf(node: SchemaNode): ReadonlySet<Label> {
    const known = this.#labels.get(node);
    if (known !== undefined) return known;
    const labels = new Set<Label>([OTHER]);
    if (isNode(node.properties)) for (const name of Object.keys(node.properties)) labels.add(name);
    if (Array.isArray(node.prefixItems)) for (const index of node.prefixItems.keys()) labels.add(index);
    for (const same of this.#sameValue.get(node) ?? []) {
      for (const label of this.#labelsOf(same)) labels.add(label);
    }
    this.#labels.set(node, labels);
    return labels;
  }
}

function matches(pattern: string, name: string): boolean {
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' || compiled.test(name);
}
