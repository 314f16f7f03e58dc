/**
 * Freezes a value and everything it holds, circles included. A Map or Set keeps its entries outside what Object.freeze
 * reaches, so that its changing methods are closed one by one.
 */
export function deepFreeze<T>(value: T): T {
  freeze(value, new Set());
  return value;
}

function freeze(value: unknown, seen: Set<unknown>): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Map) {
    for (const [key, item] of value) {
      freeze(key, seen);
      freeze(item, seen);
    }
    close(value, ['set', 'delete', 'clear']);
  } else if (value instanceof Set) {
    for (const item of value) freeze(item, seen);
    close(value, ['add', 'delete', 'clear']);
  }
  for (const key of Reflect.ownKeys(value)) {
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (property !== undefined && 'value' in property) freeze(property.value, seen);
  }
  Object.freeze(value);
}

function close(collection: object, methods: readonly string[]): void {
  for (const method of methods) {
    Object.defineProperty(collection, method, {
      value: () => {
        throw new TypeError('a compiled contract does not change');
      },
    });
  }
}
