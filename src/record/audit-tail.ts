import { type AuditLine, type ChainPoint, GENESIS, readLine, type Seal } from './audit-line.js';
import { sha256Hex } from './digest.js';
import { type OpenFile, readRange } from './file-ops.js';

/** More than one write holds, so that whatever a crash leaves behind lies within it. */
const TAIL_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** How an audit file ends. */
export interface AuditTail {
  /** The last line that is whole and chained; null where the file has none. */
  readonly last: AuditLine | null;
  /** Only the line feed of the last line is missing. */
  readonly unended: boolean;
  /** What follows it and is none, as a seal has to state it; null where nothing follows. */
  readonly torn: (Seal & { readonly endsLine: boolean }) | null;
}

/** The file ends in something that no audit file ends in; it must not be appended to. */
export class NotAnAuditFileError extends Error {
  override readonly name = 'NotAnAuditFileError';
}

/**
 * Finds the last good line of a file: one that can be read and names the line before it. A crash
 * can leave part of a line or, where the machine went down, lines with holes; all of that counts as torn.
 */
export async function readTail(file: OpenFile, size: number): Promise<AuditTail> {
  const start = Math.max(0, size - TAIL_BYTES);
  const bytes = await readRange(file, start, size - start);
  const whole = start === 0;
  // The end of the file ends a line too, if what stands there is a whole one.
  for (let end = bytes.length; end >= 0; ) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
    if (before < 0 && !whole) break;
    const line = readLine(bytes.subarray(before + 1, end));
    if (line !== null && line !== 'unchained' && followsOn(bytes, before, line, whole)) {
      return { last: line, unended: end === bytes.length, torn: tornAfter(bytes.subarray(end + 1)) };
    }
    end = before;
  }
  if (size === 0) return { last: null, unended: false, torn: null };
  // Nothing good at all: the first write of a new file was torn, or this was never an audit file.
  const opening = Buffer.from('{"seq":');
  const torn = whole && opening.subarray(0, bytes.length).equals(bytes.subarray(0, opening.length));
  if (!torn && !(whole && bytes.every((byte) => byte === 0))) {
    throw new NotAnAuditFileError(
      'the file does not end in audit records; move it away, or give another name',
    );
  }
  return { last: null, unended: false, torn: tornAfter(bytes) };
}

/** Whether the line names its predecessor, where that can be seen. `before` is the line feed in front of the line. */
function followsOn(bytes: Buffer, before: number, line: AuditLine, whole: boolean): boolean {
  if (before < 0) return true;
  // A seal stands after what it seals, and names the line in front of that.
  const end = line.seal === null ? before : before - line.seal.bytes - 1;
  if (line.seal !== null) {
    if (end < -1) return !whole;
    if (sha256Hex(bytes.subarray(end + 1, before)) !== line.seal.sha256) return false;
    if (end === -1) return true;
  }
  const previous = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
  if (previous < 0 && !whole) return true;
  return sha256Hex(bytes.subarray(previous + 1, end)) === line.prev;
}

function tornAfter(rest: Buffer): AuditTail['torn'] {
  if (rest.length === 0) return null;
  const endsLine = rest.at(-1) === LINE_FEED;
  const sealed = endsLine ? rest.subarray(0, -1) : rest;
  return { bytes: sealed.length, sha256: sha256Hex(sealed), endsLine };
}

/** Where a chain stands after a line, or before the first. */
export function pointOf(line: AuditLine | null): ChainPoint {
  return line === null ? GENESIS : { seq: line.seq, sha256: line.sha256 };
}
