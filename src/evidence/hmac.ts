import { createHmac, type Hmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Fault } from '../fault/index.js';
import type { ResponseHeaders } from '../upstream/index.js';

export type HmacAlgorithm = 'sha256' | 'sha384' | 'sha512';

/** Where a message authentication code (RFC 2104) stands and how it is written: `sha256=` and hex, as GitHub sends it. */
export interface HmacForm {
  readonly header: string;
  readonly prefix: string;
  readonly encoding: 'hex' | 'base64';
  readonly algorithm: HmacAlgorithm;
}

export const HMAC_BYTES: Readonly<Record<HmacAlgorithm, number>> = { sha256: 32, sha384: 48, sha512: 64 };

/** The code of one body, compared when its last byte is there. */
export class BodyMac {
  readonly #codes: readonly Hmac[];
  readonly #expected: Uint8Array;

  /** @param keys any of them may have made it: a key and, while keys are changed, the one before */
  constructor(algorithm: HmacAlgorithm, keys: readonly KeyObject[], expected: Uint8Array) {
    this.#codes = keys.map((key) => createHmac(algorithm, key));
    this.#expected = expected;
  }

  /** The next bytes of the body as they came, before content decoding. */
  update(chunk: Uint8Array): void {
    for (const code of this.#codes) code.update(chunk);
  }

  isRight(): boolean {
    // Every one is compared, so that the time does not tell which key it was
    return this.#codes.map((code) => timingSafeEqual(code.digest(), this.#expected)).includes(true);
  }
}

/** Reads the header: one line, the prefix, one spelling of exactly as many bytes as the algorithm has. */
export function readMac(headers: ResponseHeaders, form: HmacForm): Uint8Array | Fault {
  const { header, prefix, encoding, algorithm } = form;
  if (!headers.has(header)) return new Fault('SIG_MISSING', { note: `no ${header}` });
  const value = headers.single(header);
  if (value === undefined) return new Fault('SIG_FORM', { note: `${header} stands more than once` });
  const text = value.slice(prefix.length);
  const bytes = Buffer.from(text, encoding);
  const isWhole = bytes.byteLength === HMAC_BYTES[algorithm];
  const isSpeltSo =
    encoding === 'hex' ? /^(?:[0-9a-f]*|[0-9A-F]*)$/.test(text) : bytes.toString('base64') === text;
  if (value.startsWith(prefix) && isWhole && isSpeltSo && text.length === codedLength(form)) return bytes;
  return new Fault('SIG_FORM', { note: `${header} is not ${prefix}${encoding} of ${algorithm}` });
}

function codedLength({ algorithm, encoding }: HmacForm): number {
  const bytes = HMAC_BYTES[algorithm];
  return encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;
}
