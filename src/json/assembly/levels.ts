import { KIND_NONE } from './codes';
import { reserve } from './heap';
import { Tags } from './names';
import { Keep } from './plan';
import { At, LEVEL_ARRAY, LEVEL_BYTES, LEVEL_OBJECT, LEVELS, Level, S, TAGS } from './state';

/** Opens an array or object that is kept as `keep`, within the limit of depth. */
export function openLevel(kind: u32, keep: u32): void {
  const depth = S.depth + 1;
  reserve(LEVELS, depth * LEVEL_BYTES, (depth + 1) * LEVEL_BYTES);
  const around = At.level(S.depth);
  const level = At.level(depth);
  level.kind = kind;
  level.keep = keep;
  level.emitted = 0;
  level.keepChild = kind == LEVEL_ARRAY ? Keep.ofItems(keep) : keep;
  level.room = kind == LEVEL_ARRAY ? S.itemLimit : S.memberLimit;
  level.names = S.names;
  level.arena = S.arena;
  level.table = around.table + tableBytes(around);
  level.mask = 0;
  level.salt = 0;
  level.changes = 0;
  S.depth = depth;
  S.reading = kind == LEVEL_ARRAY ? 1 : 0;
}

/** Closes the innermost array or object and forgets its names. */
export function closeLevel(): void {
  const level = At.level(S.depth);
  S.names = level.names;
  Tags.clear(TAGS.base + S.names * 2);
  S.arena = level.arena;
  S.depth--;
}

/** Bytes of the table of a level. */
export function tableBytes(level: Level): u32 {
  return level.mask == 0 ? 0 : (level.mask + 1) * 4;
}

export function innermost(): Level {
  return At.level(S.depth);
}

export function isInObject(): bool {
  return innermost().kind == LEVEL_OBJECT;
}

/** A value inside the innermost level, or the document, is complete. */
export function endValue(): void {
  innermost().room -= 1;
  S.reading = 0;
}

export function noteKind(kind: u32): void {
  if (S.kind == KIND_NONE) S.kind = kind;
}
