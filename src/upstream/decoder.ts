import {
  type BrotliDecompress,
  crc32,
  createBrotliDecompress,
  createInflateRaw,
  type InflateRaw,
} from 'node:zlib';
import { GZIP_TRAILER_BYTES, gzipHeaderLength, gzipTrailerMatches } from './gzip.js';
import type { Coding } from './types.js';

/** Wire bytes given to the decompressor at a time. */
export const BLOCK_BYTES = 4_096;
/** Most decoded bytes that come in one piece. */
export const OUTPUT_BYTES = 16_384;

export interface DecoderEvents {
  /** A piece of the decoded body, and the number of wire bytes that were given to the decompressor for it. */
  output(chunk: Uint8Array, wireBytes: number): void;
  /** Every byte is decoded, and the coding proved that it is whole. */
  done(): void;
  /** The bytes do not decode, end early, or go on after the end of the coding. Nothing follows. */
  corrupt(): void;
  /** Fewer than BLOCK_BYTES are waiting. Comes by itself, never from inside `write`. */
  hungry(): void;
}

/**
 * Decodes one body coded with gzip (RFC 1952, exactly one member) or br (RFC 7932), piece by piece.
 *
 * The wire bytes are cut into blocks at fixed offsets, one of which is decoded at a time: so what comes out, and
 * when a limit on it is found broken, does not depend on how the bytes arrived.
 */
export class Decoder {
  readonly #coding: Coding;
  readonly #events: DecoderEvents;
  readonly #engine: InflateRaw | BrotliDecompress;
  readonly #blocks: Uint8Array[] = [];
  #open = new Uint8Array(BLOCK_BYTES);
  #openBytes = 0;
  #inputEnded = false;
  /** Wire bytes taken out of the blocks. */
  #taken = 0;
  /** The block the engine has, without the gzip header. */
  #current: Uint8Array = new Uint8Array(0);
  /** Bytes given to the engine so far. */
  #fed = 0;
  #busy = false;
  /** Bytes after the end of the compressed data; undefined before it. */
  #trailer: number[] | undefined;
  #crc = 0;
  #decoded = 0;
  #closed = false;

  constructor(coding: Coding, events: DecoderEvents) {
    this.#coding = coding;
    this.#events = events;
    const options = { chunkSize: OUTPUT_BYTES };
    this.#engine = coding === 'gzip' ? createInflateRaw(options) : createBrotliDecompress(options);
    this.#engine.on('data', (chunk: Uint8Array) => this.#output(chunk));
    this.#engine.on('end', () => this.#engineEnded());
    this.#engine.on('error', () => this.#corrupt());
  }

  /** Bytes that wait to be decoded. */
  get waiting(): number {
    return this.#blocks.length * BLOCK_BYTES + this.#openBytes;
  }

  /** Takes a piece of the wire body; it is copied. */
  write(chunk: Uint8Array): void {
    if (this.#closed) return;
    if (this.#trailer !== undefined) {
      this.#readTrailer(chunk);
      return;
    }
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + BLOCK_BYTES - this.#openBytes);
      this.#open.set(part, this.#openBytes);
      this.#openBytes += part.length;
      at += part.length;
      if (this.#openBytes === BLOCK_BYTES) {
        this.#blocks.push(this.#open);
        this.#open = new Uint8Array(BLOCK_BYTES);
        this.#openBytes = 0;
      }
    }
    this.#pump();
  }

  /** The wire body is complete. */
  end(): void {
    if (this.#closed) return;
    this.#inputEnded = true;
    if (this.#trailer !== undefined) this.#finish(this.#trailer);
    else this.#pump();
  }

  /** Stops at once; no event follows. */
  destroy(): void {
    this.#closed = true;
    this.#blocks.length = 0;
    this.#engine.destroy();
  }

  #pump(): void {
    if (this.#busy || this.#closed) return;
    let block = this.#nextBlock();
    if (block === undefined) {
      if (!this.#inputEnded) return;
      this.#busy = true;
      this.#engine.end();
      return;
    }
    const first = this.#taken === 0;
    this.#taken += block.length;
    if (first && this.#coding === 'gzip') {
      // A header that is longer than a block (a file name of kilobytes) does not occur in HTTP
      const header = gzipHeaderLength(block);
      if (header === undefined) {
        this.#corrupt();
        return;
      }
      block = block.subarray(header);
    }
    this.#current = block;
    this.#fed += block.length;
    this.#busy = true;
    this.#engine.write(block, () => this.#consumed());
  }

  #nextBlock(): Uint8Array | undefined {
    const full = this.#blocks.shift();
    if (full !== undefined) return full;
    if (!this.#inputEnded || this.#openBytes === 0) return undefined;
    const rest = this.#open.subarray(0, this.#openBytes);
    this.#openBytes = 0;
    return rest;
  }

  #consumed(): void {
    // Less was consumed than given: the compressed data has ended, and the end event of the engine is on its way
    if (this.#closed || this.#engine.bytesWritten < this.#fed) return;
    this.#busy = false;
    this.#pump();
    if (!this.#closed && this.waiting < BLOCK_BYTES) this.#events.hungry();
  }

  #output(chunk: Uint8Array): void {
    if (this.#closed) return;
    if (this.#coding === 'gzip') this.#crc = crc32(chunk, this.#crc);
    this.#decoded += chunk.length;
    this.#events.output(chunk, this.#taken);
  }

  /** The compressed data is complete: what the engine left over, and all that waits or comes, stands after it. */
  #engineEnded(): void {
    if (this.#closed) return;
    const left = this.#fed - this.#engine.bytesWritten;
    this.#trailer = [];
    const after = [
      this.#current.subarray(this.#current.length - left),
      ...this.#blocks.splice(0),
      this.#open.subarray(0, this.#openBytes),
    ];
    for (const bytes of after) this.#readTrailer(bytes);
    if (this.#closed) return;
    if (this.#inputEnded) this.#finish(this.#trailer);
    else this.#events.hungry();
  }

  #readTrailer(bytes: Uint8Array): void {
    const trailer = this.#trailer;
    if (this.#closed || trailer === undefined) return;
    const expected = this.#coding === 'gzip' ? GZIP_TRAILER_BYTES : 0;
    if (trailer.length + bytes.length > expected) this.#corrupt();
    else trailer.push(...bytes);
  }

  #finish(trailer: readonly number[]): void {
    const whole =
      this.#coding === 'br' || gzipTrailerMatches(Uint8Array.from(trailer), this.#crc, this.#decoded);
    if (!whole) {
      this.#corrupt();
      return;
    }
    this.destroy();
    this.#events.done();
  }

  #corrupt(): void {
    if (this.#closed) return;
    this.destroy();
    this.#events.corrupt();
  }
}
