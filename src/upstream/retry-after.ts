import { parseHttpDate } from './http-date.js';
import { trimOws } from './response-headers.js';

/**
 * How long an upstream asks to wait (RFC 9110 section 10.2.3): delta-seconds or an HTTP date.
 *
 * @param value the header's value; undefined when it is absent or repeated
 * @param nowMs the time of reading, milliseconds since the epoch
 * @param maxSeconds what anything longer becomes
 * @returns whole seconds from 0 to `maxSeconds`, a date in the past being 0; undefined when there is no valid value
 */
export function retryAfterSeconds(
  value: string | undefined,
  nowMs: number,
  maxSeconds: number,
): number | undefined {
  if (value === undefined) return undefined;
  const text = trimOws(value);
  // Longer runs of digits become Infinity at worst, and are cut down with the rest
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text), maxSeconds);
  const at = parseHttpDate(text);
  if (at === undefined) return undefined;
  return Math.min(Math.max(0, Math.ceil((at - nowMs) / 1000)), maxSeconds);
}
