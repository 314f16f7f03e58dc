import { randomFillSync } from 'node:crypto';

export const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9_.]{7,63}$/;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 20;

/** Random bytes are drawn in blocks: one call into the generator serves some two hundred ids. */
const pool = new Uint8Array(4_096);
let used = pool.length;

/** `req.` and 16 random letters and digits (95 bits). */
export function newRequestId(): string {
  let id = 'req.';
  while (id.length < LENGTH) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used++] as number;
    // Bytes past the largest multiple of 62 would make the first letters more likely.
    if (byte < 248) id += ALPHABET[byte % 62];
  }
  return id;
}
