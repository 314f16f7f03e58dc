import { initBytes } from './bytes';
import { ASK_UTF8, EMPTY, KIND_NONE, OK, TRUNCATED, UTF8 } from './codes';
import { finishNumber, isFastPlace, readExactly } from './exact';
import { isCompleteNumber } from './exact-number';
import { readFast } from './fast';
import { refuse } from './fault';
import { hashOf, KEYS } from './hash';
import { allocate, release, reserve, SLACK } from './heap';
import { isSurelyHeld } from './held';
import { reserveKept } from './kept';
import { countLines } from './lines';
import { reserveNames, Tags } from './names';
import { enter as enterMember } from './plan';
import {
  ARENA,
  At,
  DUE_FOREIGN,
  DUE_NOTHING,
  DUE_NUMBER,
  DUE_VALUE,
  KEPT,
  LEVEL_BYTES,
  LEVEL_DOCUMENT,
  LEVELS,
  NAMES,
  Plan,
  RAW,
  S,
  State,
  TABLES,
  TAGS,
} from './state';
import { initVectors } from './vectors';
import { WINDOW, WINDOW_BYTES } from './window';

/** What the host calls. It reads the state and the regions at the places given by `state` and `regions`. */

export function state(): usize {
  return changetype<usize>(S);
}

export function window(): usize {
  return WINDOW;
}

export function windowBytes(): u32 {
  return WINDOW_BYTES;
}

/** Where the host puts the random keys of the hash: 272 bytes. */
export function keys(): usize {
  return KEYS;
}

export function levels(): usize {
  return LEVELS.base;
}

export function names(): usize {
  return NAMES.base;
}

export function arena(): usize {
  return ARENA.base;
}

export { allocate, release, hashOf, isSurelyHeld };

export function init(): void {
  initBytes();
  initVectors();
  reserve(LEVELS, 0, 64 * LEVEL_BYTES);
  reserve(NAMES, 0, 1 << 12);
  reserve(TAGS, 0, 1 << 10);
  reserve(ARENA, 0, 1 << 12);
  reserve(TABLES, 0, 1 << 10);
  reserve(KEPT, 0, 1 << 12);
  reserve(RAW, 0, 1 << 10);
}

/** Enters a member into a node of a plan that is being built. */
export function enter(plan: usize, node: u32, keep: u32, hash: u32, name: u32, length: u32): void {
  S.plan = plan;
  enterMember(node, keep, hash, name, length);
}

/** Starts a new document under a plan. */
export function begin(plan: usize): void {
  const salt = S.salt;
  // Bytes of zero, without the call that a fill is.
  for (let i: usize = 0; i < offsetof<State>(); i += 16) v128.store(changetype<usize>(S) + i, i64x2.splat(0));
  S.salt = salt;
  S.plan = plan;
  const limits = changetype<Plan>(plan);
  S.tokens = limits.tokens;
  S.depthLimit = limits.depth;
  S.memberLimit = limits.members;
  S.itemLimit = limits.items;
  S.nameLimit = limits.nameBytes;
  S.stringLimit = limits.stringBytes;
  S.numberLimit = limits.numberBytes;
  S.numbersAsStrings = limits.numbersAsStrings;
  S.foldNames = limits.foldNames;
  S.plainNames = limits.foldNames != 0 ? 0 : min<u32>(limits.nameBytes, 0xffff_fffe) + 1;
  // No tags stand behind the free end.
  Tags.clear(TAGS.base);
  S.kept = KEPT.base;
  S.out = KEPT.base;
  S.due = DUE_VALUE;
  const document = At.level(0);
  document.kind = LEVEL_DOCUMENT;
  document.keep = 0;
  document.keepChild = changetype<Plan>(plan).keep;
  document.emitted = 0;
  document.names = 0;
  document.arena = 0;
  document.table = 0;
  document.mask = 0;
  document.room = 0xffff_ffff;
}

/** How a window is trusted: not at all, UTF-8 and cut between characters, or so if it is ASCII. */
const UNKNOWN: u32 = 2;

/**
 * Scans `length` bytes that the host has put into the window. Returns a fault code, or ASK_UTF8 where `trust` is UNKNOWN
 * and there are bytes beyond ASCII: nothing has happened then.
 */
export function scan(length: u32, trust: u32): u32 {
  const end = WINDOW + length;
  clearBehind(end);
  if (trust == UNKNOWN) {
    if (!isAscii(WINDOW, end)) return ASK_UTF8;
    trust = 1;
  }
  S.trusted = trust;
  S.sawBlank = 0;
  reserveNames(length / 4 + 8);
  reserve(ARENA, S.arena, S.arena + length);
  reserveKept(length);

  let p = WINDOW;
  while (p < end) {
    if (trust != 0 && isFastPlace(load<u8>(p))) p = readFast(p);
    if (p < end) p = readExactly(p, end);
    if (S.faultCode != OK) break;
  }
  if (S.faultCode != OK) {
    const before = S.faultOffset - S.base;
    if (before > 0) countLines(WINDOW, WINDOW + <usize>before);
    return S.faultCode;
  }
  if (S.sawBlank != 0) countLines(WINDOW, end);
  S.base += <f64>length;
  return OK;
}

/** The body is complete; the document may not be. */
export function finish(): u32 {
  S.trusted = 0;
  // Outside of arrays and objects nothing but the end of the body ends a number.
  if (S.due == DUE_NUMBER && S.depth == 0 && isCompleteNumber()) finishNumber();
  else if (S.due == DUE_FOREIGN) refuse(UTF8, S.sequenceStart);
  else if (S.kind == KIND_NONE) refuse(EMPTY, S.base);
  else if (S.due != DUE_NOTHING) refuse(TRUNCATED, S.base);
  return S.faultCode;
}

/** All of `begin`, `scan` and `finish`, for a document that is whole in the window. */
export function scanWhole(plan: usize, length: u32, trust: u32): u32 {
  begin(plan);
  const code = scan(length, trust);
  return code != OK ? code : finish();
}

function clearBehind(end: usize): void {
  for (let i: usize = 0; i < SLACK; i += 16) v128.store(end + i, i64x2.splat(0));
}

function isAscii(p: usize, end: usize): bool {
  let all = i64x2.splat(0);
  // Zeros stand behind the end.
  for (; p < end; p += 32) all = v128.or(all, v128.or(v128.load(p), v128.load(p + 16)));
  return i8x16.bitmask(all) == 0;
}
