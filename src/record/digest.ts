import { createHash, hash } from 'node:crypto';

/** SHA-256 (FIPS 180-4) as 64 lower-case hex digits; text is taken as UTF-8. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

/** SHA-256 over bytes that come in pieces. */
export class Sha256 {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  /** How many bytes have gone in. */
  get bytes(): number {
    return this.#bytes;
  }

  update(piece: Uint8Array): this {
    this.#hash.update(piece);
    this.#bytes += piece.length;
    return this;
  }

  /** The digest of what has gone in so far; more may follow. */
  hex(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** SHA-256 of a stream, without keeping it. Rejects with what the stream rejects with. */
export async function sha256OfStream(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = new Sha256();
  for await (const piece of pieces) digest.update(piece);
  return digest.hex();
}
