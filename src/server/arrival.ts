import type { IncomingMessage } from 'node:http';
import { Fault } from '../fault/index.js';
import { Cancellation } from '../upstream/index.js';

type HeaderLine = readonly [name: string, value: string];

/** Header lines as they stood on the wire, in order, none joined or dropped. */
export function headerLines(request: IncomingMessage): HeaderLine[] {
  const raw = request.rawHeaders;
  const lines: HeaderLine[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) lines.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return lines;
}

/** RFC 9112 section 3.2: an HTTP/1.1 request has exactly one Host line, else it is answered with 400. */
export function hasSoundHost(request: IncomingMessage, lines: readonly HeaderLine[]): boolean {
  const hosts = lines.filter(([name]) => name.length === 4 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && request.httpVersion === '1.0');
}

/** A response or a socket: what closes when the agent host goes away. */
export interface Closing {
  readonly closed: boolean;
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** A call that is cancelled when `closing` closes, or has closed, before all of its answer was written. */
export function cancelledOnClose(closing: Closing): Cancellation {
  const cancellation = new Cancellation();
  const check = (): void => {
    if (!closing.writableFinished) cancellation.cancel(new Fault('REQ_ABORTED'));
  };
  if (closing.closed) check();
  else closing.once('close', check);
  return cancellation;
}
