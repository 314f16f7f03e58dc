/** The names closest to what was typed, best first: at most `most`, none that is far off. */
export function nearest(typed: string, names: readonly string[], most = 3): string[] {
  const reach = Math.max(2, Math.floor(typed.length / 3));
  return names
    .map((name) => ({
      name,
      distance: name.startsWith(typed) && typed !== '' ? 0.5 : editDistance(typed, name),
    }))
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Levenshtein distance: insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
