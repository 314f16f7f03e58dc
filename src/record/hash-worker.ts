import { createHash, type Hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { ABANDONED, COMPLETE, type RingMemory, RingTaker } from './hash-ring.js';

/** What this thread tells: that it is there, and digests as 64 lower-case hex digits. */
export type HashMessage = 'ready' | readonly [body: number, hex: string];

/** The thread that hashes, SHA-256 (FIPS 180-4): all it ever does is to take orders. hash-thread.ts starts it. */
const taker = new RingTaker(workerData as RingMemory);
const hashes = new Map<number, Hash>();

function tell(message: HashMessage): void {
  parentPort?.postMessage(message);
}

tell('ready');
for (;;) {
  taker.next((body, piece) => {
    const hash = hashes.get(body) ?? createHash('sha256');
    if (piece === COMPLETE || piece === ABANDONED) {
      hashes.delete(body);
      if (piece === COMPLETE) tell([body, hash.digest('hex')]);
    } else {
      hashes.set(body, hash.update(piece));
    }
  });
}
