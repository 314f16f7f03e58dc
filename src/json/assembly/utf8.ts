import { S } from './state';

/** One UTF-8 sequence, byte by byte and strictly (RFC 3629 section 4). */

export const MORE: u32 = 0;
export const WHOLE: u32 = 1;
export const BROKEN: u32 = 2;

/** Takes a byte from 0x80 on as the first of a sequence; false when no sequence can start with it. */
export function beginSequence(byte: u32, offset: f64): bool {
  S.lowest = 0x80;
  S.highest = 0xbf;
  S.sequenceStart = offset;
  // RFC 3629 section 4: UTF8-2 starts at C2; C0 and C1 could only be overlong.
  if (byte >= 0xc2 && byte <= 0xdf) {
    S.missing = 1;
    S.codePoint = byte & 0x1f;
    return true;
  }
  if (byte >= 0xe0 && byte <= 0xef) {
    S.missing = 2;
    S.codePoint = byte & 0x0f;
    // RFC 3629 section 4: E0 A0-BF shuts out overlong forms, ED 80-9F the surrogates D800-DFFF.
    if (byte == 0xe0) S.lowest = 0xa0;
    if (byte == 0xed) S.highest = 0x9f;
    return true;
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    S.missing = 3;
    S.codePoint = byte & 0x07;
    // RFC 3629 section 4: F0 90-BF shuts out overlong forms, F4 80-8F what lies above U+10FFFF.
    if (byte == 0xf0) S.lowest = 0x90;
    if (byte == 0xf4) S.highest = 0x8f;
    return true;
  }
  return false;
}

/** Takes the next byte of the sequence begun. */
export function nextOfSequence(byte: u32): u32 {
  if (byte < S.lowest || byte > S.highest) return BROKEN;
  S.lowest = 0x80;
  S.highest = 0xbf;
  S.codePoint = (S.codePoint << 6) | (byte & 0x3f);
  S.missing -= 1;
  return S.missing == 0 ? WHOLE : MORE;
}

/** Writes a code point, or a lone surrogate as if it were one; returns where it ends. */
export function writeCodePoint(to: usize, codePoint: u32): usize {
  if (codePoint < 0x80) {
    store<u8>(to, <u8>codePoint);
    return to + 1;
  }
  if (codePoint < 0x800) {
    store<u8>(to, <u8>(0xc0 | (codePoint >> 6)));
    store<u8>(to + 1, <u8>(0x80 | (codePoint & 0x3f)));
    return to + 2;
  }
  if (codePoint < 0x10000) {
    store<u8>(to, <u8>(0xe0 | (codePoint >> 12)));
    store<u8>(to + 1, <u8>(0x80 | ((codePoint >> 6) & 0x3f)));
    store<u8>(to + 2, <u8>(0x80 | (codePoint & 0x3f)));
    return to + 3;
  }
  store<u8>(to, <u8>(0xf0 | (codePoint >> 18)));
  store<u8>(to + 1, <u8>(0x80 | ((codePoint >> 12) & 0x3f)));
  store<u8>(to + 2, <u8>(0x80 | ((codePoint >> 6) & 0x3f)));
  store<u8>(to + 3, <u8>(0x80 | (codePoint & 0x3f)));
  return to + 4;
}
