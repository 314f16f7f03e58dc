import { STATUS_CODES } from 'node:http';
import { type AgentReply, failureReply } from '../envelope/index.js';
import { Fault, type OperatorCode } from '../fault/index.js';
import { type AnswerShape, ENVELOPE_SHAPE } from '../route/index.js';

/**
 * The answer where there is no call that the pipeline could run: bytes that are not HTTP (`REQ_PROTOCOL`), or a bug
 * in this floor (`INTERNAL`). Constant but for the request id. `shape`: of the upstream whose clients alone come here.
 */
export function constantAnswer(
  code: OperatorCode,
  requestId: string,
  shape: AnswerShape = ENVELOPE_SHAPE,
): AgentReply {
  const constants = shape.answerHeaders;
  return failureReply(null, requestId, new Fault(code), shape.profile, shape.statuses, { constants });
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
