/**
 * One UTF-8 sequence of two to four bytes, read byte by byte and strictly: no overlong form, no surrogate, nothing
 * above U+10FFFF (RFC 3629 section 4).
 */
export class Utf8Sequence {
  private missing = 0;
  private lowest = 0x80;
  private highest = 0xbf;
  /** The code point, once `next` has said `whole`. */
  codePoint = 0;

  /** Takes a byte from 0x80 on as the first of a sequence; false when no sequence can start with it. */
  begin(byte: number): boolean {
    this.lowest = 0x80;
    this.highest = 0xbf;
    // RFC 3629 section 4: UTF8-2 starts at C2; C0 and C1 could only be overlong.
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.missing = 1;
      this.codePoint = byte & 0x1f;
      return true;
    }
    if (byte >= 0xe0 && byte <= 0xef) {
      this.missing = 2;
      this.codePoint = byte & 0x0f;
      // RFC 3629 section 4: E0 A0-BF shuts out overlong forms, ED 80-9F the surrogates D800-DFFF.
      if (byte === 0xe0) this.lowest = 0xa0;
      if (byte === 0xed) this.highest = 0x9f;
      return true;
    }
    if (byte >= 0xf0 && byte <= 0xf4) {
      this.missing = 3;
      this.codePoint = byte & 0x07;
      // RFC 3629 section 4: F0 90-BF shuts out overlong forms, F4 80-8F what lies above U+10FFFF.
      if (byte === 0xf0) this.lowest = 0x90;
      if (byte === 0xf4) this.highest = 0x8f;
      return true;
    }
    return false;
  }

  /** Takes the next byte of the sequence begun. */
  next(byte: number): 'more' | 'whole' | 'broken' {
    if (byte < this.lowest || byte > this.highest) return 'broken';
    this.lowest = 0x80;
    this.highest = 0xbf;
    this.codePoint = (this.codePoint << 6) | (byte & 0x3f);
    this.missing--;
    return this.missing === 0 ? 'whole' : 'more';
  }
}
