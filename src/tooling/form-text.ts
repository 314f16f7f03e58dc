/**
 * A value as an urlencoded body: `a[b]=` for what stands in an object, `a[0]=` for what stands in a list. What is no
 * object is sent as the text that it is.
 */
export function formText(value: unknown): string {
  if (!isBranch(value)) return String(value);
  return Object.entries(value)
    .flatMap(([name, inner]) => pairsOf(name, inner))
    .join('&');
}

function pairsOf(name: string, value: unknown): string[] {
  if (!isBranch(value)) return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
