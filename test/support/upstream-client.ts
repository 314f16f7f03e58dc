import type { Test } from 'tap';
import { Fault } from '../../src/fault/index.js';
import {
  type Answer,
  Cancellation,
  DEFAULT_TRANSPORT_LIMITS,
  type Method,
  type TransportLimits,
  UpstreamClient,
  type UpstreamPlan,
} from '../../src/upstream/index.js';
import { playUpstream, type Script, type TcpUpstream } from './tcp-upstream.js';

export function planFor(origin: string, changes: Partial<UpstreamPlan> = {}): UpstreamPlan {
  return {
    name: 'test',
    origin,
    basePath: '',
    headers: new Map(),
    codings: ['gzip', 'br'],
    connections: 4,
    connectMs: 2_000,
    headerBytes: DEFAULT_TRANSPORT_LIMITS.headerBytes,
    ...changes,
  };
}

/** A client that ends with the test. */
export function clientFor(t: Test, origin: string, changes: Partial<UpstreamPlan> = {}): UpstreamClient {
  const client = new UpstreamClient(planFor(origin, changes));
  t.teardown(() => client.destroy());
  return client;
}

/** A scripted upstream and a client for it, both gone after the test. */
export async function setUp(
  t: Test,
  script: Script,
  changes: Partial<UpstreamPlan> = {},
): Promise<{ upstream: TcpUpstream; client: UpstreamClient }> {
  const upstream = await playUpstream(script);
  t.teardown(() => upstream.close());
  return { upstream, client: clientFor(t, upstream.url, changes) };
}

export interface Ask {
  readonly method?: Method;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly limits?: Partial<TransportLimits>;
  readonly cancellation?: Cancellation;
}

export function ask(client: UpstreamClient, asked: Ask = {}): Promise<Answer | Fault> {
  return client.send(
    {
      method: asked.method ?? 'GET',
      target: asked.target ?? '/things/1',
      headers: new Map(Object.entries(asked.headers ?? {})),
      ...(asked.body === undefined ? {} : { body: asked.body }),
    },
    { ...DEFAULT_TRANSPORT_LIMITS, ...asked.limits },
    asked.cancellation ?? new Cancellation(),
  );
}

/** The answer, where a fault would be a failure of the test. */
export async function answered(client: UpstreamClient, asked: Ask = {}): Promise<Answer> {
  const answer = await ask(client, asked);
  if (answer instanceof Fault) throw new Error(answer.code);
  return answer;
}

/** `200 body` of an answer that was read whole, else the code of its fault and whether that came with the body. */
export async function outcome(client: UpstreamClient, asked: Ask = {}): Promise<string> {
  const answer = await ask(client, asked);
  if (answer instanceof Fault) return answer.code;
  const { fault, text } = await read(answer);
  return fault === undefined ? `${answer.status} ${text}` : `body ${fault.code}`;
}

export async function read(answer: Answer): Promise<{ fault: Fault | undefined; text: string }> {
  const chunks: Uint8Array[] = [];
  const fault = await answer.body.drain((chunk) => {
    chunks.push(new Uint8Array(chunk));
    return undefined;
  });
  return { fault, text: Buffer.concat(chunks).toString('latin1') };
}

/** A whole response with Content-Length. */
export function response(body: string, headers = '', status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}
