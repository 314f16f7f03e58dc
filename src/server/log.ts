import { type DestinationStream, type Logger, pino } from 'pino';
import type { ServerSettings } from '../config/index.js';
import type { AuditRecord } from '../record/index.js';
import { printable, printableExcerpt } from './printable.js';

export type { Logger } from 'pino';

/** UTF-16 units of a pointer in a log line: its names are the upstream's or the agent's, and can be long. */
const POINTER_UNITS = 256;

/** Nothing here logs headers; should someone add it, their values stay out. */
const REDACTED = ['headers', 'authorization', 'cookie', 'secret', 'token', 'body'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** The sidecar's log: JSON lines on `destination` (standard output). */
export function createLogger(level: ServerSettings['log']['level'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * The logger of the lines per call. It does not redact: `callLine` builds every member of them and none is a header, a
 * secret or a body, and looking for such members costs more than the rest of the line.
 */
export function callLogger(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

/** One line per call: everything an operator searches by, never a body byte. Sizes in bytes, times in milliseconds. */
export function callLine(record: AuditRecord): Record<string, unknown> {
  const { fault, route, attempts, answer } = record;
  const last = attempts.at(-1);
  return {
    request_id: record.request_id,
    tool: record.tool,
    route: route && `${route.method} ${route.path}`,
    agent: record.agent,
    contract: record.contract && `${record.contract.name} ${record.contract.version}`,
    upstream: record.upstream,
    outcome: record.outcome,
    agent_code: record.agent_code,
    operator_code: record.operator_code,
    stage: record.stage,
    instance: pointer(fault?.instance),
    schema: pointer(fault?.schema),
    rule: pointer(fault?.rule),
    offset: fault?.offset,
    note: pointer(fault?.note),
    upstream_status: last?.status,
    attempts: attempts.length,
    bytes_in: attempts.reduce((sum, attempt) => sum + attempt.wire_bytes, 0),
    bytes_out: answer?.bytes,
    status: answer?.status,
    quarantine: record.quarantine ?? undefined,
    ms: record.stages_ms,
  };
}

/** Writes the line of a call: `info` for a success, `warn` for a refusal, `error` where the fault is ours. */
export function logCall(logger: Logger, record: AuditRecord): void {
  const level = record.outcome === 'success' ? 'info' : record.agent_code === 'INTERNAL' ? 'error' : 'warn';
  if (logger.isLevelEnabled(level)) logger[level](callLine(record), 'call');
}

/** Writes what was thrown where nothing should throw, with its stack. */
export function logBug(logger: Logger, requestId: string, error: unknown): void {
  logger.error({ request_id: requestId, operator_code: 'INTERNAL', ...describeError(error) }, 'bug');
}

/** Writes that a file of the record floor stopped or went on taking writes; it is worded there, and holds no body. */
export function logTrouble(
  logger: Logger,
  part: 'audit' | 'quarantine',
  trouble: string,
  error: unknown,
): void {
  const level = trouble === 'recovered' ? 'info' : 'error';
  const detail =
    error instanceof Error ? { error: error.name, message: printableExcerpt(error.message, 256) } : {};
  logger[level]({ trouble, ...detail }, part);
}

/**
 * Name, message and stack frames of an error. The message is kept only of the errors that the engine and Node word
 * themselves from names in the code: any other could quote a body (`JSON.parse` does).
 */
export function describeError(error: unknown): { error: string; message?: string; frames?: string[] } {
  if (!(error instanceof Error)) return { error: typeof error };
  const worded =
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    'syscall' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return {
    error: printableExcerpt(error.name, 64),
    ...(worded ? { message: printableExcerpt(error.message, 256) } : {}),
    frames: frames.slice(0, 12).map((line) => printable(line.trim())),
  };
}

function pointer(text: string | undefined): string | undefined {
  return text === undefined ? undefined : printableExcerpt(text, POINTER_UNITS);
}
