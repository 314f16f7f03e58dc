import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';

export const CONTRACT = `tool: thing
version: 1.0.0
purpose: One thing by its number.
request:
  params:
    id: { type: integer, minimum: 1, maximum: 1000000 }
responses:
  - status: 200
    schema: thing.schema.json
    select: { id: /id, name: /name }
    checks:
      - { id: same_thing, bind: /id, equals: "{request.params.id}" }
result:
  type: object
  additionalProperties: false
  required: [id, name]
  properties:
    id: { type: integer, minimum: 1, maximum: 1000000 }
    name: { type: string, maxLength: 20 }
`;

const SCHEMA = JSON.stringify({
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    name: { type: 'string', minLength: 1, maxLength: 20 },
  },
});

export const ACCEPT = `title: a thing
request: { params: { id: 1 } }
answer: { status: 200, body: { id: 1, name: a, more: dropped } }
expect: { result: { id: 1, name: a } }
`;

const REFUSE = `title: another thing
request: { params: { id: 1 } }
answer: { status: 200, body: { id: 2, name: a } }
expect: { code: CHK_BIND, pointer: /id }
`;

export function config(upstream: string, server = '{ listen: "127.0.0.1:0", admin: "127.0.0.1:0" }'): string {
  return `version: 1
server: ${server}
upstreams:
  shop:
    base_url: ${upstream}
routes:
  - { tool: thing, upstream: shop, method: GET, path: "/things/{id}", contract: thing@1 }
audit: { file: var/audit.jsonl }
`;
}

export const FILES: Readonly<Record<string, string>> = {
  'config/assay.yaml': config('http://127.0.0.1:9'),
  'schemas/thing/1/contract.yaml': CONTRACT,
  'schemas/thing/1/thing.schema.json': SCHEMA,
  'schemas/thing/1/fixtures/accept/thing.yaml': ACCEPT,
  'schemas/thing/1/fixtures/refuse/other.yaml': REFUSE,
};

/** A folder with a small configuration and one contract; `changes` replaces or adds files. Gone after the test. */
export async function project(t: Test, changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'assay-cli-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...FILES, ...changes })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}
