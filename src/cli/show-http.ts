/** Characters of a body that are shown, escapes included. */
const EXCERPT = 360;

/**
 * An HTTP response as lines for a terminal: status line, headers, the start of the body. Every byte that is not
 * printable ASCII is shown as `\xNN`, so that no upstream can write to the terminal.
 */
export function showResponse(bytes: Uint8Array): string[] {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = raw.indexOf('\r\n\r\n');
  const head = end < 0 ? raw : raw.subarray(0, end);
  const body = end < 0 ? raw.subarray(raw.length) : raw.subarray(end + 4);
  const shown = escapeText(body.subarray(0, EXCERPT).toString('latin1'));
  const whole = body.length <= EXCERPT && shown.length <= EXCERPT;
  const excerpt = whole ? shown : shown.slice(0, EXCERPT).replace(/\\(x[0-9a-f]?)?$/, '');
  const rest = whole ? '' : `... ${body.length.toLocaleString('en-US')} bytes in all`;
  return [
    ...head
      .toString('latin1')
      .split('\r\n')
      .map((line) => escapeText(line)),
    '',
    excerpt + rest,
  ];
}

function escapeText(latin1: string): string {
  return latin1.replace(/[^ -~]/g, (c) =>
    c === '\n' ? '\\n' : c === '\r' ? '\\r' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
