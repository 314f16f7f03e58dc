import {
  Bytes,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes';
import {
  DEPTH,
  DROP,
  ITEMS,
  KEEP,
  KIND_ARRAY,
  KIND_LITERAL,
  KIND_NUMBER,
  KIND_OBJECT,
  KIND_STRING,
  MEMBERS,
  OK,
  SURROGATE,
  SYNTAX,
  TOKENS,
  TRAILING,
  UTF8,
} from './codes';
import { endNumber, isCompleteNumber, openNumber, readNumber } from './exact-number';
import { openString, readString, STRING_CLOSED } from './exact-string';
import { refuse } from './fault';
import { beginForeign, readForeign } from './foreign';
import { reserve } from './heap';
import { Kept } from './kept';
import { closeLevel, endValue, innermost, isInObject, noteKind, openLevel } from './levels';
import { isWholeLiteral, openLiteral, readLiteral } from './literal';
import { addTakenName, copyName, takeName } from './name';
import {
  DUE_COLON,
  DUE_COMMA_OR_END,
  DUE_FOREIGN,
  DUE_ITEM_OR_END,
  DUE_LITERAL,
  DUE_NAME,
  DUE_NAME_OR_END,
  DUE_NAME_TEXT,
  DUE_NOTHING,
  DUE_NUMBER,
  DUE_STRING,
  DUE_VALUE,
  LEVEL_ARRAY,
  LEVEL_OBJECT,
  RAW,
  S,
} from './state';
import { Text } from './text';
import { offsetOf } from './window';

/**
 * The rules, byte by byte: the plain scanner of the host over again, and told here only where it differs. It is for what
 * the fast path leaves: tokens that go over a window, rare spellings, and all that is refused, so that a fault is
 * only ever made here.
 */

/**
 * Reads on from `p` until a fault, the end, or, where the fast path may take over, the next place where it can. Returns
 * where it stands.
 */
export function readExactly(p: usize, end: usize): usize {
  const fast = S.trusted != 0;
  while (p < end) {
    p = read(p, end);
    if (S.faultCode != 0 || (fast && p < end && isFastPlace(load<u8>(p)))) break;
  }
  return p;
}

/** See readFast for where it starts. */
export function isFastPlace(byte: u32): bool {
  const due = S.due;
  if (due == DUE_NAME || due == DUE_NAME_OR_END) return byte == QUOTE;
  if (due == DUE_VALUE || due == DUE_ITEM_OR_END) {
    if (S.depth == 0) return byte == OPEN_BRACE || byte == OPEN_BRACKET;
    return !Bytes.isBlank(byte) && byte != CLOSE_BRACKET && !isInObject();
  }
  return false;
}

function read(p: usize, end: usize): usize {
  switch (S.due) {
    case DUE_STRING:
    case DUE_NAME_TEXT:
      return readText(p, end);
    case DUE_NUMBER:
      return readDigits(p, end);
    case DUE_LITERAL:
      if (!readLiteral(load<u8>(p))) refuseByte(load<u8>(p), p);
      else if (isWholeLiteral()) afterValue();
      return p + 1;
    case DUE_FOREIGN:
      readForeign(load<u8>(p));
      return p + 1;
    default:
      return readBetween(load<u8>(p), p);
  }
}

function readBetween(byte: u32, p: usize): usize {
  if (Bytes.isBlank(byte)) {
    S.sawBlank = 1;
    return Text.skipBlank(p);
  }
  switch (S.due) {
    case DUE_VALUE:
      return startValue(byte, p);
    case DUE_ITEM_OR_END:
      if (byte != CLOSE_BRACKET) return startValue(byte, p);
      close(byte);
      break;
    case DUE_NAME_OR_END:
      if (byte == CLOSE_BRACE) close(byte);
      else startName(byte, p);
      break;
    case DUE_NAME:
      startName(byte, p);
      break;
    case DUE_COLON:
      readColon(byte, p);
      break;
    case DUE_COMMA_OR_END:
      readAfterValue(byte, p);
      break;
    default:
      refuse(TRAILING, offsetOf(p));
  }
  return p + 1;
}

function readColon(byte: u32, p: usize): void {
  if (byte != COLON) {
    refuseByte(byte, p);
    return;
  }
  if (innermost().keepChild != DROP) Kept.put(byte);
  S.due = DUE_VALUE;
}

function readAfterValue(byte: u32, p: usize): void {
  const isObject = isInObject();
  if (byte == COMMA) {
    if (innermost().keep == KEEP) Kept.put(byte);
    S.reading = isObject ? 0 : 1;
    S.due = isObject ? DUE_NAME : DUE_VALUE;
  } else if (byte == (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
    close(byte);
  } else {
    refuseByte(byte, p);
  }
}

function kindOf(byte: u32): u32 {
  if (byte == QUOTE) return KIND_STRING;
  if (byte == OPEN_BRACE) return KIND_OBJECT;
  if (byte == OPEN_BRACKET) return KIND_ARRAY;
  if (byte == LOWER_T || byte == LOWER_F || byte == LOWER_N) return KIND_LITERAL;
  return byte == MINUS || Bytes.isDigit(byte) ? KIND_NUMBER : 0;
}

function startValue(byte: u32, p: usize): usize {
  const kind = kindOf(byte);
  if (kind == 0) {
    refuseByte(byte, p);
    return p + 1;
  }
  const code = admitValue(kind);
  if (code != 0) {
    refuse(code, offsetOf(p));
    return p;
  }
  S.start = offsetOf(p);
  noteKind(kind);
  const level = innermost();
  const keep = level.keepChild;
  S.keep = keep;
  if (keep != DROP && level.keep > KEEP && level.kind == LEVEL_ARRAY) {
    if (level.emitted != 0) Kept.put(COMMA);
    level.emitted = 1;
  }
  switch (kind) {
    case KIND_OBJECT:
    case KIND_ARRAY:
      if (keep != DROP) Kept.put(byte);
      openLevel(kind == KIND_OBJECT ? LEVEL_OBJECT : LEVEL_ARRAY, keep);
      S.due = kind == KIND_OBJECT ? DUE_NAME_OR_END : DUE_ITEM_OR_END;
      return p + 1;
    case KIND_STRING:
      if (keep != DROP) Kept.put(byte);
      openString();
      S.due = DUE_STRING;
      return p + 1;
    case KIND_NUMBER:
      // It has no opening byte; nor has a literal.
      openNumber();
      S.due = DUE_NUMBER;
      return p;
    default:
      openLiteral(byte);
      S.due = DUE_LITERAL;
      return p;
  }
}

function admitValue(kind: u32): u32 {
  const level = innermost();
  if (level.kind == LEVEL_ARRAY && level.room == 0) return ITEMS;
  if (S.tokens == 0) return TOKENS;
  if ((kind == KIND_OBJECT || kind == KIND_ARRAY) && S.depth >= S.depthLimit) return DEPTH;
  S.tokens -= 1;
  return 0;
}

function startName(byte: u32, p: usize): void {
  if (byte != QUOTE) {
    refuseByte(byte, p);
    return;
  }
  const code = innermost().room == 0 ? MEMBERS : S.tokens == 0 ? TOKENS : 0;
  if (code != 0) {
    refuse(code, offsetOf(p));
    return;
  }
  S.tokens -= 1;
  S.start = offsetOf(p);
  openString();
  S.due = DUE_NAME_TEXT;
}

function close(byte: u32): void {
  if (innermost().keep != DROP) Kept.put(byte);
  closeLevel();
  afterValue();
}

function readText(p: usize, end: usize): usize {
  const isName = S.due == DUE_NAME_TEXT;
  p = readString(p, end, isName);
  if (S.part != STRING_CLOSED || S.faultCode != 0) return p;
  if (isName) {
    endName();
    S.due = DUE_COLON;
  } else {
    endString();
  }
  return p;
}

function endName(): void {
  reserve(RAW, S.length, S.length);
  const code = takeName(RAW.base, S.length);
  // Before it is refused too: the pointer leads to its member.
  addTakenName();
  if (code == OK) copyName(RAW.base, S.length);
  else refuse(code, S.start);
}

function endString(): void {
  if (S.keep != DROP && S.loneSurrogate != 0) {
    refuse(SURROGATE, S.start);
    return;
  }
  if (S.keep != DROP) Kept.put(QUOTE);
  afterValue();
}

function readDigits(p: usize, end: usize): usize {
  p = readNumber(p, end);
  if (p == end || S.faultCode != 0) return p;
  if (isCompleteNumber()) {
    finishNumber();
    return p;
  }
  refuseByte(load<u8>(p), p);
  return p + 1;
}

/** At its end, or at the end of the body. */
export function finishNumber(): void {
  endNumber();
  if (S.faultCode == 0) afterValue();
}

function afterValue(): void {
  endValue();
  S.due = S.depth == 0 ? DUE_NOTHING : DUE_COMMA_OR_END;
}

function refuseByte(byte: u32, p: usize): void {
  if (byte < 0x80) refuse(SYNTAX, offsetOf(p));
  else if (beginForeign(byte, p)) S.due = DUE_FOREIGN;
  else refuse(UTF8, offsetOf(p));
}
