import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Diagnostic } from '../fault/index.js';
import { fileDiagnostic, toDiagnostic } from './diagnostic.js';
import { placed } from './placed-problem.js';
import { TextLines } from './text-lines.js';

/**
 * Reads a regular file of at most `maxBytes`; anything else is a Diagnostic. Synchronous: a start reads thousands of small
 * files, and to wait for a thread at every step of each takes several times as long as to read them.
 */
export function readBytes(file: string, maxBytes: number): Buffer | Diagnostic {
  try {
    // Without O_NONBLOCK a pipe would be waited for until somebody writes to it.
    const opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const status = fstatSync(opened);
      if (status.isDirectory()) return notAFile(file);
      if (!status.isFile())
        return fileDiagnostic(file, 'not-a-file', 'this is not a regular file', 'Name a file.');
      if (status.size > maxBytes) return tooLarge(file, maxBytes);
      const bytes = readFileSync(opened);
      return bytes.length > maxBytes ? tooLarge(file, maxBytes) : bytes;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    return unreadable(file, error);
  }
}

/** Reads a UTF-8 text without byte order mark; a binary or wrongly encoded file is a Diagnostic. */
export function readText(file: string, maxBytes: number): { readonly text: string } | Diagnostic {
  const bytes = readBytes(file, maxBytes);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (isUtf8(bytes)) return { text: bytes.toString('utf8').replace(/^\ufeff/, '') };
  if (bytes.includes(0))
    return fileDiagnostic(file, 'not-text', 'this is a binary file', 'Name a text file in UTF-8.');
  const lines = new TextLines(bytes.toString('utf8'));
  // RFC 3629: no byte of a longer character is a line feed, so each line stands for itself.
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    const part = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (!isUtf8(part)) break;
    start = end < 0 ? bytes.length : end + 1;
  }
  const column = Math.max(0, lines.line(line).indexOf('\ufffd')) + 1;
  const remedy = 'Save the file in UTF-8.';
  return toDiagnostic(
    file,
    { lines, locate: () => ({ line, column, length: 1 }) },
    placed('not-utf8', { line, column, length: 1 }, 'a byte here is not UTF-8', remedy),
  );
}

function unreadable(file: string, error: unknown): Diagnostic {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fileDiagnostic(
        file,
        'no-file',
        'there is no such file',
        'Check the path; a relative one starts at the working directory.',
      );
    case 'EISDIR':
      return notAFile(file);
    case 'EACCES':
    case 'EPERM':
      return fileDiagnostic(
        file,
        'unreadable',
        'this file may not be read',
        "Give the sidecar's user the right to read it.",
      );
    default:
      return fileDiagnostic(
        file,
        'unreadable',
        `this file cannot be read (${String(code ?? 'unknown error')})`,
        'Check the path and the file system.',
      );
  }
}

function notAFile(file: string): Diagnostic {
  return fileDiagnostic(file, 'not-a-file', 'this is a folder, not a file', 'Name a file in it.');
}

function tooLarge(file: string, maxBytes: number): Diagnostic {
  const message = `this file is larger than ${maxBytes / 1_048_576} MiB`;
  return fileDiagnostic(
    file,
    'file-too-large',
    message,
    'Check that it is the file you mean; make it smaller.',
  );
}
