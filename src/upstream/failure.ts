import { Fault, type FaultDetail } from '../fault/index.js';
import { LateTlsFailure } from './late-tls.js';
import { StaleConnection } from './stale-connection.js';
import { errors } from './undici.js';

/** How far a connection had come: up to TCP's handshake, or in that of TLS. */
export type ConnectStage = 'tcp' | 'tls';

/** A connection that could not be made, with the fault that it means. */
export class ConnectError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.code);
    this.fault = fault;
  }
}

/** Errors of the network that mean the same during a TLS handshake as before it. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);

/** The name of an error, such as ECONNRESET: ours or the platform's, never the text of the other side. */
function note(code: unknown): FaultDetail {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? { note: code } : {};
}

/** Why a connection could not be made. */
export function connectFault(error: NodeJS.ErrnoException, stage: ConnectStage): Fault {
  const code = error.code ?? '';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_') || error.syscall === 'getaddrinfo') {
    return new Fault('UPS_DNS', note(code));
  }
  if (stage === 'tcp' || NETWORK.has(code)) return new Fault('UPS_CONNECT', note(code));
  return new Fault('UPS_TLS', note(code));
}

/** How far an exchange had come when it failed. */
export interface FailurePoint {
  /** The request was written. */
  readonly sent: boolean;
  /** The head of the final response was complete. */
  readonly headSeen: boolean;
  /** The other side ended or reset the connection. */
  readonly peerClosed: boolean;
  /** The connection had served before, and no byte of an answer to this request came. */
  readonly stale?: boolean;
}

/**
 * What an error of undici means. Its texts are not looked at: undici gives the same class to a connection that was
 * closed and to an answer that makes no sense, and the difference is who ended the connection.
 */
export function exchangeFault(error: Error & { code?: unknown }, at: FailurePoint): Fault {
  if (error instanceof ConnectError) return error.fault;
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
    return new Fault('INTERNAL', { note: 'The request could not be written.' });
  }
  const closed = new Fault(at.headSeen ? 'BYT_TRUNCATED' : 'UPS_CLOSED', note(error.code));
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError)
    return closed;
  if (error instanceof errors.HeadersOverflowError) return new Fault('BYT_HEADERS_TOO_LARGE');
  if (error instanceof errors.ResponseContentLengthMismatchError && at.headSeen) {
    return new Fault('BYT_TRUNCATED');
  }
  if (at.peerClosed) return at.stale === true ? new StaleConnection('UPS_CLOSED', closed.detail) : closed;
  const code = typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') {
    if (at.headSeen) return closed;
    return at.sent ? new LateTlsFailure('UPS_TLS', note(code)) : new Fault('UPS_TLS', note(code));
  }
  if (!at.sent) return new Fault('UPS_CONNECT', note(code));
  return new Fault('BYT_PROTOCOL');
}
