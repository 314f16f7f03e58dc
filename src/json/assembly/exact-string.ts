import { BACKSLASH, Bytes, LOWER_U, QUOTE, SPACE } from './bytes';
import { CONTROL, DROP, ESCAPE, NAME_LENGTH, OK, STRING_LENGTH, UTF8 } from './codes';
import { refuse } from './fault';
import { reserve } from './heap';
import { Kept } from './kept';
import { RAW, S } from './state';
import { BROKEN, beginSequence, MORE, nextOfSequence } from './utf8';
import { offsetOf } from './window';

const PLAIN: u32 = 0;
const IN_ESCAPE: u32 = 1;
const IN_HEX: u32 = 2;
const IN_SEQUENCE: u32 = 3;
export const STRING_CLOSED: u32 = 4;

/** Before the first byte after the opening quote. */
export function openString(): void {
  S.part = PLAIN;
  S.length = 0;
  S.highSurrogate = 0;
  S.loneSurrogate = 0;
  S.escaped = 0;
}

/**
 * Reads on in a string or name. Copies what lies between the quotes: of a name to RAW, of a string that is kept to the
 * kept part. Returns the place after the closing quote, or where it stopped.
 */
export function readString(p: usize, end: usize, isName: bool): usize {
  const limit = isName ? S.nameLimit : S.stringLimit;
  while (p < end) {
    if (S.part == PLAIN) {
      const room = limit - S.length;
      const stop = <u32>(end - p) > room ? p + room : end;
      const next = skipOrdinary(p, stop);
      if (next > p) {
        leaveSurrogateAlone();
        copyText(p, next, isName);
        S.length += <u32>(next - p);
        p = next;
      }
      if (p == end) break;
    }
    const byte: u32 = load<u8>(p);
    if (byte == QUOTE && S.part == PLAIN) {
      leaveSurrogateAlone();
      S.part = STRING_CLOSED;
      return p + 1;
    }
    if (S.length >= limit) {
      refuse(isName ? NAME_LENGTH : STRING_LENGTH, offsetOf(p));
      return p;
    }
    copyText(p, p + 1, isName);
    S.length += 1;
    const code = take(byte, p);
    if (code != OK) {
      refuse(code, code == UTF8 ? S.sequenceStart : offsetOf(p));
      return p;
    }
    p++;
  }
  return p;
}

function copyText(from: usize, to: usize, isName: bool): void {
  const more = <u32>(to - from);
  if (isName) {
    reserve(RAW, S.length, S.length + more);
    Kept.copy(RAW.base + S.length, from, to);
  } else if (S.keep != DROP) {
    S.out = Kept.copy(S.out, from, to);
  }
}

/** Skips bytes that stand for themselves: ASCII but quote, backslash and controls; any beyond ASCII where UTF-8 is known. */
function skipOrdinary(p: usize, end: usize): usize {
  const beyondAscii: u32 = S.trusted != 0 ? 0 : 0xffff;
  while (p + 16 <= end) {
    const bytes = v128.load(p);
    const odd = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH))),
      i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE)),
    );
    const stops: u32 = <u32>i8x16.bitmask(odd) | (<u32>i8x16.bitmask(bytes) & beyondAscii);
    if (stops != 0) return p + ctz(stops);
    p += 16;
  }
  for (; p < end; p++) {
    const byte: u32 = load<u8>(p);
    if (byte < SPACE || byte == QUOTE || byte == BACKSLASH || (byte >= 0x80 && beyondAscii != 0)) break;
  }
  return p;
}

function take(byte: u32, p: usize): u32 {
  switch (S.part) {
    case PLAIN:
      return takePlain(byte, p);
    case IN_ESCAPE:
      return takeEscape(byte);
    case IN_HEX:
      return takeHex(byte);
    default: {
      const progress = nextOfSequence(byte);
      if (progress == BROKEN) return UTF8;
      if (progress != MORE) S.part = PLAIN;
      return OK;
    }
  }
}

function takePlain(byte: u32, p: usize): u32 {
  if (byte == BACKSLASH) {
    S.part = IN_ESCAPE;
    S.escaped = 1;
    return OK;
  }
  leaveSurrogateAlone();
  // RFC 8259 section 7: U+0000 to U+001F must be escaped.
  if (byte < SPACE) return CONTROL;
  if (byte < 0x80) return OK;
  if (!beginSequence(byte, offsetOf(p))) return UTF8;
  S.part = IN_SEQUENCE;
  return OK;
}

function takeEscape(byte: u32): u32 {
  if (byte == LOWER_U) {
    S.part = IN_HEX;
    S.hexDigits = 0;
    S.codeUnit = 0;
    return OK;
  }
  leaveSurrogateAlone();
  S.part = PLAIN;
  return Bytes.meaning(byte) != 0 ? OK : ESCAPE;
}

function takeHex(byte: u32): u32 {
  const value = Bytes.hexValue(byte);
  if (value > 15) return ESCAPE;
  S.codeUnit = (S.codeUnit << 4) | value;
  S.hexDigits += 1;
  if (S.hexDigits == 4) {
    S.part = PLAIN;
    pairSurrogates(S.codeUnit);
  }
  return OK;
}

// RFC 8259 section 7: a character beyond the basic plane is two escapes, high surrogate and low, side by side.
function pairSurrogates(codeUnit: u32): void {
  const isLow = codeUnit >> 10 == 0xdc00 >> 10;
  if (isLow && S.highSurrogate != 0) {
    S.highSurrogate = 0;
    return;
  }
  if (isLow) S.loneSurrogate = 1;
  leaveSurrogateAlone();
  S.highSurrogate = codeUnit >> 10 == 0xd800 >> 10 ? 1 : 0;
}

/** What follows a high surrogate is not its partner. */
function leaveSurrogateAlone(): void {
  if (S.highSurrogate != 0) S.loneSurrogate = 1;
  S.highSurrogate = 0;
}
