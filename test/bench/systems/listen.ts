import type { AddressInfo, Server } from 'node:net';

/** Tells the process that started this one the port, and ends when that one does. */
export function told(server: Server): void {
  process.send?.({ port: (server.address() as AddressInfo).port });
  process.once('disconnect', () => process.exit());
}
