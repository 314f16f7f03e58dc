import {
  BACKSLASH,
  Bytes,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  IS_AFTER_NUMBER,
  IS_SHORT_ESCAPE,
  LOWER_E,
  MINUS,
  OPEN_BRACE,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  ZERO,
} from './bytes';
import { DROP, KEEP, KIND_ARRAY, KIND_LITERAL, KIND_NUMBER, KIND_OBJECT, KIND_STRING } from './codes';
import { isProto } from './exact-name';
import { VERDICT_EXACT } from './exact-number';
import { Hash, hashOf, KEYS } from './hash';
import { verdict } from './host';
import { Kept } from './kept';
import { noteKind } from './levels';
import { addToTable, findByTag, LINEAR } from './names';
import { Keep, keepMember } from './plan';
import { Text } from './text';
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

/**
 * Reads whole tokens, many bytes at once, and decides only what is in order: at anything else - a token that the window
 * cuts, a rare spelling, a limit, any error - it stops before that token and leaves it to the exact rules.
 *
 * It starts where an item, the document or the opening quote of a name stands at `p`, in a window of UTF-8.
 *
 * What is kept is copied in runs: `run` is where the bytes start that are yet to be copied, or 0 where none are. Inside
 * of what is kept whole a run goes on over brackets, commas and colons, and is only cut by white space.
 */
export function readFast(p: usize): usize {
  const plan = At.plan();
  const nameLimit = plan.nameBytes;
  const stringLimit = plan.stringBytes;
  const numberLimit = plan.numberBytes;
  const asStrings = plan.numbersAsStrings != 0;
  // Behind this one no level may be opened here: the limit, or memory that has yet to grow.
  const deepest = min(plan.depth, LEVELS.size / LEVEL_BYTES - 2);
  const lastLevel = LEVELS.base + deepest * LEVEL_BYTES;
  const names = NAMES.base;
  const tags = TAGS.base;
  const arenaBase = ARENA.base;

  let level = At.level(S.depth);
  let isObject = level.kind == LEVEL_OBJECT;
  let keepLevel = level.keep;
  let keep = level.keepChild;
  let room = level.room;
  let tokens = S.tokens;
  // Place of the next tag, and of the first one of this object.
  let tag = tags + S.names * 2;
  let firstTag = tags + level.names * 2;
  let arena = arenaBase + S.arena;
  let out = S.out;
  let run: usize = keepLevel == KEEP ? p : 0;

  while (true) {
    let byte: u32;
    if (isObject) {
      if (room == 0 || tokens == 0) {
        return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
      }
      const start = p + 1;
      let end: usize;
      let length: u32;
      let hash: u32;
      const text = v128.load(start);
      const stops: u32 = Text.stops(text);
      if (stops != 0) {
        length = ctz(stops);
        end = start + length;
        if (load<u8>(end) != QUOTE) return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
        const only = v128.and(text, Bytes.firstOnes(length));
        v128.store(arena, only);
        hash = Hash.finish(Hash.sum(Hash.products(only, v128.load(KEYS))), length);
      } else {
        end = Text.skip(start + 16);
        length = <u32>(end - start);
        if (load<u8>(end) != QUOTE) return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
        Kept.copy(arena, start, end);
        hash = hashOf(arena, length);
      }
      if (length > nameLimit) return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
      if (keepLevel != DROP && length == 9 && isProto(arena, length)) {
        return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
      }
      const index = <u32>(tag - tags) >> 1;
      const at = <u32>(arena - arenaBase);
      if (<u32>(tag - firstTag) < LINEAR * 2) {
        const like = i16x8.splat(<i16>hash);
        let same = i16x8.splat(0);
        for (let i = firstTag; i < tag; i += 16) same = v128.or(same, i16x8.eq(like, v128.load(i)));
        if (v128.any_true(same) && findByTag(<u32>(firstTag - tags) >> 1, index, arena, length, hash) >= 0) {
          return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
        }
        store<u16>(tag, <u16>hash);
        const name = changetype<Name>(names + index * NAME_BYTES);
        name.at = at;
        name.length = length;
        name.hash = hash;
      } else if (!addToTable(level, index, at, length, hash)) {
        return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
      }
      if (keepLevel > KEEP) {
        keep = keepMember(keepLevel, arena, length, hash);
        if (keep != DROP) {
          if (level.emitted != 0) {
            store<u8>(out, <u8>COMMA);
            out++;
          }
          level.emitted = 1;
          run = p;
        }
      }
      tag += 2;
      arena += length;
      tokens--;

      p = end + 1;
      byte = load<u8>(p);
      if (byte <= SPACE) {
        if (run != 0) out = Kept.copy(out, run, p);
        p = Text.skipBlank(p);
        if (run != 0) run = p;
        byte = load<u8>(p);
      }
      if (byte != COLON) return leave(p, DUE_COLON, level, room, tokens, keep, tag, arena, out, run);
      p++;
      byte = load<u8>(p);
      if (byte <= SPACE) {
        if (run != 0) out = Kept.copy(out, run, p);
        p = Text.skipBlank(p);
        if (run != 0) run = p;
        byte = load<u8>(p);
      }
    } else {
      if (room == 0) return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
      byte = load<u8>(p);
    }
    if (tokens == 0) return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);

    // The value that starts at p with `byte`.
    if ((byte | 0x20) == OPEN_BRACE) {
      if (changetype<usize>(level) >= lastLevel) {
        return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
      }
      if (level.kind == LEVEL_DOCUMENT) noteKind(byte == OPEN_BRACE ? KIND_OBJECT : KIND_ARRAY);
      if (keep != DROP) {
        if (run == 0) {
          out = putComma(level, out);
          run = p;
        }
        if (keep > KEEP) {
          out = Kept.copy(out, run, p + 1);
          run = 0;
        }
      }
      p++;
      tokens--;
      level.room = room;
      level.keepChild = keep;
      const table = level.table + (level.mask == 0 ? 0 : (level.mask + 1) * 4);
      level = changetype<Level>(changetype<usize>(level) + LEVEL_BYTES);
      level.keep = keep;
      level.emitted = 0;
      level.names = <u32>(tag - tags) >> 1;
      level.arena = <u32>(arena - arenaBase);
      level.table = table;
      level.mask = 0;
      level.salt = 0;
      level.changes = 0;
      keepLevel = keep;
      isObject = byte == OPEN_BRACE;
      if (isObject) {
        level.kind = LEVEL_OBJECT;
        room = plan.members;
        firstTag = tag;
      } else {
        level.kind = LEVEL_ARRAY;
        room = plan.items;
        keep = Keep.ofItems(keep);
      }
      byte = load<u8>(p);
      if (byte <= SPACE) {
        if (run != 0) out = Kept.copy(out, run, p);
        p = Text.skipBlank(p);
        if (run != 0) run = p;
        byte = load<u8>(p);
      }
      if (isObject) {
        if (byte == QUOTE) continue;
        if (byte != CLOSE_BRACE) {
          return leave(p, DUE_NAME_OR_END, level, room, tokens, keep, tag, arena, out, run);
        }
      } else {
        if (byte == 0) return leave(p, DUE_ITEM_OR_END, level, room, tokens, keep, tag, arena, out, run);
        if (byte != CLOSE_BRACKET) continue;
      }
      // Empty: closed below.
    } else {
      let end = p;
      if (byte == QUOTE) {
        end = p + 1;
        let lone = false;
        while (true) {
          end = Text.skip(end);
          byte = load<u8>(end);
          if (byte == QUOTE) break;
          if (byte != BACKSLASH) return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
          if (Bytes.hasClass(load<u8>(end + 1), IS_SHORT_ESCAPE)) {
            end += 2;
            continue;
          }
          const unit = Text.hexEscape(end);
          if (unit > 0xffff) return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
          end += 6;
          if (unit >> 11 != 0xd800 >> 11) continue;
          // RFC 8259 section 7: a high surrogate and a low one right behind are one character.
          if (unit < 0xdc00 && Text.hexEscape(end) >> 10 == 0xdc00 >> 10) end += 6;
          else lone = true;
        }
        if (<u32>(end - p) - 1 > stringLimit || (lone && keep != DROP)) {
          return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
        }
        end++;
        if (level.kind == LEVEL_DOCUMENT) noteKind(KIND_STRING);
      } else if (byte - ZERO < 10 || byte == MINUS) {
        if (byte == MINUS) {
          end++;
          byte = load<u8>(end);
        }
        let digits = Text.digits(end);
        if (digits == 0 || (byte == ZERO && digits > 1)) {
          return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
        }
        end += digits;
        byte = load<u8>(end);
        if (byte == POINT) {
          const fraction = Text.digits(end + 1);
          if (fraction == 0) return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
          digits += fraction;
          end += fraction + 1;
          byte = load<u8>(end);
        }
        if ((byte | 0x20) == LOWER_E) {
          byte = load<u8>(end + 1);
          const sign: u32 = byte == PLUS || byte == MINUS ? 1 : 0;
          const exponent = Text.digits(end + 1 + sign);
          if (exponent == 0) return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
          end += 1 + sign + exponent;
          byte = load<u8>(end);
          digits = CERTAIN_DIGITS + 1;
        }
        // A number that is the document goes on to the end of the body.
        if (!Bytes.hasClass(byte, IS_AFTER_NUMBER) || <u32>(end - p) > numberLimit || level.kind == LEVEL_DOCUMENT) {
          return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
        }
        if (keep != DROP) {
          if (asStrings) {
            if (run == 0) out = putComma(level, out);
            else out = Kept.copy(out, run, p);
            store<u8>(out, <u8>QUOTE);
            out = Kept.copy(out + 1, p, end);
            store<u8>(out, <u8>QUOTE);
            out++;
            run = end;
          } else if (digits > CERTAIN_DIGITS && verdict(p, <u32>(end - p)) != VERDICT_EXACT) {
            return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
          }
        }
      } else {
        const word = load<u32>(p);
        if (word == WORD_TRUE || word == WORD_NULL) end = p + 4;
        else if (word == WORD_FALS && load<u8>(p + 4) == LOWER_E) end = p + 5;
        else return leave(p, DUE_VALUE, level, room, tokens, keep, tag, arena, out, run);
        if (level.kind == LEVEL_DOCUMENT) noteKind(KIND_LITERAL);
      }
      if (keep != DROP) {
        if (run == 0) {
          out = putComma(level, out);
          out = Kept.copy(out, p, end);
        } else if (keepLevel != KEEP) {
          out = Kept.copy(out, run, end);
          run = 0;
        }
      }
      tokens--;
      room--;
      p = end;
      if (level.kind == LEVEL_DOCUMENT) {
        return leave(p, DUE_NOTHING, level, room, tokens, keep, tag, arena, out, run);
      }
      byte = load<u8>(p);
    }

    // A value is complete, or an array or object empty: closes what ends here, up to the next comma.
    while (true) {
      if (byte <= SPACE) {
        if (run != 0) out = Kept.copy(out, run, p);
        p = Text.skipBlank(p);
        if (run != 0) run = p;
        byte = load<u8>(p);
      }
      if (byte == COMMA) {
        p++;
        byte = load<u8>(p);
        if (byte <= SPACE) {
          if (run != 0) out = Kept.copy(out, run, p);
          p = Text.skipBlank(p);
          if (run != 0) run = p;
          byte = load<u8>(p);
        }
        if (isObject && byte != QUOTE) {
          return leave(p, DUE_NAME, level, room, tokens, keep, tag, arena, out, run);
        }
        break;
      }
      if (byte != (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        return leave(p, DUE_COMMA_OR_END, level, room, tokens, keep, tag, arena, out, run);
      }
      p++;
      if (keepLevel > KEEP) {
        store<u8>(out, <u8>byte);
        out++;
      }
      tag = tags + level.names * 2;
      arena = arenaBase + level.arena;
      level = changetype<Level>(changetype<usize>(level) - LEVEL_BYTES);
      keepLevel = level.keep;
      keep = level.keepChild;
      room = level.room - 1;
      if (run != 0 && keepLevel != KEEP) {
        out = Kept.copy(out, run, p);
        run = 0;
      }
      if (level.kind == LEVEL_DOCUMENT) {
        return leave(p, DUE_NOTHING, level, room, tokens, keep, tag, arena, out, run);
      }
      isObject = level.kind == LEVEL_OBJECT;
      firstTag = tags + level.names * 2;
      byte = load<u8>(p);
    }
  }
}

/** So many decimal digits come back unchanged from a double, wherever the point is among them (IEEE 754, DBL_DIG). */
const CERTAIN_DIGITS: u32 = 15;

const WORD_TRUE: u32 = 0x65757274;
const WORD_NULL: u32 = 0x6c6c756e;
const WORD_FALS: u32 = 0x736c6166;

/** Before an item of an array that is kept under a node. */
function putComma(level: Level, out: usize): usize {
  if (level.emitted != 0) {
    store<u8>(out, <u8>COMMA);
    out++;
  }
  level.emitted = 1;
  return out;
}

/** Writes the state back. */
function leave(
  p: usize,
  due: u32,
  level: Level,
  room: u32,
  tokens: u32,
  keep: u32,
  tag: usize,
  arena: usize,
  out: usize,
  run: usize,
): usize {
  if (run != 0) out = Kept.copy(out, run, p);
  level.room = room;
  level.keepChild = keep;
  S.due = due;
  S.reading = due == DUE_VALUE || due == DUE_ITEM_OR_END || due == DUE_COLON ? 1 : 0;
  S.depth = <u32>(changetype<usize>(level) - LEVELS.base) / LEVEL_BYTES;
  S.tokens = tokens;
  S.names = <u32>(tag - TAGS.base) >> 1;
  S.arena = <u32>(arena - ARENA.base);
  S.out = out;
  return p;
}
