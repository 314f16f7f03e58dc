import { createRequire } from 'node:module';

const events = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly unknown[];
}[];

/** A vendor's webhook payloads, written in different ways. */
export function webhookDocuments(): Buffer[] {
  return events.flatMap(({ examples }) => examples).map((example, i) => Buffer.from(write(example, i % 4)));
}

function write(value: unknown, style: number): string {
  if (style === 1) return JSON.stringify(value, null, 2);
  if (style === 2) return JSON.stringify(value).replace(/[aeiou](?=[^"\\]*":)/g, escaped);
  if (style === 3) return `${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n`;
  return JSON.stringify(value);
}

/** Some letters of some names as escapes; a `u` after a backslash cannot stand there. */
function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
