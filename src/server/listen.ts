import type { AddressInfo } from 'node:net';
import type { Endpoint } from '../config/index.js';

/** A listener, or a file the server needs, could not be opened. The only thing `startServer` rejects with on purpose. */
export class StartError extends Error {
  /** The upstream whose own listener it is. */
  readonly upstream: string | undefined;
  /** `agent` and `admin` are the listeners, `audit` and `quarantine` the files. */
  readonly part: 'agent' | 'admin' | 'audit' | 'quarantine';
  /** `host:port`, or the path. */
  readonly place: string;
  /** Node's error code (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, ...), or the name of the record floor's error. */
  readonly code: string;

  constructor(part: StartError['part'], place: Endpoint | string, cause: unknown, upstream?: string) {
    const where = typeof place === 'string' ? place : endpointText(place);
    const code = errorCode(cause);
    super(`${part} ${where}: ${code}`, { cause });
    this.name = 'StartError';
    this.part = part;
    this.upstream = upstream;
    this.place = where;
    this.code = code;
  }
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** `host:port`, an IPv6 address in brackets (RFC 3986 section 3.2.2). */
export function endpointText({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * For Fastify's `listen`. For the name `localhost` it would open a second server on the other address family, which
 * has none of the settings of the first; that name is therefore taken as 127.0.0.1 (RFC 6761 section 6.3).
 */
export function listenOptions({ host, port }: Endpoint): { host: string; port: number } {
  return { host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host, port };
}

/** Base URL of a listening server. */
export function listenUrl(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return `http://${endpointText({ host: address.address, port: address.port })}`;
}
