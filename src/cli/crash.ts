import { describeError } from '../fault/index.js';
import { EXIT } from './exit-codes.js';
import type { Io } from './io.js';

/**
 * What is thrown and caught nowhere is a bug, and ends the process: nobody knows what state it left. Node would print
 * the error's message, which can quote a body; this prints what describeError lets through.
 */
export function onCrash(io: Pick<Io, 'err'>): void {
  process.on('uncaughtException', (error) => {
    io.err(crashText(error));
    process.exit(EXIT.RUNTIME.code);
  });
}

export function crashText(error: unknown): string {
  const { error: name, message, frames = [] } = describeError(error);
  const head = message === undefined ? name : `${name}: ${message}`;
  return `assay: a bug of its own: ${head}\n${frames.map((frame) => `  ${frame}\n`).join('')}`;
}
