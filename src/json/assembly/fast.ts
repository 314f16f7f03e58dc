import {
  Bytes,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  IS_AFTER_NUMBER,
  LOWER_E,
  MINUS,
  OPEN_BRACE,
  QUOTE,
  SPACE,
  ZERO,
} from './bytes';
import { DROP, KEEP, KIND_ARRAY, KIND_OBJECT, OK } from './codes';
import { isHeld } from './exact-number';
import { Hash, hashOf, KEYS } from './hash';
import { Kept } from './kept';
import { noteKind } from './levels';
import { addTakenName, isProto, takeName } from './name';
import { addToTable, findByTag, LINEAR, Tags } from './names';
import { DOUBTFUL, Num } from './number';
import { Keep } from './plan';
import { Run } from './run';
import {
  ARENA,
  At,
  DUE_COLON,
  DUE_COMMA_OR_END,
  DUE_ITEM_OR_END,
  DUE_NAME,
  DUE_NAME_OR_END,
  DUE_NOTHING,
  DUE_VALUE,
  LEVEL_ARRAY,
  LEVEL_BYTES,
  LEVEL_DOCUMENT,
  LEVEL_OBJECT,
  LEVELS,
  Level,
  NAME_BYTES,
  NAMES,
  Name,
  S,
  TAGS,
} from './state';
import { Text } from './text';

const WORD_TRUE: u32 = 0x65757274;
const WORD_NULL: u32 = 0x6c6c756e;
const WORD_FALS: u32 = 0x736c6166;

/**
 * Reads whole tokens, many bytes at once, and decides only what is in order: at anything else - a token that the window
 * cuts, a rare spelling, a limit, any error - it stops before that token and leaves it to the exact rules.
 *
 * It starts in a window of UTF-8 where at `p` there is an item, the opening quote of a name, or a document that is an array
 * or object.
 *
 * Few things are local: those that each step waits for. The others are as near in memory as they would be on the stack.
 */
export function readFast(p: usize): usize {
  let level = At.level(S.depth);
  // Free places of the tags and of the arena.
  let tag = TAGS.base + S.names * 2;
  let arena = ARENA.base + S.arena;
  // Behind this one no level may be opened here: the limit, or memory that has yet to grow.
  S.lastLevel = LEVELS.base + min(S.depthLimit, LEVELS.size / LEVEL_BYTES - 2) * LEVEL_BYTES;
  S.run = level.keep == KEEP ? p : 0;

  let byte: u32 = load<u8>(p);

  while (true) {
    if (level.kind == LEVEL_OBJECT) {
      // A member, from the opening quote of its name.
      if (u32(byte != QUOTE) | u32(level.room == 0) | u32(S.tokens == 0)) return leave(p, DUE_NAME, level, tag, arena);
      const start = p + 1;
      let end: usize;
      let length: u32;
      let hash: u32;
      const text = v128.load(start);
      const stops: u32 = Text.stops(text);
      if (stops != 0) {
        length = ctz(stops);
        end = start + length;
        const name = v128.and(text, Bytes.firstOnes(length));
        v128.store(arena, name);
        hash = Hash.finish(Hash.sum(Hash.products(name, v128.load(KEYS))), length);
      } else {
        end = Text.skip(start + 16);
        length = <u32>(end - start);
        Kept.copy(arena, start, end);
        hash = hashOf(arena, length);
      }
      if (u32(load<u8>(end) == QUOTE) & u32(length < S.plainNames)) {
        const keepLevel = level.keep;
        if (u32(length == 9) & u32(keepLevel != DROP)) {
          if (isProto(arena, length)) return leave(p, DUE_NAME, level, tag, arena);
        }
        const index = <u32>(tag - TAGS.base) >> 1;
        const at = <u32>(arena - ARENA.base);
        const first = TAGS.base + level.names * 2;
        if (<u32>(tag - first) < LINEAR * 2) {
          if (Tags.has(first, tag, hash)) {
            if (findByTag(level.names, index, arena, length, hash) >= 0) return leave(p, DUE_NAME, level, tag, arena);
          }
          Tags.put(tag, hash);
          const name = changetype<Name>(NAMES.base + index * NAME_BYTES);
          name.set(at, length, hash);
        } else if (!addToTable(level, index, at, length, hash)) {
          return leave(p, DUE_NAME, level, tag, arena);
        }
        if (keepLevel > KEEP) {
          const keep = Keep.ofMember(keepLevel, arena, length, hash);
          level.keepChild = keep;
          if (keep != DROP) {
            putComma(level);
            S.run = p;
          }
        }
        tag += 2;
        arena += length;
      } else {
        end = readName(start, level, tag, arena);
        // The arena may have moved, whatever came of it.
        tag = TAGS.base + S.names * 2;
        arena = ARENA.base + S.arena;
        if (end == 0) return leave(p, DUE_NAME, level, tag, arena);
      }
      S.tokens -= 1;

      p = end + 1;
      byte = load<u8>(p);
      if (byte <= SPACE) {
        p = Run.skipBlank(p);
        byte = load<u8>(p);
      }
      if (byte != COLON) return leave(p, DUE_COLON, level, tag, arena);
      p++;
      byte = load<u8>(p);
      if (byte <= SPACE) {
        p = Run.skipBlank(p);
        byte = load<u8>(p);
      }
    } else if (level.room == 0) {
      return leave(p, DUE_VALUE, level, tag, arena);
    }
    if (S.tokens == 0) return leave(p, DUE_VALUE, level, tag, arena);

    // The value that starts at p with `byte`.
    if ((byte | 0x20) == OPEN_BRACE) {
      if (changetype<usize>(level) >= S.lastLevel) return leave(p, DUE_VALUE, level, tag, arena);
      if (level.kind == LEVEL_DOCUMENT) noteKind(byte == OPEN_BRACE ? KIND_OBJECT : KIND_ARRAY);
      const keep = level.keepChild;
      if (keep != DROP) {
        if (S.run == 0) {
          putComma(level);
          S.run = p;
        }
        if (keep > KEEP) Run.end(p + 1);
      }
      p++;
      S.tokens -= 1;
      const table = level.table + (level.mask == 0 ? 0 : (level.mask + 1) * 4);
      level = changetype<Level>(changetype<usize>(level) + LEVEL_BYTES);
      level.keep = keep;
      level.emitted = 0;
      level.names = <u32>(tag - TAGS.base) >> 1;
      level.arena = <u32>(arena - ARENA.base);
      level.table = table;
      level.mask = 0;
      level.salt = 0;
      level.changes = 0;
      const isObject = byte == OPEN_BRACE;
      if (isObject) {
        level.kind = LEVEL_OBJECT;
        level.room = S.memberLimit;
        level.keepChild = keep;
      } else {
        level.kind = LEVEL_ARRAY;
        level.room = S.itemLimit;
        level.keepChild = Keep.ofItems(keep);
      }
      byte = load<u8>(p);
      if (byte <= SPACE) {
        p = Run.skipBlank(p);
        byte = load<u8>(p);
      }
      if (isObject) {
        if (byte == QUOTE) continue;
        if (byte != CLOSE_BRACE) return leave(p, DUE_NAME_OR_END, level, tag, arena);
      } else {
        if (byte == 0) return leave(p, DUE_ITEM_OR_END, level, tag, arena);
        if (byte != CLOSE_BRACKET) continue;
      }
      // Empty: closed below.
    } else {
      let end = p;
      if (byte == QUOTE) {
        end = Text.endOfString(p + 1);
        if (u32(end == 0) | u32(<u32>(end - p) - 1 > S.stringLimit)) return leave(p, DUE_VALUE, level, tag, arena);
        if (S.loneSurrogate != 0) {
          if (level.keepChild != DROP) return leave(p, DUE_VALUE, level, tag, arena);
        }
        end++;
      } else if (byte - ZERO < 10 || byte == MINUS) {
        const number = Num.read(p, byte);
        const length = number & ~DOUBTFUL;
        end = p + length;
        byte = load<u8>(end);
        if (u32(number == 0) | u32(!Bytes.hasClass(byte, IS_AFTER_NUMBER)) | u32(length > S.numberLimit)) {
          return leave(p, DUE_VALUE, level, tag, arena);
        }
        if (level.keepChild != DROP) {
          if (S.numbersAsStrings != 0) putQuoted(level, p, end);
          else if ((number & DOUBTFUL) != 0) {
            if (!isHeld(p, length)) return leave(p, DUE_VALUE, level, tag, arena);
          }
        }
      } else {
        const word = load<u32>(p);
        if (word == WORD_TRUE || word == WORD_NULL) end = p + 4;
        else if (word == WORD_FALS && load<u8>(p + 4) == LOWER_E) end = p + 5;
        else return leave(p, DUE_VALUE, level, tag, arena);
      }
      if (level.keep != KEEP) {
        if (level.keepChild != DROP) {
          if (S.run == 0) {
            putComma(level);
            S.run = p;
          }
          Run.end(end);
        }
      }
      S.tokens -= 1;
      level.room -= 1;
      p = end;
      byte = load<u8>(p);
    }

    // A value is complete, or an array or object empty: closes what ends here, up to the next comma.
    while (true) {
      if (byte <= SPACE) {
        p = Run.skipBlank(p);
        byte = load<u8>(p);
      }
      if (byte == COMMA) {
        p++;
        byte = load<u8>(p);
        if (byte <= SPACE) {
          p = Run.skipBlank(p);
          byte = load<u8>(p);
        }
        break;
      }
      if (byte != (level.kind == LEVEL_OBJECT ? CLOSE_BRACE : CLOSE_BRACKET)) {
        return leave(p, DUE_COMMA_OR_END, level, tag, arena);
      }
      p++;
      const keep = level.keep;
      if (keep > KEEP) Kept.put(byte);
      tag = TAGS.base + level.names * 2;
      Tags.clear(tag);
      arena = ARENA.base + level.arena;
      level = changetype<Level>(changetype<usize>(level) - LEVEL_BYTES);
      level.room -= 1;
      if (keep == KEEP && level.keep != KEEP) Run.end(p);
      if (level.kind == LEVEL_DOCUMENT) return leave(p, DUE_NOTHING, level, tag, arena);
      byte = load<u8>(p);
    }
  }
}

/**
 * A name that has escapes, or is compared under case folding: reads it from behind its opening quote and does all
 * that is to be done with it. Returns where its closing quote is, or 0 where it is left to the exact rules.
 */
function readName(start: usize, level: Level, tag: usize, arena: usize): usize {
  S.depth = <u32>(changetype<usize>(level) - LEVELS.base) / LEVEL_BYTES;
  S.names = <u32>(tag - TAGS.base) >> 1;
  S.arena = <u32>(arena - ARENA.base);
  const end = Text.endOfString(start);
  if (end == 0) return 0;
  const length = <u32>(end - start);
  if (length > S.nameLimit) return 0;
  if (takeName(start, length) != OK) return 0;
  addTakenName();
  // A run that is under way takes the name along.
  if (level.keep > KEEP) {
    if (level.keepChild == DROP) return end;
    putComma(level);
    S.run = start - 1;
  }
  return end;
}

/** Before an item or member that is kept under a node. */
function putComma(level: Level): void {
  if (level.keep <= KEEP) return;
  if (level.emitted != 0) Kept.put(COMMA);
  level.emitted = 1;
}

/** A kept number as a string. */
function putQuoted(level: Level, from: usize, to: usize): void {
  if (S.run == 0) putComma(level);
  else Run.end(from);
  Kept.put(QUOTE);
  S.out = Kept.copy(S.out, from, to);
  Kept.put(QUOTE);
  S.run = to;
}

/** Writes the state back. */
function leave(p: usize, due: u32, level: Level, tag: usize, arena: usize): usize {
  if (S.run != 0) Run.end(p);
  S.due = due;
  S.reading = due == DUE_VALUE || due == DUE_ITEM_OR_END || due == DUE_COLON ? 1 : 0;
  S.depth = <u32>(changetype<usize>(level) - LEVELS.base) / LEVEL_BYTES;
  S.names = <u32>(tag - TAGS.base) >> 1;
  S.arena = <u32>(arena - ARENA.base);
  return p;
}
