import { BACKSLASH, Bytes, COMMA, equalBytes, LOWER_U, QUOTE } from './bytes';
import { DROP, DUPLICATE_NAME, DUPLICATE_NAME_CASE, KEEP, OK, PROTO_NAME, SURROGATE } from './codes';
import { hashOf } from './hash';
import { reserve } from './heap';
import { fold } from './host';
import { Kept, reserveKept } from './kept';
import { innermost } from './levels';
import { addName, findName } from './names';
import { keepMember } from './plan';
import { ARENA, At, Level, S } from './state';
import { writeCodePoint } from './utf8';
import { WINDOW_BYTES } from './window';

const PROTO: usize = memory.data<u8>([0x5f, 0x5f, 0x70, 0x72, 0x6f, 0x74, 0x6f, 0x5f, 0x5f]);

/** Whether a name, with slack behind it, is `__proto__`. */
export function isProto(name: usize, length: u32): bool {
  return length == 9 && equalBytes(name, PROTO, 9);
}

/** What takeName has found, for addTakenName. */
let keyLength: u32 = 0;
let taken: u32 = 0;
let hash: u32 = 0;

/**
 * Unescapes a complete name into the arena and judges it; `sent` is where its bytes lie as they were sent, or a copy.
 * Returns a code. Nothing is added yet.
 *
 * With names compared under case folding the key of a name is its folded form; behind that are the length (4 bytes) and
 * the bytes of the name itself.
 */
export function takeName(sent: usize, sentLength: u32): u32 {
  // Unescaping makes nothing longer, folding at most doubles. What is left of the window has to find room too.
  reserve(ARENA, S.arena, S.arena + sentLength * 4 + WINDOW_BYTES);
  const key = ARENA.base + S.arena;
  const folds = S.foldNames != 0;
  let name = key;
  let length: u32;
  if (folds) {
    const scratch = key + sentLength * 2 + 16;
    length = unescape(sent, sentLength, scratch);
    keyLength = foldName(scratch, length, key);
    name = key + keyLength + 4;
    memory.copy(name, scratch, length);
    store<u32>(key + keyLength, length);
    taken = keyLength + 4 + length;
  } else {
    length = unescape(sent, sentLength, key);
    keyLength = length;
    taken = length;
  }

  const level = innermost();
  hash = hashOf(key, keyLength);
  const before = findName(level, key, keyLength, hash);
  level.keepChild = level.keep > KEEP ? keepMember(level.keep, name, length, hashOf(name, length)) : level.keep;
  if (before < 0) return judge(level, name, length);
  return !folds || isSameName(before, name, length) ? DUPLICATE_NAME : DUPLICATE_NAME_CASE;
}

/** Adds the name that was taken. */
export function addTakenName(): void {
  addName(innermost(), S.names, S.arena, keyLength, hash);
  S.names += 1;
  S.arena += taken;
  S.reading = 1;
}

function judge(level: Level, name: usize, length: u32): u32 {
  // In any object that is kept, even where the member itself would be dropped.
  if (level.keep != DROP && isProto(name, length)) return PROTO_NAME;
  return level.keepChild != DROP && S.loneSurrogate != 0 ? SURROGATE : OK;
}

/** Whether the name at an index, whose folded form is the same, is the same itself. */
function isSameName(index: u32, name: usize, length: u32): bool {
  const before = At.name(index);
  const at = ARENA.base + before.at + before.length;
  return load<u32>(at) == length && equalBytes(at + 4, name, length);
}

/** Copies the name that was taken, if its member is kept. */
export function copyName(sent: usize, length: u32): void {
  const level = innermost();
  if (level.keepChild == DROP) return;
  reserveKept(length + WINDOW_BYTES);
  if (level.keep > KEEP) {
    if (level.emitted != 0) Kept.put(COMMA);
    level.emitted = 1;
  }
  Kept.put(QUOTE);
  S.out = Kept.copy(S.out, sent, sent + length);
  Kept.put(QUOTE);
}

/** Writes what a name stands for and returns its length. Its escapes are known to be correct. */
function unescape(p: usize, length: u32, to: usize): u32 {
  const from = to;
  const end = p + length;
  if (S.escaped == 0) return <u32>(Kept.copy(to, p, end) - to);
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (byte != BACKSLASH) {
      store<u8>(to, <u8>byte);
      to++;
      p++;
      continue;
    }
    const letter: u32 = load<u8>(p + 1);
    if (letter != LOWER_U) {
      store<u8>(to, <u8>Bytes.meaning(letter));
      to++;
      p += 2;
      continue;
    }
    let codePoint = codeUnitAt(p);
    p += 6;
    if (codePoint >> 10 == 0xd800 >> 10 && p + 6 <= end && load<u16>(p) == 0x755c) {
      const low = codeUnitAt(p);
      if (low >> 10 == 0xdc00 >> 10) {
        codePoint = 0x10000 + ((codePoint & 0x3ff) << 10) + (low & 0x3ff);
        p += 6;
      }
    }
    to = writeCodePoint(to, codePoint);
  }
  return <u32>(to - from);
}

/** Of the escape that starts at `p`. */
function codeUnitAt(p: usize): u32 {
  return (
    (Bytes.hexValue(load<u8>(p + 2)) << 12) |
    (Bytes.hexValue(load<u8>(p + 3)) << 8) |
    (Bytes.hexValue(load<u8>(p + 4)) << 4) |
    Bytes.hexValue(load<u8>(p + 5))
  );
}

function foldName(name: usize, length: u32, to: usize): u32 {
  for (let i: u32 = 0; i < length; i++) {
    const byte: u32 = load<u8>(name + i);
    if (byte >= 0x80) return fold(name, length, to);
    store<u8>(to + i, <u8>(byte - 0x41 < 26 ? byte | 0x20 : byte));
  }
  return length;
}
