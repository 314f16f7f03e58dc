import { createRequire } from 'node:module';

/** Vendor's examples, installed with the client library's tests: real shapes, nothing of them is copied here. */
const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}[];

function example(member: string): Record<string, unknown> {
  const found = examples.find(({ name }) => name === 'pull_request')?.examples[0]?.[member];
  if (typeof found !== 'object' || found === null)
    throw new Error(`@octokit/webhooks-examples has no ${member}`);
  return found as Record<string, unknown>;
}

/** The vendor's pull request, its description lengthened with prose until the whole has so many bytes. */
export function pullRequest(bytes: number): Buffer {
  const whole = example('pull_request');
  const sentence =
    'Reads the "retry-after" header as seconds; café, naïve and 日本語 stay as they are.\r\n\r\n';
  let body = '';
  while (jsonBytes({ ...whole, body: body + sentence }).length <= bytes) body += sentence;
  const missing = bytes - jsonBytes({ ...whole, body }).length;
  return jsonBytes({ ...whole, body: body + '-'.repeat(missing) });
}

/** As many of the vendor's repositories, each told apart, as fit into so many bytes. */
export function repositoryList(bytes: number): Buffer {
  const one = example('repository');
  const items: Record<string, unknown>[] = [];
  for (let length = 2, i = 1; ; i++) {
    const name = `repository-${String(i).padStart(4, '0')}`;
    const item = {
      ...one,
      id: 186_853_000 + i,
      name,
      full_name: `octo-org/${name}`,
      stargazers_count: i * 7,
    };
    length += jsonBytes(item).length + 1;
    if (length > bytes) return jsonBytes(items);
    items.push(item);
  }
}

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
