import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type AuditLine, readLine } from './audit-line.js';

const LINE_FEED = 0x0a;
const READING = { start: 0, highWaterMark: 256 * 1024 };

/** Longer than any line and any remains of a write: beyond it a line is not kept, only measured. */
export const MAX_READ_LINE_BYTES = 8 * 1024 * 1024;

/** A line with its place. */
export interface PlacedLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Without the line feed. */
  readonly bytes: Buffer;
  /** The line feed is there; false at most for the last line of a file. */
  readonly ended: boolean;
  /** See `readLine`; null too where the line is longer than MAX_READ_LINE_BYTES. */
  readonly read: AuditLine | 'unchained' | null;
}

/** A file to read; by its handle where it is open already, since its name may lead elsewhere by then. */
export interface Source {
  readonly file: string;
  readonly handle?: FileHandle;
}

/** The lines of files one after the other, without keeping more than one. Rejects with the system's error. */
export async function* placedLines(sources: readonly Source[]): AsyncGenerator<PlacedLine, undefined> {
  for (const { file, handle } of sources) {
    let line = 0;
    let kept: Buffer[] = [];
    let length = 0;
    const place = (ended: boolean): PlacedLine => {
      const bytes = kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept);
      const read = length > MAX_READ_LINE_BYTES ? null : readLine(bytes);
      kept = [];
      length = 0;
      line++;
      return { file, line, bytes, ended, read };
    };
    const keep = (piece: Buffer): void => {
      length += piece.length;
      if (length <= MAX_READ_LINE_BYTES) kept.push(piece);
    };
    const chunks: AsyncIterable<Buffer> =
      handle?.createReadStream(READING) ?? createReadStream(file, READING);
    for await (const chunk of chunks) {
      let at = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, at)) {
        keep(chunk.subarray(at, end));
        at = end + 1;
        yield place(true);
      }
      if (at < chunk.length) keep(chunk.subarray(at));
    }
    if (length > 0) yield place(false);
  }
}
