import { isIP, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Fault } from '../fault/index.js';
import { ConnectError, type ConnectStage, connectFault } from './failure.js';
import { Client } from './undici.js';
import { Wire } from './wire.js';

/** Idle time after which TCP probes whether the other side still exists. */
const TCP_KEEP_ALIVE_MS = 60_000;
/** With several addresses (RFC 8305), the share of the connect limit after which the next one is tried. */
const ATTEMPT_SHARE = 4;

/** Most bytes of one read of a socket: the same memory for every read of a connection, and for the next connection. */
const READ_BYTES = 65_536;
/** What closed connections have left. A refused answer closes its connection, and the next call makes a new one. */
const READ_BUFFERS: Buffer[] = [];
const MOST_READ_BUFFERS = 32;

/** What `UpstreamClient` gives along with each request; undici passes unknown options through. */
export interface WiredOptions extends Dispatcher.DispatchOptions {
  /** Told the connection's wire before the request is queued on it. */
  readonly exchange: { setWire(wire: Wire): void };
}

/** One HTTP/1.1 connection at a time, opened here, with certificate verification that nothing can turn off. */
export class WiredClient extends Client {
  readonly #wire: Wire;

  constructor(origin: URL, options: Client.Options, connectMs: number) {
    const wire = new Wire();
    super(origin, {
      ...options,
      connect: (to, callback) => {
        const tls = to.protocol === 'https:';
        const port = Number(to.port) || (tls ? 443 : 80);
        const socket = open({ host: to.hostname, port, tls, connectMs }, wire, (error) => {
          if (error !== undefined) {
            callback(error, null);
            return;
          }
          wire.watch(socket);
          callback(null, socket);
        });
      },
    });
    this.#wire = wire;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    (options as WiredOptions).exchange.setWire(this.#wire);
    return super.dispatch(options, handler);
  }
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** For name resolution, TCP and TLS together. */
  readonly connectMs: number;
}

/** Opens a connection, whose bytes go to `wire`; `ready` is called once. */
function open(target: Target, wire: Wire, ready: (error?: ConnectError) => void): Socket {
  let stage: ConnectStage = 'tcp';
  const { host, port } = target;
  const buffer = READ_BUFFERS.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);
  const tcp = {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    onread: { buffer, callback: (length: number) => wire.onBytes(socket, buffer.subarray(0, length)) },
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(target.connectMs / ATTEMPT_SHARE)),
  };
  const socket: Socket = target.tls
    ? tlsConnect({
        ...tcp,
        // RFC 6066 section 3: no address in the server name; the certificate is checked against `host` all the same
        servername: isIP(host) ? '' : host,
        ALPNProtocols: ['http/1.1'],
        minVersion: 'TLSv1.2',
        // Said here because NODE_TLS_REJECT_UNAUTHORIZED=0 would change the default
        rejectUnauthorized: true,
      })
    : netConnect(tcp);

  let open = true;
  const settle = (error?: ConnectError): void => {
    if (!open) return;
    open = false;
    clearTimeout(timer);
    ready(error);
  };
  const timer = setTimeout(() => {
    settle(new ConnectError(new Fault('UPS_CONNECT_TIMEOUT')));
    socket.destroy();
  }, target.connectMs);

  socket.once('connect', () => {
    stage = 'tls';
    if (!target.tls) settle();
  });
  if (target.tls) socket.once('secureConnect', () => settle());
  // Nothing is read into it any more
  socket.once('close', () => {
    if (READ_BUFFERS.length < MOST_READ_BUFFERS) READ_BUFFERS.push(buffer);
  });
  // Stays: a connection that fails after its time must not end the process
  socket.on('error', (error) => settle(new ConnectError(connectFault(error, stage))));
  return socket;
}
