import { equalBytes } from './bytes';
import { nextSalt, saltedHash } from './hash';
import { reserve } from './heap';
import { ARENA, At, Level, NAMES, NAME_BYTES, S, TABLES, TAGS } from './state';

/**
 * The names of the object at hand. Up to LINEAR of them are told apart by their tags, many at once; more go into a
 * table of chains, which grows in place: only the innermost object gets new names, and its table lies on top. Equality
 * is always confirmed on the bytes.
 */

export const LINEAR: u32 = 128;

/**
 * Chains are short by the hash being keyed. A longer one than this means bad luck or a known key; the table then goes by
 * another hash, so that it takes constant time again.
 */
const LONGEST_CHAIN: u32 = 32;
const MOST_SALTS: u32 = 8;

@final
@unmanaged
export class Tags {
  /** Whether one of the tags from `from` to before `to`, behind which is a clear one, may be that of this hash. */
  @inline
  static has(from: usize, to: usize, hash: u32): bool {
    const like = i16x8.splat(<i16>Tags.of(hash));
    let same = i16x8.splat(0);
    for (let i = from; i < to; i += 16) same = v128.or(same, i16x8.eq(like, v128.load(i)));
    return v128.any_true(same);
  }

  /** Writes a tag, and clears the seven behind it. */
  @inline
  static put(to: usize, hash: u32): void {
    v128.store(to, i32x4.replace_lane(i32x4.splat(0), 0, Tags.of(hash)));
  }

  @inline
  static clear(to: usize): void {
    v128.store(to, i32x4.splat(0));
  }

  /** Never zero, which is what no tag is. */
  @inline
  static of(hash: u32): u32 {
    return (hash & 0xffff) | 1;
  }
}

/** Index of the name that equals this key, among those of the level, or -1. */
export function findName(level: Level, key: usize, length: u32, hash: u32): i32 {
  return level.mask == 0
    ? findByTag(level.names, S.names, key, length, hash)
    : findInTable(level, key, length, bucketHash(level, key, length, hash));
}

/** Among the names from index `from` to before `to`. */
export function findByTag(from: u32, to: u32, key: usize, length: u32, hash: u32): i32 {
  const tags = i16x8.splat(<i16>Tags.of(hash));
  for (let i = from; i < to; i += 8) {
    let same: u32 = i16x8.bitmask(i16x8.eq(tags, v128.load(TAGS.base + i * 2)));
    while (same != 0) {
      const index = i + ctz(same);
      // Behind the last tag there is what was left there.
      if (index < to && isName(index, key, length, hash)) return index;
      same &= same - 1;
    }
  }
  return -1;
}

function isName(index: u32, key: usize, length: u32, hash: u32): bool {
  const name = At.name(index);
  return name.hash == hash && name.length == length && equalBytes(ARENA.base + name.at, key, length);
}

/** Adds a name that is new and lies on top of the arena, at `at`, to the level. Names have room for it. */
export function addName(level: Level, index: u32, at: u32, length: u32, hash: u32): void {
  const name = At.name(index);
  name.at = at;
  name.length = length;
  name.hash = hash;
  name.next = 0;
  Tags.put(TAGS.base + index * 2, hash);
  const count = index + 1 - level.names;
  if (count > level.mask && count > LINEAR) rebuildTable(level, index + 1, count * 4);
  else if (level.mask != 0) {
    link(level, index, bucketHash(level, ARENA.base + at, length, hash));
  }
}

/** For the object with many names: adds the name unless it is there. `at` is the free end of the arena. */
export function addToTable(level: Level, index: u32, at: u32, length: u32, hash: u32): bool {
  S.names = index;
  if (findName(level, ARENA.base + at, length, hash) >= 0) return false;
  addName(level, index, at, length, hash);
  return true;
}

/** Makes room for `more` names. */
export function reserveNames(more: u32): void {
  const names = S.names;
  reserve(NAMES, names * NAME_BYTES, (names + more) * NAME_BYTES);
  reserve(TAGS, names * 2, (names + more) * 2);
  Tags.clear(TAGS.base + names * 2);
}

function bucketHash(level: Level, key: usize, length: u32, hash: u32): u32 {
  return level.salt == 0 ? hash : saltedHash(key, length, level.salt);
}

function bucket(level: Level, hash: u32): usize {
  return TABLES.base + level.table + (hash & level.mask) * 4;
}

function link(level: Level, index: u32, hash: u32): void {
  const head = bucket(level, hash);
  At.name(index).next = load<u32>(head);
  store<u32>(head, index + 1);
}

function findInTable(level: Level, key: usize, length: u32, hash: u32): i32 {
  let steps: u32 = 0;
  let next = load<u32>(bucket(level, hash));
  while (next != 0) {
    const name = At.name(next - 1);
    if (name.length == length && equalBytes(ARENA.base + name.at, key, length)) return next - 1;
    next = name.next;
    steps++;
  }
  if (steps > LONGEST_CHAIN) changeHash(level);
  return -1;
}

/** Puts all names of the level, up to before index `to`, into a table of at least `size` buckets. */
function rebuildTable(level: Level, to: u32, size: u32): void {
  size = 1 << (32 - clz(size - 1));
  reserve(TABLES, level.table, level.table + size * 4);
  level.mask = size - 1;
  memory.fill(TABLES.base + level.table, 0, size * 4);
  for (let i = level.names; i < to; i++) {
    const name = At.name(i);
    link(level, i, bucketHash(level, ARENA.base + name.at, name.length, name.hash));
  }
}

function changeHash(level: Level): void {
  if (level.changes == MOST_SALTS) return;
  level.changes++;
  level.salt = nextSalt();
  rebuildTable(level, S.names, level.mask + 1);
}
