/** Makes a switch exhaustive at compile time; throws (our bug) if it is reached all the same. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
