/**
 * Names that every JavaScript object answers to: `__proto__`, `constructor`, `toString` ... As names of properties they
 * make generated code mistake what is inherited for what was sent, so no contract can use them.
 */
const NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

export function isPrototypeName(name: string): boolean {
  return NAMES.has(name);
}
