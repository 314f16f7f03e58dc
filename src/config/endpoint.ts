import { isIPv4, isIPv6 } from 'node:net';
import type { Report } from './report.js';
import type { Endpoint } from './settings.js';

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`; port 0 lets the system choose. */
export function readEndpoint(text: string, report: Report): Endpoint | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:\s/]+)):([0-9]{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    const remedy = 'Write HOST:PORT, such as "127.0.0.1:8080" or "[::1]:8080", with a port up to 65535.';
    report.problem('bad-address', 'is not an address', remedy);
    return undefined;
  }
  const [, v6, name] = match;
  if (v6 !== undefined ? !isIPv6(v6) : !isHostName(name ?? '')) {
    report.problem(
      'bad-address',
      'has no valid host',
      'Write an IP address (IPv6 in brackets), or a host name.',
    );
    return undefined;
  }
  return Object.freeze({ host: v6 ?? name ?? '', port });
}

function isHostName(text: string): boolean {
  if (isIPv4(text)) return true;
  // RFC 1123 section 2.1; a last label of digits only would be a malformed IPv4 address.
  return /^(?=.{1,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(
    text,
  );
}

/** Whether only this machine can reach the address: 127.0.0.0/8 (RFC 1122 section 3.2.1.3), ::1, localhost. */
export function isLoopback({ host }: Endpoint): boolean {
  if (isIPv4(host)) return host.startsWith('127.');
  return /^(?:0{1,4}:){7}0{0,3}1$|^::1$/.test(host) || host.toLowerCase() === 'localhost';
}

/** Whether both would open the same port: the same host, or one of them every host. Port 0 is always another one. */
export function collide(a: Endpoint, b: Endpoint): boolean {
  if (a.port !== b.port || a.port === 0) return false;
  return a.host === b.host || isEvery(a.host) || isEvery(b.host) || (isLoopback(a) && isLoopback(b));
}

function isEvery(host: string): boolean {
  return host === '0.0.0.0' || /^[0:]+$/.test(host);
}
