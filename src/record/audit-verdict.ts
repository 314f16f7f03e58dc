import type { ChainPoint } from './audit-line.js';

/** Why a chain does not hold, by the first line that is wrong. */
export type AuditReason =
  /** A line's bytes are not those that the next line was chained to. */
  | 'changed'
  /** Sequence numbers are missing and stand nowhere later. */
  | 'dropped'
  /** A line stands where the chain has no place for it. */
  | 'inserted'
  /** A line stands before one that it follows. */
  | 'reordered'
  /** The last line of the last file has no line feed: a crash, not sealed yet, or a write that is under way. */
  | 'torn'
  /** A line is no JSON and no seal accounts for it. */
  | 'not-json'
  /** The chain does not contain the anchor. */
  | 'anchor'
  /** A file could not be read. */
  | 'unreadable';

/** Remains of a write that a crash cut short, accounted for by a seal. */
export interface SealedPlace {
  readonly file: string;
  /** First line of the remains, from 1. */
  readonly line: number;
  readonly bytes: number;
}

export interface AuditHolds {
  readonly ok: true;
  readonly files: readonly string[];
  /** Records, without seals and gap lines. */
  readonly records: number;
  readonly sealed: readonly SealedPlace[];
  /** Appends that gap lines say were refused. */
  readonly refused: number;
  /** The first line, and what it names as the line before it; null where there is no line. */
  readonly first: { readonly seq: number; readonly prev: string } | null;
  /** The last line: keep it elsewhere as an anchor. */
  readonly last: ChainPoint | null;
  /** `held`: the chain contains the anchor given. `older`: the anchor is from before the first line. Null: none was given. */
  readonly anchor: 'held' | 'older' | null;
}

export interface AuditBroken {
  readonly ok: false;
  readonly file: string;
  /** From 1; 0 where no line is to blame. */
  readonly line: number;
  /** Sequence number of the record that is wrong or missing, null where the line has none. */
  readonly seq: number | null;
  readonly reason: AuditReason;
  /** One sentence. */
  readonly detail: string;
  /** The last line up to which the chain holds. */
  readonly last: ChainPoint | null;
}

export type AuditVerdict = AuditHolds | AuditBroken;

/** The verdict as a person reads it, with the head to be anchored. Ends in a line feed. */
export function formatVerdict(verdict: AuditVerdict): string {
  if (!verdict.ok) {
    const at = verdict.line === 0 ? verdict.file : `${verdict.file}:${verdict.line}`;
    const upTo = verdict.last === null ? '' : `  the chain holds up to seq ${verdict.last.seq}\n`;
    return `${at}: ${verdict.reason}: ${verdict.detail}\n${upTo}`;
  }
  const { first, last, files, records, sealed, refused, anchor } = verdict;
  const lines = [`${plural(records, 'record')} in ${plural(files.length, 'file')}, chain intact`];
  if (first !== null && last !== null) {
    lines.push(
      `  first ${first.seq}${first.seq === 1 ? '' : ` (what came before, ${first.prev}, is not here)`}`,
    );
    lines.push(`  head  ${last.seq} ${last.sha256}`);
  }
  for (const { file, line, bytes } of sealed)
    lines.push(`  sealed ${file}:${line}, ${bytes} bytes of a cut write`);
  if (refused > 0) lines.push(`  ${plural(refused, 'record')} could not be kept, as gap lines say`);
  if (anchor === 'held') lines.push('  contains the anchor');
  if (anchor === 'older') lines.push('  the anchor is older than the first record: not compared');
  return `${lines.join('\n')}\n`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
