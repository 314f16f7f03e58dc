import type { Settings } from '../config/index.js';
import { type RunningServer, type ServeOptions, StartError, startServer } from '../server/index.js';
import type { Io } from './io.js';

/** Starts the sidecar, or says in words why a port or a file cannot be had. */
export async function start(
  settings: Settings,
  options: ServeOptions,
  io: Io,
): Promise<RunningServer | undefined> {
  try {
    return await startServer(settings, options);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    io.err(startErrorText(error));
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another process',
  EACCES: 'this user may not',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name does not resolve',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the file system is full',
  ENOENT: 'the folder does not exist',
  EEXIST: 'a part of the path is a file',
  ENOTDIR: 'a part of the path is a file',
  LockHeldError: 'another process owns it',
  NotAnAuditFileError: 'it is a file of something else',
};

const KEYS: Readonly<Record<StartError['part'], string>> = {
  agent: 'server.listen',
  admin: 'server.admin',
  audit: 'audit.file',
  quarantine: 'quarantine.dir',
};

function startErrorText(error: StartError): string {
  const verb = error.part === 'agent' || error.part === 'admin' ? 'listen on' : 'open';
  const reason = REASONS[error.code] ?? error.code;
  const key = error.upstream === undefined ? KEYS[error.part] : `upstreams.${error.upstream}.listen`;
  return `assay: cannot ${verb} ${error.place}: ${reason} (${error.code})\n  = change ${key} in the configuration, or free what holds it\n`;
}
