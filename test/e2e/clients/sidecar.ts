import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Test } from 'tap';
import { loadSettings } from '../../../src/config/index.js';
import type { ContractDefinition, JsonSchema } from '../../../src/contract/index.js';
import { type AgentCode, formatDiagnostic, type OperatorCode } from '../../../src/fault/index.js';
import type { AuditRecord } from '../../../src/record/index.js';
import { createLogger, startServer } from '../../../src/server/index.js';

/** Stands in every part of an answer that no contract names; nothing of a client may ever hold it. */
export const CANARY = 'cAnArY7Zq';

/** What the agent's client is given as its key, and what the sidecar sends in its place. */
export const AGENT_TOKEN = 'agent.token-1';
export const VENDOR_KEY = 'vendor-key-1';

export interface VendorCall {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface VendorAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

export interface SetUp {
  /** The heading in docs/clients.md whose configuration is loaded as it stands there. */
  readonly section: string;
  readonly contracts: readonly ContractDefinition[];
  /** What the vendor says. */
  readonly vendor: (call: VendorCall) => VendorAnswer;
}

export interface Running {
  /** Where agents call; without a mount. */
  readonly url: string;
  /** The listener of the upstream that has one of its own. */
  readonly ownUrl: string;
  /** Every request that the vendor got. */
  readonly calls: VendorCall[];
  readonly records: AuditRecord[];
}

const DOCUMENT = new URL('../../../../docs/clients.md', import.meta.url);

/** The configuration in a section of the documents: its first block of YAML. */
function documented(section: string): string {
  const [, text = ''] = readFileSync(DOCUMENT, 'utf8').split(`\n## ${section}\n`);
  const yaml = /```yaml\n([\s\S]*?)```/.exec(text.split('\n## ')[0] ?? '')?.[1];
  if (yaml === undefined) throw new Error(`docs/clients.md has no configuration under ${section}`);
  return yaml;
}

/** A sidecar with a documented configuration between a client and a vendor that is played here. */
export async function setUp(t: Test, { section, contracts, vendor }: SetUp): Promise<Running> {
  const calls: VendorCall[] = [];
  const vendorUrl = await playVendor(t, vendor, calls);
  const folder = t.testdir({});
  for (const contract of contracts) {
    const home = join(folder, 'schemas', contract.tool, contract.version.split('.')[0] ?? '');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'contract.yaml'), JSON.stringify(contract));
  }
  const file = join(folder, 'assay.yaml');
  const yaml = documented(section);
  writeFileSync(file, `version: 1\n${yaml}`);
  const variables: NodeJS.ProcessEnv = {};
  for (const [, name = ''] of yaml.matchAll(/\$\{([A-Z_]+):-/g)) variables[name] = vendorUrl;
  for (const [, name = ''] of yaml.matchAll(/secret: ([A-Z_]+)/g)) variables[name] = VENDOR_KEY;
  variables.ASSAY_TOKEN = AGENT_TOKEN;
  const loaded = await loadSettings(file, variables, { cwd: folder, secretsFolder: '/nowhere' });
  if ('diagnostics' in loaded) throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
  const records: AuditRecord[] = [];
  const server = await startServer(loaded.settings, {
    proven: true,
    freePorts: true,
    logger: createLogger('silent'),
    onRecord: (record) => void records.push(record),
  });
  t.teardown(() => server.close());
  const [ownUrl = ''] = server.ownUrls.values();
  return { url: server.agentUrl, ownUrl, calls, records };
}

async function playVendor(t: Test, vendor: SetUp['vendor'], calls: VendorCall[]): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const call = { method, target, headers, body: Buffer.concat(chunks).toString() };
      calls.push(call);
      const answer = vendor(call);
      response.writeHead(answer.status ?? 200, CANARY, {
        'content-type': 'application/json; charset=utf-8',
        'x-canary': CANARY,
        'set-cookie': `sid=${CANARY}`,
        etag: `"${CANARY}"`,
        ...answer.headers,
      });
      response.end(JSON.stringify(answer.json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

/** Nothing that a client gave, as deep as it goes, is the vendor's own, and no key went the wrong way. */
export function assertClean(t: Test, given: unknown, calls: readonly VendorCall[]): void {
  const text = inspect(given, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null });
  t.notMatch(text, CANARY, 'nothing of the vendor');
  t.notMatch(text, VENDOR_KEY, "not the vendor's key");
  t.notMatch(JSON.stringify(calls), AGENT_TOKEN, "the agent's token stays");
  const keyless = calls.filter(({ headers }) => !JSON.stringify(headers).includes(VENDOR_KEY));
  t.same(keyless, [], "the vendor's key is sent");
}

export interface Refusal {
  readonly operator: OperatorCode;
  readonly agent: AgentCode;
  /** Requests that reach the vendor. Default 1. */
  readonly asked?: number;
  /** The client looks at the status alone. */
  readonly bodyless?: true;
}

/** A call that the client makes once and that fails; gives what the client threw. */
export async function refused(
  t: Test,
  { calls, records }: Running,
  ask: () => Promise<unknown>,
  { operator, agent, asked = 1, bodyless }: Refusal,
): Promise<Record<string, unknown>> {
  const [recorded, sent] = [records.length, calls.length];
  const outcome = await ask().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  t.strictSame(
    records.slice(recorded).map((record) => [record.operator_code, record.agent_code]),
    [[operator, agent]],
    'the client asked once',
  );
  t.equal(calls.length - sent, asked, 'requests to the vendor');
  if (!('error' in outcome)) {
    t.fail('the client took a failure for an answer', { found: outcome.value });
    return {};
  }
  assertClean(t, outcome.error, calls);
  t.equal(inspect(outcome.error, { depth: 12 }).includes(agent), bodyless !== true, 'our code');
  return outcome.error as Record<string, unknown>;
}

export const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
export const slug: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,100}$' };
export const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 9_007_199_254_740_991 };
export const flag: JsonSchema = { type: 'boolean' };

/** A vendor's object: these members, and any others, which are dropped. */
export function open(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** What the agent may see: these members and no more. */
export function closed(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', additionalProperties: false, required, properties };
}

export function list(maxItems: number, items: JsonSchema): JsonSchema {
  return { type: 'array', maxItems, items };
}
