import { printable, printableExcerpt } from './printable.js';

/**
 * Name, message and stack frames of an error. The message is kept only of the errors that the engine and Node word
 * themselves from names in the code: any other could quote a body (`JSON.parse` does).
 */
export function describeError(error: unknown): { error: string; message?: string; frames?: string[] } {
  if (!(error instanceof Error)) return { error: typeof error };
  const worded =
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    'syscall' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return {
    error: printableExcerpt(error.name, 64),
    ...(worded ? { message: printableExcerpt(error.message, 256) } : {}),
    frames: frames.slice(0, 12).map((line) => printable(line.trim())),
  };
}
