import { STATUS_CODES } from 'node:http';
import { type AgentReply, ENVELOPE_PROFILE, failureReply } from '../envelope/index.js';
import { Fault, type OperatorCode } from '../fault/index.js';

/**
 * The answer where there is no call that the pipeline could run: bytes that are not HTTP (`REQ_PROTOCOL`), or a bug
 * in this floor (`INTERNAL`). Constant but for the request id.
 */
export function constantAnswer(code: OperatorCode, requestId: string): AgentReply {
  return failureReply(null, requestId, new Fault(code), ENVELOPE_PROFILE, {});
}

/** An answer as bytes for a socket that Node's HTTP server no longer writes to; it ends the connection. */
export function wireBytes(answer: AgentReply, now: Date = new Date()): Buffer {
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    `date: ${now.toUTCString()}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(answer.body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${answer.body}`);
}
