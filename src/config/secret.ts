import { inspect } from 'node:util';

/** The value of a secret. Printed, logged or turned into JSON it is `[secret NAME]`. */
export class Secret {
  readonly name: string;
  readonly #value: string;

  constructor(name: string, value: string) {
    this.name = name;
    this.#value = value;
  }

  /** The value itself; only for what sends or compares it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return `[secret ${this.name}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** Headers with credentials in them: a read-only map whose values never show when it is printed or turned into JSON. */
export class CredentialHeaders implements ReadonlyMap<string, string> {
  readonly #values: Map<string, string>;
  readonly #shown: Readonly<Record<string, string>>;

  constructor(headers: ReadonlyMap<string, string | { readonly secret: Secret; readonly format: string }>) {
    this.#values = new Map();
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      if (typeof value === 'string') {
        this.#values.set(name, value);
        shown[name] = value;
      } else {
        // A function: `$&` in a secret is no pattern.
        this.#values.set(
          name,
          value.format.replace('{}', () => value.secret.reveal()),
        );
        shown[name] = value.format.replace('{}', value.secret.toString());
      }
    }
    this.#shown = Object.freeze(shown);
  }

  get size(): number {
    return this.#values.size;
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  keys(): MapIterator<string> {
    return this.#values.keys();
  }

  values(): MapIterator<string> {
    return this.#values.values();
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  forEach(visit: (value: string, name: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [name, value] of this.#values) visit(value, name, this);
  }

  toJSON(): Readonly<Record<string, string>> {
    return this.#shown;
  }

  [inspect.custom](): Readonly<Record<string, string>> {
    return this.#shown;
  }
}

/** Makes one text member of an object show as `[secret NAME]` when the object is printed or turned into JSON. */
export function concealMember<T extends object>(object: T, key: keyof T & string, secret: Secret): T {
  const shown = () => ({ ...object, [key]: secret.toString() });
  // Not enumerable, so that a copy of the object has its members and nothing else.
  Object.defineProperty(object, 'toJSON', { value: shown });
  Object.defineProperty(object, inspect.custom, { value: shown });
  return object;
}
