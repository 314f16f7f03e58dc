import type { ScanLimits } from '../limits.js';
import { KEEP, type Pick, type Projection } from '../projection.js';
import type { ScanOptions } from '../scan.js';
import { encodeWtf8 } from './wtf8.js';

/**
 * Scan options compiled for the scanner, once per route. It fits every instance; an instance takes it in when it first
 * uses it, and keeps it for the next time.
 */
export interface ScanPlan {
  readonly limits: ScanLimits;
  readonly foldNames: boolean;
  /** Items of an array, as the scanner counts them down. */
  readonly itemLimit: number;
  /** The plan as it lies in the scanner's memory, but for the tables of its nodes, which go by the keyed hash. */
  readonly image: Uint8Array;
  /** What the tables hold. */
  readonly members: readonly PlanMember[];
}

/** A member of a node. Places count from the start of the image. */
export interface PlanMember {
  readonly node: number;
  readonly keep: number;
  readonly name: number;
  readonly length: number;
}

// src/json/assembly/state.ts, Plan; src/json/assembly/plan.ts, Node and Entry.
const PLAN_BYTES = 48;
const NODE_BYTES = 16;
const ENTRY_BYTES = 16;
/** Bytes behind a name that may be read with it. */
const SLACK = 16;

/** The scanner counts in 32 bits; a higher limit is this one. */
const LARGEST_LIMIT = 0xffff_ffff;

const DROPPED = 0;
const KEPT_WHOLE = 1;

export function compileScanPlan(options: ScanOptions): ScanPlan {
  const picks = reachablePicks(options.projection);
  const places = new Map<Pick, number>();
  let size = PLAN_BYTES;
  for (const pick of picks) {
    places.set(pick, size);
    size += NODE_BYTES + entriesFor(pick) * ENTRY_BYTES;
  }
  const keepOf = (projection: Projection | undefined): number => {
    if (projection === undefined) return DROPPED;
    return projection === KEEP ? KEPT_WHOLE : (places.get(projection) ?? DROPPED);
  };

  const names: { at: number; bytes: Uint8Array }[] = [];
  const members: PlanMember[] = [];
  for (const [pick, node] of places) {
    for (const [name, projection] of pick.members) {
      const bytes = encodeWtf8(name);
      names.push({ at: size, bytes });
      members.push({ node, keep: keepOf(projection), name: size, length: bytes.length });
      size += bytes.length;
    }
  }

  const image = new Uint8Array(size + SLACK);
  const words = new DataView(image.buffer);
  writeHeader(words, options, keepOf(options.projection));
  for (const [pick, node] of places) {
    words.setUint32(node, keepOf(pick.items), true);
    words.setUint32(node + 4, entriesFor(pick) - 1, true);
  }
  for (const { at, bytes } of names) image.set(bytes, at);
  return {
    limits: options.limits,
    foldNames: options.caseInsensitiveNames ?? false,
    itemLimit: Math.min(options.limits.items, LARGEST_LIMIT),
    image,
    members,
  };
}

function writeHeader(words: DataView, options: ScanOptions, keep: number): void {
  const { limits } = options;
  const fields = [
    keep,
    limits.depth,
    limits.members,
    limits.items,
    limits.tokens,
    limits.nameBytes,
    limits.stringBytes,
    limits.numberBytes,
    options.numbers === 'string' ? 1 : 0,
    options.caseInsensitiveNames === true ? 1 : 0,
  ];
  for (const [i, field] of fields.entries()) words.setUint32(i * 4, Math.min(field, LARGEST_LIMIT), true);
}

/** Every Pick of a projection, each once: Picks may refer to themselves. */
function reachablePicks(projection: Projection): Set<Pick> {
  const found = new Set<Pick>();
  const open: (Projection | undefined)[] = [projection];
  while (open.length > 0) {
    const next = open.pop();
    if (next === undefined || next === KEEP || found.has(next)) continue;
    found.add(next);
    open.push(next.items, ...next.members.values());
  }
  return found;
}

/** A power of two, at least twice the members, so that a search ends soon. */
function entriesFor(pick: Pick): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, pick.members.size) * 2));
}
