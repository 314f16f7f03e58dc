import { LOWER_F, LOWER_T } from './bytes';
import { DROP } from './codes';
import { Kept } from './kept';
import { S } from './state';

const TRUE: usize = memory.data<u8>([0x74, 0x72, 0x75, 0x65]);
const FALSE: usize = memory.data<u8>([0x66, 0x61, 0x6c, 0x73, 0x65]);
const NULL: usize = memory.data<u8>([0x6e, 0x75, 0x6c, 0x6c]);

/** `byte` is the first of the literal, and not read by this. */
export function openLiteral(byte: u32): void {
  S.literal = byte == LOWER_T ? TRUE : byte == LOWER_F ? FALSE : NULL;
  S.literalAt = 0;
}

/** Takes the next byte if it continues the literal. */
export function readLiteral(byte: u32): bool {
  if (byte != load<u8>(S.literal + S.literalAt)) return false;
  S.literalAt += 1;
  if (S.keep != DROP) Kept.put(byte);
  return true;
}

export function isWholeLiteral(): bool {
  return S.literalAt == (S.literal == FALSE ? 5 : 4);
}
