import type { ASTNode } from '@marcbachmann/cel-js';
import { compilePattern, type LinearPattern, nearest } from '../contract/index.js';
import { engineName, FUNCTIONS, INSTEAD } from './expression-functions.js';

/** What is wrong with a part of an expression: UTF-16 units of its text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly remedy: string;
}

/** What an expression names. */
export interface Named {
  /** Of the declared names those that it uses. */
  readonly used: Set<string>;
  /** The literal patterns of `re2`. */
  readonly patterns: Map<string, LinearPattern>;
  readonly findings: Finding[];
}

/**
 * Goes through a parsed expression and finds what rules cannot use: of what the engine knows only a part is sound on
 * data that somebody else wrote. Calls of our own functions get the engine's name for them; it is not type-checked yet.
 *
 * @param request what there is of the request: `request.params.owner`
 */
export function nameEverything(
  ast: ASTNode,
  declared: ReadonlySet<string>,
  request: ReadonlySet<string>,
): Named {
  const reader = new Reader(declared, request);
  reader.node(ast, new Set());
  return reader;
}

type Scope = ReadonlySet<string>;

class Reader implements Named {
  readonly used = new Set<string>();
  readonly patterns = new Map<string, LinearPattern>();
  readonly findings: Finding[] = [];
  readonly #declared: ReadonlySet<string>;
  readonly #request: ReadonlySet<string>;

  constructor(declared: ReadonlySet<string>, request: ReadonlySet<string>) {
    this.#declared = declared;
    this.#request = request;
  }

  node(node: ASTNode, scope: Scope): void {
    switch (node.op) {
      case 'id':
        this.#name(node, node.args, scope);
        return;
      case 'value':
        this.#literal(node, node.args);
        return;
      case '.':
        this.#member(node, node.args, scope);
        return;
      case 'call':
        this.#call(node, node.args, undefined, node.args[1], scope);
        return;
      case 'rcall':
        this.#call(node, node.args, node.args[1], node.args[2], scope);
        return;
      case '[]':
      case '?:':
      case '||':
      case '&&':
      case 'list':
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
      case 'in':
        for (const part of node.args) this.node(part, scope);
        return;
      case '!_':
      case '-_':
        this.node(node.args, scope);
        return;
      case 'map':
        this.#say(node, 'a rule has no maps', 'compare with == and ||, or write a list');
        return;
      default:
        this.#say(node, `${node.op} cannot stand in a rule`, 'docs/checks.md lists what a rule can use');
    }
  }

  #name(node: ASTNode, name: string, scope: Scope): void {
    if (scope.has(name)) return;
    if (this.#declared.has(name)) {
      this.used.add(name);
      return;
    }
    const meant = nearest(name, [...this.#declared, ...scope]);
    const remedy =
      meant === undefined ? `add ${name} to reads, with the place of its value` : `did you mean "${meant}"?`;
    this.#say(node, `"${name}" is not a name in reads`, remedy);
  }

  /** `request.params.owner`; what else has a member is of the type checker's to say. */
  #member(node: ASTNode, [owner, name]: [ASTNode, string], scope: Scope): void {
    this.node(owner, scope);
    const path = pathOf(owner);
    if (path === undefined || !/^request(?:\.(?:params|query|headers))?$/.test(path)) return;
    const here = [...this.#request]
      .filter((one) => one.startsWith(`${path}.`))
      .map((one) => one.slice(path.length + 1));
    const names = path === 'request' ? ['id', 'params', 'query', 'headers'] : here;
    if (names.includes(name)) return;
    const meant = nearest(name, names);
    const known =
      names.length === 0 ? 'declare it in the request of the contract' : `there is ${names.join(', ')}`;
    const remedy = meant === undefined ? known : `did you mean "${meant}"?`;
    this.#say({ start: node.pos, end: node.end }, `${path} has no "${name}"`, remedy);
  }

  #literal(node: ASTNode, value: unknown): void {
    if (value === null) {
      const message = 'nothing in a rule is null: a value that can be absent or null is optional';
      this.#say(node, message, 'write name.hasValue(), or name.orValue(...)');
    } else if (typeof value === 'object') {
      this.#say(
        node,
        'a rule has no bytes and no unsigned numbers',
        'write text in quotes, or a plain number',
      );
    }
  }

  #call(
    node: ASTNode,
    parts: [string, ...unknown[]],
    receiver: ASTNode | undefined,
    args: readonly ASTNode[],
    scope: Scope,
  ): void {
    const [name] = parts;
    if (receiver !== undefined) this.node(receiver, scope);
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    // `size` is both.
    const fits =
      known !== undefined && (name === 'size' || (known.kind === 'function') === (receiver === undefined));
    const arity = name === 'size' && receiver !== undefined ? [0] : known?.arity;
    if (!fits || arity === undefined) {
      const instead = known === undefined ? INSTEAD[name] : undefined;
      const meant = nearest(name, Object.keys(FUNCTIONS));
      const guess = meant === undefined || meant === name ? functionList() : `did you mean "${meant}"?`;
      const message =
        known === undefined
          ? `${name}() cannot be used in a rule`
          : `${name}() is ${known.kind === 'function' ? 'called with' : 'called on'} a value: ${usage(name)}`;
      this.#say(node, message, instead ?? guess);
    } else if (!arity.includes(args.length)) {
      this.#say(node, `${name}() has ${args.length} arguments`, `write ${usage(name)}`);
    }
    if (known?.kind === 'loop' && fits) this.#loop(args, scope);
    else for (const arg of args) this.node(arg, scope);
    if (!fits) return;
    if (name === 're2') this.#pattern(args[1]);
    parts[0] = engineName(name);
  }

  /** `list.all(item, ...)`: the first argument names the item in the others. */
  #loop([item, ...others]: readonly ASTNode[], scope: Scope): void {
    if (item?.op !== 'id') {
      if (item !== undefined) this.#say(item, 'this is no name for an item', 'write names.all(name, ...)');
      return;
    }
    if (this.#declared.has(item.args) || scope.has(item.args)) {
      this.#say(item, `"${item.args}" is a name already`, 'give the item another name');
    }
    for (const other of others) this.node(other, new Set([...scope, item.args]));
  }

  #pattern(node: ASTNode | undefined): void {
    if (node === undefined) return;
    const remedy = 'write it in quotes: re2(name, "^[a-z]{1,20}$")';
    if (node.op !== 'value' || typeof node.args !== 'string') {
      this.#say(node, 'the pattern of re2 is not a literal, so that it cannot be compiled at load', remedy);
      return;
    }
    const pattern = compilePattern(node.args);
    if (typeof pattern === 'string')
      this.#say(node, `the pattern ${pattern}`, 'write a pattern of JSON Schema');
    else this.patterns.set(node.args, pattern);
  }

  #say({ start, end }: Pick<ASTNode, 'start' | 'end'>, message: string, remedy: string): void {
    this.findings.push({ start, end, message, remedy });
  }
}

/** `a.b.c`, where a node is that and no more; a name in brackets and quotes counts as well. */
export function pathOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args;
  if (node.op === '.') {
    const before = pathOf(node.args[0]);
    return before === undefined ? undefined : `${before}.${node.args[1]}`;
  }
  if (node.op === '[]' && node.args[1].op === 'value' && typeof node.args[1].args === 'string') {
    const before = pathOf(node.args[0]);
    return before === undefined ? undefined : `${before}.${node.args[1].args}`;
  }
  return undefined;
}

function usage(name: string): string {
  const known = FUNCTIONS[name];
  if (name === 're2') return 're2(text, "^pattern$")';
  if (known?.kind === 'function') return `${name}(value)`;
  if (known?.kind === 'loop') return `list.${name}(item, ...)`;
  return known?.arity[0] === 0 ? `value.${name}()` : `value.${name}(...)`;
}

function functionList(): string {
  const names = Object.keys(FUNCTIONS).filter((name) => FUNCTIONS[name]?.kind === 'function');
  return `the functions are ${names.join(', ')}; docs/checks.md has the methods as well`;
}
