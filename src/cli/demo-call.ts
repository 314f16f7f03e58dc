import { request } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { AGENT_CODES } from '../fault/index.js';
import type { AuditRecord } from '../record/index.js';
import type { DemoCall } from '../tooling/index.js';

/** What an agent got of one call: all that came, as bytes. */
export interface AgentSaw {
  readonly status: number;
  /** Status line, headers, body. */
  readonly bytes: Uint8Array;
  readonly body: string;
  readonly requestId: string;
}

/** Makes one call as an agent would, over HTTP on a connection of its own. */
export function callAsAgent(base: string, call: Pick<DemoCall, 'method' | 'path'>): Promise<AgentSaw> {
  return new Promise((resolve, reject) => {
    const outgoing = request(base + call.path, { method: call.method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const { rawHeaders } = response;
        const lines = rawHeaders.flatMap((name, i) =>
          i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1] ?? ''}`] : [],
        );
        const head = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`, ...lines].join('\r\n');
        resolve({
          status: response.statusCode ?? 0,
          bytes: Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]),
          body: body.toString('utf8'),
          requestId: String(response.headers['x-request-id'] ?? ''),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Why a call did not give exactly what it should; empty when it did. */
export function deviations(call: DemoCall, saw: AgentSaw, record: AuditRecord | undefined): string[] {
  const { expect } = call;
  const envelope = { tool: call.tool, request_id: saw.requestId, outcome: expect.outcome };
  const wanted =
    expect.outcome === 'success'
      ? {
          status: 200,
          operator: null,
          body: {
            ...envelope,
            data: expect.data,
            ...(expect.untrusted_text === undefined ? {} : { untrusted_text: expect.untrusted_text }),
          },
        }
      : {
          status: AGENT_CODES[expect.code].status,
          operator: expect.operator,
          body: { ...envelope, error: { code: expect.code, retryable: AGENT_CODES[expect.code].retryable } },
        };
  const found: string[] = [];
  if (saw.status !== wanted.status) found.push(`HTTP ${saw.status} instead of ${wanted.status}`);
  if (!isDeepStrictEqual(parsed(saw.body), wanted.body))
    found.push(`expected ${JSON.stringify(wanted.body)}`);
  if (record === undefined) found.push('no record was made of it');
  else if (record.operator_code !== wanted.operator) {
    found.push(`operator code ${record.operator_code} instead of ${wanted.operator}`);
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
