import { BOM, SYNTAX, UTF8 } from './codes';
import { refuse } from './fault';
import { S } from './state';
import { BROKEN, beginSequence, MORE, nextOfSequence } from './utf8';
import { offsetOf } from './window';

/** A character beyond ASCII where none can stand, read to its end to tell PRS_UTF8 from PRS_SYNTAX. */

const BYTE_ORDER_MARK: u32 = 0xfeff;

export function beginForeign(byte: u32, p: usize): bool {
  return beginSequence(byte, offsetOf(p));
}

export function readForeign(byte: u32): void {
  const progress = nextOfSequence(byte);
  if (progress == MORE) return;
  const offset = S.sequenceStart;
  // RFC 8259 section 8.1: a document is not sent with a byte order mark in front.
  const isMark = offset == 0 && S.codePoint == BYTE_ORDER_MARK;
  refuse(progress == BROKEN ? UTF8 : isMark ? BOM : SYNTAX, offset);
}
