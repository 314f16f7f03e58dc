import { reserve, SLACK } from './heap';
import { KEPT, S } from './state';

/** Up to here a loop copies faster than a call does. */
const SHORT_COPY: u32 = 256;

/** The kept part grows at its end, S.out. */
@final
@unmanaged
export class Kept {
  /** Copies the bytes from `from` to before `to` to `out`, and up to 15 more that do not count. Returns the new end. */
  @inline
  static copy(out: usize, from: usize, to: usize): usize {
    const end = out + (to - from);
    if (to - from <= SHORT_COPY) {
      while (out < end) {
        v128.store(out, v128.load(from));
        out += 16;
        from += 16;
      }
    } else {
      memory.copy(out, from, to - from);
    }
    return end;
  }

  @inline
  static put(byte: u32): void {
    store<u8>(S.out, <u8>byte);
    S.out += 1;
  }
}

/**
 * Makes room for what `bytes` more bytes of the document can add: each is kept at most once, but for the quotes around
 * numbers that are kept as strings, where a digit and its comma become four bytes.
 */
export function reserveKept(bytes: u32): void {
  const used = <u32>(S.out - KEPT.base);
  reserve(KEPT, used, used + bytes * 2 + SLACK);
  S.kept = KEPT.base;
  S.out = KEPT.base + used;
}
