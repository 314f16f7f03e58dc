/** Shorter texts stand in too many places by chance. */
const LEAST = 6;

/**
 * The first text of an upstream's body, member names included, that stands in what the agent got and not in `own`
 * (what we would have said whatever the upstream sent); undefined when there is none. A body that is no JSON is taken
 * word by word.
 */
export function findLeak(upstreamBody: Uint8Array, agentText: string, own: string): string | undefined {
  return textsOf(Buffer.from(upstreamBody).toString()).find(
    (text) => text.length >= LEAST && agentText.includes(text) && !own.includes(text),
  );
}

function textsOf(body: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body.split(/[\s"'<>{}[\]:,;&=]+/);
  }
  const texts: string[] = [];
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.push(next);
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) texts.push(...Object.keys(next));
    open.push(...Object.values(next));
  }
  return texts;
}
