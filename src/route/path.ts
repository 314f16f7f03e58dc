/**
 * What makes a raw path unsafe (RFC 3986 section 2.1, 3.3 and 5.2.4): something that the upstream, or a proxy before
 * it, could read as another path than the one that was matched here. Looked for as sent, after one decode and after
 * two.
 */

/** Visible ASCII without `#`, `\`, `"`, `<`, `>`, `^`, backtick, `{`, `|`, `}`; well-formed percent-escapes only. */
const RAW_PATH = /^(?:[!$&-;=@-Z[\]_a-z~]|%[0-9A-Fa-f]{2})*$/;

const CONTROL_OR_BACKSLASH = /[\u0000-\u001f\u007f-\u009f\\]/;

/** The segments of a raw path, still encoded; undefined where the path is unsafe. */
export function safeSegments(rawPath: string): string[] | undefined {
  if (!rawPath.startsWith('/') || !RAW_PATH.test(rawPath)) return undefined;
  const segments = rawPath.slice(1).split('/');
  // An empty last segment is a trailing slash: safe, and matched by no template.
  const empty = segments.indexOf('');
  if (empty >= 0 && empty < segments.length - 1) return undefined;
  return segments.every(isSafeSegment) ? segments : undefined;
}

function isSafeSegment(raw: string): boolean {
  // Without an escape nothing is left to be decoded, and RAW_PATH has no control and no backslash.
  if (!raw.includes('%')) return raw !== '.' && raw !== '..';
  const once = decodeSegment(raw);
  if (once === undefined || hasHazard(once)) return false;
  return !hasAsciiHazard(decodeAgain(once));
}

/** One strict decode; undefined when the bytes are not UTF-8. */
export function decodeSegment(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/**
 * A second decode as a lenient reader would do it: every well-formed escape becomes the byte it names, anything else
 * stays. Only the ASCII characters of the outcome mean anything.
 */
export function decodeAgain(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function hasHazard(text: string): boolean {
  return CONTROL_OR_BACKSLASH.test(text) || hasDotSegment(text);
}

function hasAsciiHazard(text: string): boolean {
  // Bytes 80 to 9F are parts of UTF-8 characters here, not C1 controls.
  return hasHazard(text.replace(/[\u0080-\u00ff]/g, 'x'));
}

/** Whole segments only: `...slug` is a name, `..` is not. */
function hasDotSegment(text: string): boolean {
  return text.split('/').some((part) => part === '.' || part === '..');
}
