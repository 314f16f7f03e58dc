import { Bytes } from './bytes';
import { S } from './state';

/**
 * A keyed hash of member names. NH (RFC 4418 section 5.2.2) over 32-bit lanes, then multiply-shift: for any two names
 * that were chosen without knowledge of the keys, the chance of equal hashes is about 2^-31. So whoever writes the names
 * cannot make them collide.
 */

/** NH works on so many bytes with keys of its own; longer names take the hashes of their blocks into account. */
const BLOCK: u32 = 256;

/** From the host, random per process: 256 bytes for NH, a multiplier, and the seed of what blocks are mixed with. */
export const KEYS: usize = memory.data(256 + 16, 16);
const MULTIPLIER: usize = KEYS + 256;
const SEED: usize = KEYS + 264;

@final
@unmanaged
export class Hash {
  /** Products of the lanes of one block of 16 bytes: two sums to be added up. */
  @inline
  static products(block: v128, keys: v128): v128 {
    const lanes = i32x4.add(block, keys);
    return i64x2.extmul_low_i32x4_u(lanes, v128.shuffle<u32>(lanes, lanes, 2, 3, 2, 3));
  }

  @inline
  static sum(products: v128): u64 {
    return i64x2.extract_lane(products, 0) + i64x2.extract_lane(products, 1);
  }

  @inline
  static finish(sum: u64, length: u32): u32 {
    return <u32>(((sum + length) * (load<u64>(MULTIPLIER) | 1)) >> 32);
  }
}

/** The sum of at most BLOCK bytes; the bytes behind the last one are read and do not count. */
function sumOf(text: usize, length: u32): u64 {
  let products = i64x2.splat(0);
  let i: u32 = 0;
  for (; i + 16 < length; i += 16) {
    products = i64x2.add(products, Hash.products(v128.load(text + i), v128.load(KEYS + i)));
  }
  const last = v128.and(v128.load(text + i), Bytes.firstOnes(length - i));
  return Hash.sum(i64x2.add(products, Hash.products(last, v128.load(KEYS + i))));
}

export function hashOf(text: usize, length: u32): u32 {
  if (length <= BLOCK) return Hash.finish(sumOf(text, length), length);
  let sum: u64 = 0;
  for (let i: u32 = 0; i < length; i += BLOCK) {
    const left = length - i;
    const block = sumOf(text + i, left < BLOCK ? left : BLOCK);
    const key = mix(load<u64>(SEED) + i);
    sum += <u64>(<u32>block + <u32>key) * <u64>(<u32>(block >> 32) + <u32>(key >> 32));
  }
  return Hash.finish(sum, length);
}

/** Another hash, with a salt: what a table goes by after its names were found to crowd. Slower. */
export function saltedHash(text: usize, length: u32, salt: u64): u32 {
  let sum = mix(salt + length);
  for (let i: u32 = 0; i < length; i++) sum = (sum ^ load<u8>(text + i)) * 0x9e3779b97f4a7c15 + (sum >> 29);
  return <u32>(mix(sum ^ salt) >> 32);
}

/** Never the same twice, never zero, and unknown to whoever does not know the seed. */
export function nextSalt(): u64 {
  S.salt = mix(S.salt + load<u64>(SEED));
  return S.salt | 1;
}

/** The next number of a sequence that looks random (splitmix64). */
export function mix(seed: u64): u64 {
  let z = seed + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
