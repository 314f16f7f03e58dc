export { typedText as typedValue } from '../contract/index.js';

/** An object that inherits nothing, so that no name of the agent's means more than it says. */
export function bare<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
