import { Region } from './state';

/**
 * Memory for regions that grow: blocks of powers of two, taken from the end of memory or from those given back. A
 * region doubles, so that what it ever held costs at most twice its size, and growing is linear in all.
 */

const SMALLEST: u32 = 10;
/** First free block of each power of two; a free block starts with the address of the next one. */
const FREE: usize = memory.data(4 * 32, 4);
let top: usize = 0;

/** Reads and writes may go this far beyond what they are about. */
export const SLACK: u32 = 64;

function powerFor(bytes: u32): u32 {
  // Larger than a block can be: there is no such memory.
  if (bytes > 1 << 30) unreachable();
  const power: u32 = 32 - clz(bytes - 1);
  return power < SMALLEST ? SMALLEST : power;
}

function take(power: u32): usize {
  const free = load<usize>(FREE + power * 4);
  if (free != 0) {
    store<usize>(FREE + power * 4, load<usize>(free));
    return free;
  }
  if (top == 0) top = (__heap_base + 63) & ~63;
  const block = top;
  const end = <u64>block + (<u64>1 << power);
  const pages = <u32>((end + 0xffff) >> 16);
  const have: u32 = memory.size();
  // The host makes an error of the trap and gives up this instance.
  if (pages > have && memory.grow(pages - have) < 0) unreachable();
  top = <usize>end;
  return block;
}

function giveBack(block: usize, power: u32): void {
  store<usize>(block, load<usize>(FREE + power * 4));
  store<usize>(FREE + power * 4, block);
}

/** A block that is never given back by itself; `release` does. */
export function allocate(bytes: u32): usize {
  return take(powerFor(bytes));
}

export function release(block: usize, bytes: u32): void {
  giveBack(block, powerFor(bytes));
}

/** Makes sure that a region has `needed` bytes and some slack, keeping its first `used` ones. It may move. */
export function reserve(region: Region, used: u32, needed: u32): void {
  if (<u64>needed + SLACK > region.size) enlarge(region, used, needed);
}

function enlarge(region: Region, used: u32, needed: u32): void {
  if (needed > 1 << 30) unreachable();
  const power = powerFor(needed + SLACK);
  const block = take(power);
  if (region.size != 0) {
    memory.copy(block, region.base, used);
    giveBack(region.base, powerFor(region.size));
  }
  region.base = block;
  region.size = 1 << power;
}
