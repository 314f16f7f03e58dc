import { BACKSLASH, Bytes, IS_SHORT_ESCAPE, LOWER_U, QUOTE } from './bytes';
import { S } from './state';
import { Vector } from './vectors';

/** Looks at text 16 bytes at a time. All of it may read, but not look at, up to 15 bytes behind what it finds. */
@final
@unmanaged
export class Text {
  /** One bit for each byte that does not stand for itself in a string: quote, backslash, controls. */
  @inline
  static stops(bytes: v128): i32 {
    return Text.stopsWith(bytes, Vector.turn(), Vector.lowEnd(), Vector.backslash());
  }

  @inline
  static stopsWith(bytes: v128, turn: v128, lowEnd: v128, backslash: v128): i32 {
    return i8x16.bitmask(v128.or(i8x16.lt_s(v128.xor(bytes, turn), lowEnd), i8x16.eq(bytes, backslash)));
  }

  /** The first such byte from `p` on. There is one: behind the window stand zeros. */
  @inline
  static skip(p: usize): usize {
    const turn = Vector.turn();
    const lowEnd = Vector.lowEnd();
    const backslash = Vector.backslash();
    while (true) {
      const stops: u32 = Text.stopsWith(v128.load(p), turn, lowEnd, backslash);
      if (stops != 0) return p + ctz(stops);
      p += 16;
    }
  }

  /**
   * The closing quote of a string, from behind its opening one; 0 where it is not in order, or not over. Says in the state
   * whether there are escapes, and whether one is a surrogate without partner.
   */
  @inline
  static endOfString(p: usize): usize {
    p = Text.skip(p);
    S.loneSurrogate = 0;
    S.escaped = 0;
    return load<u8>(p) == QUOTE ? p : endOfEscapedString(p);
  }

  /** The first byte from `p` on that is not white space. */
  @inline
  static skipBlank(p: usize): usize {
    while (true) {
      const bytes = v128.load(p);
      const blank = v128.or(
        v128.or(i8x16.eq(bytes, Vector.space()), i8x16.eq(bytes, Vector.lineFeed())),
        v128.or(i8x16.eq(bytes, Vector.carriageReturn()), i8x16.eq(bytes, Vector.tab())),
      );
      const others: u32 = i8x16.bitmask(blank) ^ 0xffff;
      if (others != 0) return p + ctz(others);
      p += 16;
    }
  }

  /** One bit for each byte that is not a digit. */
  @inline
  static others(bytes: v128): u32 {
    return i8x16.bitmask(i8x16.gt_s(i8x16.sub(bytes, Vector.digitBase()), Vector.digitEnd()));
  }

  /** How many digits stand at `p`. */
  @inline
  static digits(p: usize): u32 {
    let count: u32 = 0;
    while (true) {
      const others: u32 = Text.others(v128.load(p + count));
      if (others != 0) return count + ctz(others);
      count += 16;
    }
  }

  /** The code unit of the escape that starts at `p`, or more than 0xffff where there is none of `u` and four digits. */
  static hexEscape(p: usize): u32 {
    if (load<u16>(p) != (LOWER_U << 8 | BACKSLASH)) return 0x10000;
    const a = Bytes.hexValue(load<u8>(p + 2));
    const b = Bytes.hexValue(load<u8>(p + 3));
    const c = Bytes.hexValue(load<u8>(p + 4));
    const d = Bytes.hexValue(load<u8>(p + 5));
    return (a | b | c | d) > 15 ? 0x10000 : (a << 12) | (b << 8) | (c << 4) | d;
  }
}

/** From the first byte on that does not stand for itself. */
function endOfEscapedString(p: usize): usize {
  S.escaped = 1;
  while (load<u8>(p) == BACKSLASH) {
    if (Bytes.hasClass(load<u8>(p + 1), IS_SHORT_ESCAPE)) {
      p += 2;
    } else {
      const unit = Text.hexEscape(p);
      if (unit > 0xffff) return 0;
      p += 6;
      if (unit >> 11 == 0xd800 >> 11) {
        // RFC 8259 section 7: a high surrogate and a low one right behind are one character.
        if (unit < 0xdc00 && Text.hexEscape(p) >> 10 == 0xdc00 >> 10) p += 6;
        else S.loneSurrogate = 1;
      }
    }
    if (load<u8>(p) != BACKSLASH) p = Text.skip(p);
  }
  return load<u8>(p) == QUOTE ? p : 0;
}
