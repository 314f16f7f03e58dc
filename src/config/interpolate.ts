import type { Problem } from '../fault/index.js';
import { formatPointer } from '../json/index.js';

/** Keys whose text is a name or a format of a secret: filled in, it would be the secret's value. */
const NEVER_FILLED = new Set(['secret', 'format']);

/**
 * Fills `${NAME}` and `${NAME:-default}` into the text values of a document, never into its keys. As in a shell, the
 * default stands in for a variable that is unset or empty. `$${` stands for a plain `${`. A default ends at the first `}`.
 * Numbers stay numbers: what is filled in is always text. Returns a copy and every problem.
 */
export function interpolate(
  value: unknown,
  env: NodeJS.ProcessEnv,
): { readonly value: unknown; readonly problems: readonly Problem[]; readonly filled: ReadonlySet<string> } {
  const problems: Problem[] = [];
  const filled = new Set<string>();
  const walk = (node: unknown, path: readonly string[]): unknown => {
    if (typeof node === 'string') {
      if (!node.includes('${') || NEVER_FILLED.has(path.at(-1) ?? '')) return node;
      const pointer = formatPointer(path);
      filled.add(pointer);
      return fill(node, env, (rule, message, remedy) => problems.push({ pointer, rule, message, remedy }));
    }
    if (Array.isArray(node)) return node.map((item, i) => walk(item, [...path, String(i)]));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, walk(item, [...path, key])]));
  };
  return { value: walk(value, []), problems, filled };
}

function fill(
  text: string,
  env: NodeJS.ProcessEnv,
  problem: (rule: string, message: string, remedy: string) => void,
): string {
  return text.replace(/\$\$\{|\$\{([^}]*)(\}?)/g, (whole, inside: string | undefined, end: string) => {
    if (inside === undefined) return '${';
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside);
    if (match === null || end === '') {
      problem(
        'bad-variable',
        `a \${ here is not followed by NAME} or NAME:-default}`,
        `Write \${NAME} or \${NAME:-default}; $\${ stands for a plain \${.`,
      );
      return whole;
    }
    const [, name = '', fallback] = match;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    problem(
      'unset-variable',
      `the environment variable ${name} is not set`,
      `Set ${name}, or write \${${name}:-default}.`,
    );
    return whole;
  });
}
