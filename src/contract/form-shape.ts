import type { Problem } from '../fault/index.js';
import { type Bundle, isNothing } from './bundle.js';
import { conjunction, itemSchemas, memberSchemas } from './conjunction.js';
import type { FormList, FormObject, FormShape } from './contract.js';
import { isNode, type SchemaNode } from './keywords.js';
import { inContract, problemAt, type Trouble } from './place.js';
import { isTextType, singleType } from './single-type.js';

/**
 * What the texts of an urlencoded body are to be read as: objects, lists and texts, by the schema of the body. The
 * schema has to say that without choices, since a text does not show whether it is a number.
 *
 * @param onlyTexts lists cannot hold objects or lists, since their items have no number of their own in the body
 */
export function formShape(
  bundle: Bundle,
  onlyTexts: boolean,
): { readonly shape: FormObject } | { readonly problems: readonly Problem[] } {
  const compiler = new FormCompiler(bundle, onlyTexts);
  const shape = compiler.shape([bundle.root]);
  if (compiler.problems.length > 0) return { problems: compiler.problems };
  if (shape?.kind === 'object') return { shape };
  const message = 'a form is an object, and the schema says something else';
  return {
    problems: [
      compiler.problem([bundle.root], { rule: 'form-object', message, remedy: 'write type: object' }),
    ],
  };
}

class FormCompiler {
  readonly problems: Problem[] = [];
  readonly #bundle: Bundle;
  readonly #onlyTexts: boolean;
  readonly #ids = new Map<SchemaNode, number>();
  /** By the schemas that meet: a schema may contain itself. */
  readonly #made = new Map<string, FormShape>();

  constructor(bundle: Bundle, onlyTexts: boolean) {
    this.#bundle = bundle;
    this.#onlyTexts = onlyTexts;
  }

  /** Undefined where no value passes, or after a problem. */
  shape(schemas: readonly SchemaNode[]): FormShape | undefined {
    const { nodes } = conjunction(this.#bundle, schemas);
    if ([...nodes].some(isNothing)) return undefined;
    const key = [...nodes]
      .map((node) => this.#id(node))
      .sort()
      .join(' ');
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const type = singleType(this.#bundle, ...schemas);
    if (isTextType(type)) return { kind: 'text', type };
    if (type === 'object') return this.#object(key, schemas, nodes);
    if (type === 'array') return this.#list(key, schemas, nodes);
    const message = 'the value has no single type that the text of a form can be read as';
    const remedy = 'write type: string, integer, number, boolean, object or array';
    this.problems.push(this.problem(schemas, { rule: 'form-type', message, remedy }));
    return undefined;
  }

  problem(schemas: readonly SchemaNode[], trouble: Trouble): Problem {
    const place = schemas[0] && this.#bundle.placeOf(schemas[0]);
    return problemAt(place ?? inContract('request', 'body', 'schema'), trouble);
  }

  #object(key: string, schemas: readonly SchemaNode[], nodes: ReadonlySet<SchemaNode>): FormShape {
    const members = new Map<string, FormShape>();
    const made: { -readonly [K in keyof FormObject]: FormObject[K] } = { kind: 'object', members };
    this.#made.set(key, made);
    const names = [...nodes].flatMap((node) => Object.keys(isNode(node.properties) ? node.properties : {}));
    for (const name of new Set(names)) {
      const found = memberSchemas(nodes, name);
      if (name === '' || /[[\]]/.test(name)) {
        const message = `"${name}" cannot be the name of a member: brackets and emptiness mean something in a form`;
        const remedy = 'describe a[b] as a member b of an object a, and a[] as an array a';
        this.problems.push(this.problem(found, { rule: 'form-name', message, remedy }));
        continue;
      }
      const member = this.shape(found);
      if (member !== undefined) members.set(name, member);
    }
    const others = [...nodes].map((node) => node.additionalProperties).filter((other) => other !== undefined);
    if (others.length > 0 && others.every(isNode)) made.others = this.shape(others);
    if ([...nodes].some((node) => node.patternProperties !== undefined)) {
      const message = 'patternProperties do not say what the text of a form is to be read as';
      const remedy =
        'write properties, or additionalProperties with a schema and propertyNames with a pattern';
      this.problems.push(this.problem(schemas, { rule: 'form-type', message, remedy }));
    }
    return made;
  }

  #list(key: string, schemas: readonly SchemaNode[], nodes: ReadonlySet<SchemaNode>): FormShape | undefined {
    const made: { -readonly [K in keyof FormList]: FormList[K] } = { kind: 'list', item: undefined };
    this.#made.set(key, made);
    if ([...nodes].some((node) => node.prefixItems !== undefined)) {
      const message = 'the items of a list of a form are of one kind';
      const remedy = 'write items instead of prefixItems';
      this.problems.push(this.problem(schemas, { rule: 'form-type', message, remedy }));
      return undefined;
    }
    made.item = this.shape(itemSchemas(nodes, 0));
    if (this.#onlyTexts && made.item !== undefined && made.item.kind !== 'text') {
      const message = 'the items have members of their own, which only lists with indices can tell apart';
      this.problems.push(
        this.problem(schemas, {
          rule: 'form-list',
          message,
          remedy: 'write arrays: indices, or leave it out',
        }),
      );
    }
    return made;
  }

  #id(node: SchemaNode): number {
    const id = this.#ids.get(node) ?? this.#ids.size;
    this.#ids.set(node, id);
    return id;
  }
}
