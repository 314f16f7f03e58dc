import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ContractDefinition } from '../../src/contract/index.js';
import { type BenchBody, bodyBytes, ENDINGS } from './bodies.js';

/** Runs `use` with a folder of its own, which is removed after it, also where the run is interrupted. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await use(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Writes a file with the folders above it; what is no text is written as JSON, which is YAML too. */
export function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isRaw ? content : JSON.stringify(content, null, 1));
}

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

export interface ConfigParts {
  readonly folder: string;
  readonly upstream: string;
  readonly listen: number;
  readonly admin: number;
  /** Default: the folder's own. */
  readonly contracts?: string;
  readonly routes: readonly { readonly tool: string; readonly path: string }[];
  /** Limits other than those of config/assay.yaml. */
  readonly limits?: Readonly<Record<string, string | number>>;
}

/** A configuration as config/assay.yaml has it but for addresses, routes and the place of files; returns its name. */
export function writeConfig(parts: ConfigParts): string {
  const { folder, upstream, listen, admin, contracts, routes, limits = {} } = parts;
  const file = join(folder, 'assay.yaml');
  write(file, {
    version: 1,
    contracts: contracts ?? join(folder, 'schemas'),
    server: { listen: `127.0.0.1:${listen}`, admin: `127.0.0.1:${admin}` },
    upstreams: {
      bench: {
        base_url: upstream,
        mount: '/bench',
        headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
        limits: {
          connect: '2s',
          first_byte: '5s',
          total: '10s',
          wire_bytes: '1 MiB',
          decoded_bytes: '4 MiB',
          ...limits,
        },
        retry: { attempts: 2, within: '8s', on: ['connect', 'timeout', 502, 503, 504] },
        failure_profile: 'envelope',
      },
    },
    routes: routes.map(({ tool, path }) => ({
      tool,
      upstream: 'bench',
      method: 'GET',
      path,
      contract: `${tool}@1`,
    })),
    audit: { file: join(folder, 'audit.jsonl'), durability: 'async' },
  });
  return file;
}

export function contractOf({ tool, schema, select, result }: BenchBody): ContractDefinition {
  return {
    tool,
    version: '1.0.0',
    purpose: 'An answer that is measured.',
    request: { params: { ending: { type: 'integer', minimum: 1, maximum: ENDINGS.length } } },
    responses: [{ status: 200, schema, select }],
    result,
  };
}

/**
 * Writes the contract of a body. Its fixtures are the answers that are measured, and the result they claim is what the
 * hand-written pick gives: the sidecar does not start unless both are the same.
 */
export function writeContract(folder: string, body: BenchBody): void {
  const home = join(folder, 'schemas', body.tool, '1');
  write(join(home, 'contract.yaml'), contractOf(body));
  for (const [index, ending] of ENDINGS.entries()) {
    const kind = ending === 'accepted' ? 'accept' : 'refuse';
    const file = `${ending}.json`;
    write(join(home, 'fixtures', kind, file), bodyBytes(body, ending));
    write(join(home, 'fixtures', kind, `${ending}.yaml`), {
      title: ending,
      request: { params: { ending: index + 1 } },
      answer: { status: 200, body_file: file },
      expect:
        ending === 'accepted'
          ? { result: body.pick(JSON.parse(body.bytes.toString())) }
          : { code: 'PRS_SYNTAX' },
    });
  }
}
