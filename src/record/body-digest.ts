import { availableParallelism } from 'node:os';
import { type BodyDigest, Sha256 } from './digest.js';
import { HashThread } from './hash-thread.js';

/** One for the process; undefined where a second thread would only take turns with this one. */
const THREAD = availableParallelism() > 1 ? new HashThread() : undefined;

/**
 * Starts the digest of a body that is read as it comes. A large one is hashed on a thread of its own while it is read and
 * scanned here, for SHA-256 takes longer than all the rest; where that thread is not there yet, or has enough to do, here.
 */
export function bodyDigest(): BodyDigest {
  return THREAD?.open() ?? new Sha256();
}
