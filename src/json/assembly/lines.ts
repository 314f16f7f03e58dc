import { LF } from './bytes';
import { S } from './state';

/**
 * A line feed can only stand between tokens; anywhere else it is refused. So all of them are counted a window at a time,
 * when its scan is over, and not at all in a window without white space.
 */
export function countLines(from: usize, to: usize): void {
  const feeds = i8x16.splat(<i8>LF);
  let total: u32 = 0;
  let i = from;
  while (i + 16 <= to) {
    // Each lane counts up to 255.
    const end = min(to, i + 255 * 16);
    let counts = i8x16.splat(0);
    for (; i + 16 <= end; i += 16) counts = i8x16.sub(counts, i8x16.eq(v128.load(i), feeds));
    const pairs = i16x8.extadd_pairwise_i8x16_u(counts);
    const quads = i32x4.extadd_pairwise_i16x8_u(pairs);
    total += i32x4.extract_lane(quads, 0) + i32x4.extract_lane(quads, 1);
    total += i32x4.extract_lane(quads, 2) + i32x4.extract_lane(quads, 3);
  }
  for (; i < to; i++) total += u32(load<u8>(i) == LF);
  if (total == 0) return;
  let last = to;
  while (load<u8>(last - 1) != LF) last--;
  S.lineFeeds += <f64>total;
  S.lineStart = S.base + <f64>(last - from);
}
