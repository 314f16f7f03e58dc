import { LF } from './bytes';
import { S } from './state';

/**
 * A line feed can only stand between tokens; anywhere else it is refused. So all of them are counted a window at a time,
 * when its scan is over, and not at all in a window without white space.
 */
export function countLines(from: usize, to: usize): void {
  const feeds = i8x16.splat(<i8>LF);
  let count: u32 = 0;
  let last: usize = 0;
  let i = from;
  for (; i + 16 <= to; i += 16) {
    const found: u32 = i8x16.bitmask(i8x16.eq(v128.load(i), feeds));
    if (found != 0) {
      count += popcnt(found);
      last = i + 32 - clz(found);
    }
  }
  for (; i < to; i++) {
    if (load<u8>(i) == LF) {
      count++;
      last = i + 1;
    }
  }
  S.lineFeeds += <f64>count;
  if (last != 0) S.lineStart = S.base + <f64>(last - from);
}
