import { type DestinationStream, type Logger, pino } from 'pino';
import type { ServerSettings } from '../config/index.js';
import { describeError, printableExcerpt } from '../fault/index.js';
import type { AuditRecord } from '../record/index.js';

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
  return pino(options, destination ?? new TurnStream(pino.destination(1)));
}

/** Writes the lines of one turn of the event loop together, at its end: one system call for all of them. */
class TurnStream implements DestinationStream {
  readonly #destination: DestinationStream;
  #lines = '';

  constructor(destination: DestinationStream) {
    this.#destination = destination;
    process.once('exit', () => this.#flush());
  }

  write(line: string): void {
    if (this.#lines === '') setImmediate(() => this.#flush());
    this.#lines += line;
  }

  #flush(): void {
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#destination.write(lines);
  }
}

/**
 * Writes one line per call: everything an operator searches by, never a body byte. Sizes in bytes, times in microseconds.
 * `info` for a success, `warn` for a refusal, `error` where the fault is ours.
 *
 * It does not redact: every member is built here and none is a header, a secret or a body, and looking for such members
 * costs more than the rest of the line. What is the same in all lines of a route is serialised once.
 */
export function callLog(logger: Logger): CallLog {
  // Only the level of `logger` decides.
  const options = { redact: [], level: 'trace' };
  const unrouted = logger.child({ tool: null, route: null, contract: null, upstream: null }, options);
  const byContract = new WeakMap<object, Logger>();
  const loggerOf = (record: AuditRecord): Logger => {
    const { contract } = record;
    if (contract === null) return unrouted;
    let own = byContract.get(contract);
    if (own === undefined) {
      own = logger.child(routeMembers(record), options);
      byContract.set(contract, own);
    }
    return own;
  };
  const write = (record: AuditRecord): void => {
    const level = levelOf(record);
    if (logger.isLevelEnabled(level)) loggerOf(record)[level](callMembers(record), 'call');
  };
  return new CallLog(write, (error) => logBug(logger, '', error));
}

/** Log lines of calls that ended are written a little later and many together: apart, each costs three times as much. */
const LOG_FLUSH_MS = 25;
/** With so many waiting they are written at once. */
const MOST_WAITING = 256;

export class CallLog {
  readonly #write: (record: AuditRecord) => void;
  readonly #bug: (error: unknown) => void;
  #waiting: (() => AuditRecord)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param bug told what a record throws that cannot be made: it takes no other line along, and not the process */
  constructor(write: (record: AuditRecord) => void, bug: (error: unknown) => void) {
    this.#write = write;
    this.#bug = bug;
  }

  add(record: () => AuditRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length >= MOST_WAITING) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), LOG_FLUSH_MS);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const record of waiting) {
      try {
        this.#write(record());
      } catch (error) {
        this.#bug(error);
      }
    }
  }
}

function levelOf({ outcome, agent_code }: AuditRecord): 'info' | 'warn' | 'error' {
  if (outcome === 'success') return 'info';
  return agent_code === 'INTERNAL' ? 'error' : 'warn';
}

function routeMembers({ tool, route, contract, upstream }: AuditRecord): Record<string, unknown> {
  return {
    tool,
    route: route && `${route.method} ${route.path}`,
    contract: contract && `${contract.name} ${contract.version}`,
    upstream,
  };
}

function callMembers(record: AuditRecord): Record<string, unknown> {
  const { fault, attempts, answer } = record;
  let bytesIn = 0;
  for (const attempt of attempts) bytesIn += attempt.wire_bytes;
  return {
    request_id: record.request_id,
    agent: record.agent,
    outcome: record.outcome,
    agent_code: record.agent_code,
    operator_code: record.operator_code,
    stage: record.stage,
    instance: pointer(fault?.instance),
    schema: pointer(fault?.schema),
    rule: pointer(fault?.rule),
    offset: fault?.offset,
    note: pointer(fault?.note),
    upstream_status: attempts.at(-1)?.status,
    attempts: attempts.length,
    bytes_in: bytesIn,
    bytes_out: answer?.bytes,
    status: answer?.status,
    quarantine: record.quarantine ?? undefined,
    us: record.stages_us,
  };
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

function pointer(text: string | undefined): string | undefined {
  return text === undefined ? undefined : printableExcerpt(text, POINTER_UNITS);
}
