import { randomBytes } from 'node:crypto';

export const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9_.]{7,63}$/;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `req.` and 16 random letters and digits (95 bits). */
export function newRequestId(): string {
  let id = 'req.';
  while (id.length < 20) {
    for (const byte of randomBytes(24)) {
      // Bytes past the largest multiple of 62 would make the first letters more likely.
      if (byte < 248 && id.length < 20) id += ALPHABET[byte % 62];
    }
  }
  return id;
}
