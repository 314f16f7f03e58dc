import { gzipSync } from 'node:zlib';

/** One HTTP/1.1 response as the sample upstream writes it. */
export interface RawAnswer {
  readonly status?: number;
  /** Replaces or adds to `content-type: application/json; charset=utf-8` and `date`; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it stands, anything else as JSON. */
  readonly body: unknown;
  /** Default `length`. `gzip` is the gzip coding with a length. */
  readonly framing?: 'length' | 'chunked' | 'gzip';
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'Moved Permanently',
  404: 'Not Found',
  503: 'Service Unavailable',
};

/** Bytes of a chunk (RFC 9112 section 7.1) that a long body is cut into. */
const CHUNK_BYTES = 16_384;

/** The bytes of a whole response: status line, headers, framed body. The connection closes after it. */
export function rawAnswer(answer: RawAnswer, now: Date): Uint8Array {
  const { status = 200, framing = 'length', body } = answer;
  const content = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const payload = framing === 'gzip' ? gzipSync(content) : content;
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    date: now.toUTCString(),
    server: 'sample-upstream',
    connection: 'close',
    ...(framing === 'chunked'
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(payload.byteLength) }),
    ...(framing === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    ...answer.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${lines.join('')}\r\n`);
  return Buffer.concat([head, ...(framing === 'chunked' ? chunked(payload) : [payload])]);
}

function chunked(payload: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < payload.byteLength; at += CHUNK_BYTES) {
    const part = payload.subarray(at, at + CHUNK_BYTES);
    parts.push(Buffer.from(`${part.byteLength.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from('0\r\n\r\n'));
  return parts;
}
