import { EXIT } from './exit-codes.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Made before anything is started,
 * so that a signal during the start is not lost.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let seen = false;
    const onSignal = (): void => {
      if (seen) process.exit(EXIT.INTERRUPTED.code);
      seen = true;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
