import { BACKSLASH, LF, SPACE, ZERO } from './bytes';

/**
 * Vectors of one byte repeated, in memory: an engine that makes such a constant anew wherever it is used, out of a number
 * and two moves, has it by one load.
 */
const VECTORS: usize = memory.data(16 * 9, 16);

@final
@unmanaged
export class Vector {
  @inline
  static turn(): v128 {
    return v128.load(VECTORS);
  }

  @inline
  static lowEnd(): v128 {
    return v128.load(VECTORS, 16);
  }

  @inline
  static backslash(): v128 {
    return v128.load(VECTORS, 32);
  }

  @inline
  static digitBase(): v128 {
    return v128.load(VECTORS, 48);
  }

  @inline
  static digitEnd(): v128 {
    return v128.load(VECTORS, 64);
  }

  @inline
  static space(): v128 {
    return v128.load(VECTORS, 80);
  }

  @inline
  static lineFeed(): v128 {
    return v128.load(VECTORS, 96);
  }

  @inline
  static carriageReturn(): v128 {
    return v128.load(VECTORS, 112);
  }

  @inline
  static tab(): v128 {
    return v128.load(VECTORS, 128);
  }
}

function put(index: usize, byte: u32): void {
  v128.store(VECTORS + index * 16, i8x16.splat(<i8>byte));
}

export function initVectors(): void {
  // Controls are 00 to 1F and the quote is 22: under ^2 they are 00 to 20, and the space is not. The upper bit is turned over
  // as well, to compare by sign, which takes one step.
  put(0, 0x82);
  put(1, 0xa1);
  put(2, BACKSLASH);
  // Less this, digits are the ten least numbers.
  put(3, ZERO + 128);
  put(4, 0x89);
  put(5, SPACE);
  put(6, LF);
  put(7, 0x0d);
  put(8, 0x09);
}
