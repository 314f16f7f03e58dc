import { foldCase } from '../../../src/json/case-fold.js';

/**
 * The member names of one open object, as code units after unescaping. Adding is constant time whatever the names are:
 * the hash of a JavaScript string is seeded per process, except that engines before the fix of CVE-2026-21717 take a
 * string of decimal digits for its own hash. No key here is one: each gets a mark in front.
 */
export class NameSet {
  private readonly exact = new Set<string>();
  private readonly folded: Set<string> | undefined;

  constructor(caseInsensitive: boolean) {
    this.folded = caseInsensitive ? new Set() : undefined;
  }

  /** Adds a name; says whether it, or one that differs only in case, was there already. */
  add(name: string): 'new' | 'same' | 'same-but-case' {
    if (!addKey(this.exact, name)) return 'same';
    if (this.folded !== undefined && !addKey(this.folded, foldCase(name))) return 'same-but-case';
    return 'new';
  }
}

/** False when the set had it. */
function addKey(set: Set<string>, name: string): boolean {
  const before = set.size;
  set.add(`:${name}`);
  return set.size > before;
}
