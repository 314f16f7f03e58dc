import { crc32 } from 'node:zlib';

// Flag bits of the header, RFC 1952 section 2.3.1
const FHCRC = 0x02;
const FEXTRA = 0x04;
const FNAME = 0x08;
const FCOMMENT = 0x10;
const RESERVED = 0xe0;

/** CRC-32 and size of the decoded bytes, both little-endian (RFC 1952 section 2.3.1). */
export const GZIP_TRAILER_BYTES = 8;

/**
 * Length of the header of a gzip member, or undefined when it is not one or does not end within `bytes`.
 *
 * The members are taken apart here because Node's Gunzip goes on with whatever follows the first one: a second
 * member is appended to the output, zeros and short garbage are ignored.
 */
export function gzipHeaderLength(bytes: Uint8Array): number | undefined {
  const flags = bytes[3];
  if (bytes.length < 10 || flags === undefined) return undefined;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8 || (flags & RESERVED) !== 0) return undefined;

  let at = 10;
  if (flags & FEXTRA) {
    const low = bytes[at];
    const high = bytes[at + 1];
    if (low === undefined || high === undefined) return undefined;
    at += 2 + low + high * 256;
  }
  for (const text of [FNAME, FCOMMENT]) {
    if ((flags & text) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return undefined;
    at = end + 1;
  }
  if (flags & FHCRC) {
    const sum = crc32(bytes.subarray(0, at)) & 0xffff;
    if (bytes[at] !== (sum & 0xff) || bytes[at + 1] !== sum >> 8) return undefined;
    at += 2;
  }
  return at <= bytes.length ? at : undefined;
}

/**
 * @param trailer the last eight bytes of the member
 * @param crc CRC-32 of the decoded bytes
 * @param size their number
 */
export function gzipTrailerMatches(trailer: Uint8Array, crc: number, size: number): boolean {
  if (trailer.length !== GZIP_TRAILER_BYTES) return false;
  const view = new DataView(trailer.buffer, trailer.byteOffset, trailer.length);
  return view.getUint32(0, true) === crc >>> 0 && view.getUint32(4, true) === size % 2 ** 32;
}
