/**
 * The state of one scan, at fixed addresses, so that every field is one load and the host reads it too:
 * src/json/wasm/instance.ts has the offsets of what it reads.
 */

/** What the next byte belongs to; as in the plain scanner, where each is explained. */
export const DUE_VALUE: u32 = 0;
export const DUE_ITEM_OR_END: u32 = 1;
export const DUE_NAME_OR_END: u32 = 2;
export const DUE_NAME: u32 = 3;
export const DUE_COLON: u32 = 4;
export const DUE_COMMA_OR_END: u32 = 5;
export const DUE_NOTHING: u32 = 6;
export const DUE_STRING: u32 = 7;
export const DUE_NAME_TEXT: u32 = 8;
export const DUE_NUMBER: u32 = 9;
export const DUE_LITERAL: u32 = 10;
export const DUE_FOREIGN: u32 = 11;

/** A part of memory that grows; see heap.ts. */
@final
@unmanaged
export class Region {
  base: usize = 0;
  size: u32 = 0;
}


/** An open array or object, or at the bottom the document itself. 48 bytes each, on a stack. */
@final
@unmanaged
export class Level {
  /** LEVEL_DOCUMENT, LEVEL_ARRAY or LEVEL_OBJECT. */
  kind: u32 = 0;
  /** Items or members that may still come before the limit. */
  room: u32 = 0;
  /** Objects: index of the first of its names. */
  names: u32 = 0;
  /** How it is kept: DROP, KEEP or a node. */
  keep: u32 = 0;
  /** How the items, or the value of the last name, are kept. */
  keepChild: u32 = 0;
  /** Under a node: an item or member has been kept, so that the next one needs a comma. */
  emitted: u32 = 0;
  /** Objects: where in the arena its names start. */
  arena: u32 = 0;
  /** Objects: where among the tables its own starts, or would. */
  table: u32 = 0;
  /** Size of its table less one; 0: none yet. */
  mask: u32 = 0;
  /** How often the hash of its table was changed. */
  changes: u32 = 0;
  /** 0: its table goes by the hash of the names; else by another hash with this salt. */
  salt: u64 = 0;
}

export const LEVEL_BYTES: u32 = 48;
export const LEVEL_DOCUMENT: u32 = 0;
export const LEVEL_ARRAY: u32 = 1;
export const LEVEL_OBJECT: u32 = 2;

/** A member name of an open object; its bytes are in the arena. 16 bytes each, on a stack. */
@final
@unmanaged
export class Name {
  /** Where in the arena it starts. */
  at: u32 = 0;
  length: u32 = 0;
  hash: u32 = 0;
  /** In a table: index + 1 of the next name of the same bucket, or 0. */
  next: u32 = 0;

  /** In no table. */
  @inline
  set(at: u32, length: u32, hash: u32): void {
    store<u64>(changetype<usize>(this), <u64>at | (<u64>length << 32));
    store<u64>(changetype<usize>(this), <u64>hash, 8);
  }
}

export const NAME_BYTES: u32 = 16;

@final
@unmanaged
export class State {
  // What the host reads, at the offsets that src/json/wasm/instance.ts has.
  faultOffset: f64 = 0;
  /** Line feeds before the window. */
  lineFeeds: f64 = 0;
  /** Offset of the byte after the last line feed before the window. */
  lineStart: f64 = 0;
  /** Offset of the first byte of the window. */
  base: f64 = 0;
  faultCode: u32 = 0;
  kind: u32 = 0;
  depth: u32 = 0;
  /** A value of the innermost level is being read or is due. */
  reading: u32 = 0;
  /** Names of all open objects. */
  names: u32 = 0;
  /** Where the kept part starts and ends. */
  kept: usize = 0;
  out: usize = 0;
  /** Bytes that the UTF-8 sequence at hand lacks. */
  missing: u32 = 0;

  due: u32 = 0;
  /** Where the arena is free. */
  arena: u32 = 0;
  /** Values and names that may still come before the limit. */
  tokens: u32 = 0;
  /** Offset of the first byte of the value or name at hand, in the body. */
  start: f64 = 0;
  /** How the value at hand is kept. */
  keep: u32 = 0;
  /** The window has white space, hence perhaps line feeds. */
  sawBlank: u32 = 0;
  /** The window is UTF-8, cut between characters. */
  trusted: u32 = 0;

  // The string or name at hand.
  part: u32 = 0;
  /** Bytes as sent, so far; of a number too. */
  length: u32 = 0;
  hexDigits: u32 = 0;
  codeUnit: u32 = 0;
  highSurrogate: u32 = 0;
  loneSurrogate: u32 = 0;
  escaped: u32 = 0;
  // The UTF-8 sequence at hand.
  lowest: u32 = 0;
  highest: u32 = 0;
  codePoint: u32 = 0;
  sequenceStart: f64 = 0;
  // The number or literal at hand.
  numberPart: u32 = 0;
  /** Where in the kept part its lexeme starts. */
  lexeme: u32 = 0;
  literal: usize = 0;
  literalAt: u32 = 0;

  // The plan in use, and what is often asked of it.
  plan: usize = 0;
  depthLimit: u32 = 0;
  memberLimit: u32 = 0;
  itemLimit: u32 = 0;
  nameLimit: u32 = 0;
  stringLimit: u32 = 0;
  numberLimit: u32 = 0;
  numbersAsStrings: u32 = 0;
  foldNames: u32 = 0;

  // Of the fast path: see there.
  plainNames: u32 = 0;
  lastLevel: usize = 0;
  run: usize = 0;
  salt: u64 = 0;
}

/** What one route wants: limits, options, and the nodes of its projection behind it. */
@final
@unmanaged
export class Plan {
  keep: u32 = 0;
  depth: u32 = 0;
  members: u32 = 0;
  items: u32 = 0;
  tokens: u32 = 0;
  nameBytes: u32 = 0;
  stringBytes: u32 = 0;
  numberBytes: u32 = 0;
  numbersAsStrings: u32 = 0;
  foldNames: u32 = 0;
}

export const S: State = changetype<State>(memory.data(512, 16));

export const LEVELS: Region = changetype<Region>(memory.data(8, 4));
export const NAMES: Region = changetype<Region>(memory.data(8, 4));
/** The lower 16 bits of each name's hash, side by side to be compared at once. */
export const TAGS: Region = changetype<Region>(memory.data(8, 4));
/** The names of open objects after unescaping. */
export const ARENA: Region = changetype<Region>(memory.data(8, 4));
/** Hash tables of large objects, each behind that of the object around. */
export const TABLES: Region = changetype<Region>(memory.data(8, 4));
/** The kept part. */
export const KEPT: Region = changetype<Region>(memory.data(8, 4));
/** A name as sent that goes over a window. */
export const RAW: Region = changetype<Region>(memory.data(8, 4));

@final
@unmanaged
export class At {
  @inline
  static level(depth: u32): Level {
    return changetype<Level>(LEVELS.base + depth * LEVEL_BYTES);
  }

  @inline
  static name(index: u32): Name {
    return changetype<Name>(NAMES.base + index * NAME_BYTES);
  }

  @inline
  static plan(): Plan {
    return changetype<Plan>(S.plan);
  }
}
