import type { CST } from 'yaml';

const MAX_DEPTH = 100;

/**
 * The offset of the first list or map nested deeper than 100, if there is one. Looked for before composing, which
 * recurses: near the end of the stack V8 aborts the process where a regular expression is compiled.
 */
export function tooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      if (depth === MAX_DEPTH) return token.offset;
      for (const { key, value } of token.items) {
        if (key) open.push({ token: key, depth: depth + 1 });
        if (value) open.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}
