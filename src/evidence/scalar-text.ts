/** A value as the text that bind compares: strings as they are, numbers and booleans as JSON writes them. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}
