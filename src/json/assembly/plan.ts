import { equalBytes } from './bytes';
import { DROP } from './codes';
import { S } from './state';

/**
 * A node of a projection, what the host calls a Pick: how items are kept, and an open table of members by the hash of
 * their names. Places are relative to the plan. The host lays nodes out (src/json/wasm/plan.ts).
 */
@final
@unmanaged
export class Node {
  keepItems: u32 = 0;
  /** Entries less one; a power of two, at least twice the members. Entries follow. */
  mask: u32 = 0;
  pad0: u32 = 0;
  pad1: u32 = 0;
}

@final
@unmanaged
export class Entry {
  /** DROP where the entry is free. */
  keep: u32 = 0;
  hash: u32 = 0;
  /** Where in the plan the name is. */
  name: u32 = 0;
  length: u32 = 0;
}

const NODE_BYTES: u32 = 16;
const ENTRY_BYTES: u32 = 16;

/** How the member of this name is kept under a node. */
export function keepMember(node: u32, name: usize, length: u32, hash: u32): u32 {
  const plan = S.plan;
  const at = plan + node;
  const mask = changetype<Node>(at).mask;
  let i = hash & mask;
  while (true) {
    const entry = changetype<Entry>(at + NODE_BYTES + i * ENTRY_BYTES);
    const keep = entry.keep;
    if (keep == DROP) return DROP;
    if (entry.hash == hash && entry.length == length && equalBytes(plan + entry.name, name, length)) return keep;
    i = (i + 1) & mask;
  }
}

@final
@unmanaged
export class Keep {
  /** keepMember, which most names need not be asked about: nothing is where theirs would be. */
  @inline
  static ofMember(node: u32, name: usize, length: u32, hash: u32): u32 {
    const at = S.plan + node;
    const first = changetype<Entry>(at + NODE_BYTES + (hash & changetype<Node>(at).mask) * ENTRY_BYTES);
    return first.keep == DROP ? DROP : keepMember(node, name, length, hash);
  }

  /** How the items of an array are kept that is kept as `keep` itself. */
  @inline
  static ofItems(keep: u32): u32 {
    return keep > 1 ? changetype<Node>(S.plan + keep).keepItems : keep;
  }
}

/** Fills the table of a node: entries come one after another in `names`, without places. */
export function enter(node: u32, keep: u32, hash: u32, name: u32, length: u32): void {
  const at = S.plan + node;
  const mask = changetype<Node>(at).mask;
  let i = hash & mask;
  while (changetype<Entry>(at + NODE_BYTES + i * ENTRY_BYTES).keep != DROP) i = (i + 1) & mask;
  const entry = changetype<Entry>(at + NODE_BYTES + i * ENTRY_BYTES);
  entry.keep = keep;
  entry.hash = hash;
  entry.name = name;
  entry.length = length;
}
