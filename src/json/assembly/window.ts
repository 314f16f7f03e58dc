import { SLACK } from './heap';
import { S } from './state';

/** Most bytes that are scanned at once. The host copies them here, and a body goes through in as many windows as it takes. */
export const WINDOW_BYTES: u32 = 65_536;

/** The bytes behind a window's last one are zero while it is scanned: no token goes on with them, so that none runs on. */
export const WINDOW: usize = memory.data(WINDOW_BYTES + SLACK, 16);

/** Offset in the body of a byte of the window. */
export function offsetOf(p: usize): f64 {
  return S.base + <f64>(p - WINDOW);
}
