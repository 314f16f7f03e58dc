import type { AuditLine, ChainPoint } from './audit-line.js';
import { MAX_READ_LINE_BYTES, type PlacedLine } from './audit-lines.js';
import type { AuditBroken, AuditReason, AuditVerdict, SealedPlace } from './audit-verdict.js';
import { Sha256 } from './digest.js';

const LINE_FEED = Buffer.from('\n');

/** A line that can be read, with its place. */
interface GoodLine {
  readonly at: { readonly file: string; readonly line: number };
  readonly read: AuditLine;
}

/** What follows a line that does not fit, as far as it helps to name what happened. */
interface Ahead {
  /** The next line, where it can be read. */
  readonly next: AuditLine | null;
  /** The sequence number that was expected stands on some later line. */
  readonly expectedLater: boolean;
}

/** One reading of a chain: lines are given in their order, one after the other. */
export class AuditWalk {
  readonly #anchor: ChainPoint | null;
  #anchored: 'held' | 'older' | null = null;
  #first: AuditLine | null = null;
  #last: GoodLine | null = null;
  #beforeLast: GoodLine | null = null;
  #records = 0;
  #refused = 0;
  readonly #sealed: SealedPlace[] = [];

  constructor(anchor: ChainPoint | null) {
    this.#anchor = anchor;
  }

  /**
   * Takes the next line. Where it does not fit, reads on in `rest` until a seal accounts for it, or to the end to say what
   * happened. Null: the chain holds so far.
   */
  async take(line: PlacedLine, rest: AsyncGenerator<PlacedLine, undefined>): Promise<AuditBroken | null> {
    const good = goodLine(line);
    if (good !== null && this.#fits(good.read)) return this.#accept(good);
    const remains = new Sha256().update(line.bytes);
    let sealable = true;
    let next: AuditLine | null = null;
    let expectedLater = false;
    let count = 0;
    for (let step = await rest.next(); !step.done; step = await rest.next()) {
      const later = step.value;
      const read = goodLine(later);
      // Remains and their seal stand in one file, within a bound.
      sealable &&= later.file === line.file && remains.bytes <= MAX_READ_LINE_BYTES;
      if (sealable && read !== null && this.#fits(read.read) && accountsFor(read.read, remains)) {
        this.#sealed.push({ file: line.file, line: line.line, bytes: remains.bytes });
        return this.#accept(read);
      }
      if (sealable) remains.update(LINE_FEED).update(later.bytes);
      if (count++ === 0) next = read?.read ?? null;
      if (read !== null && read.read.seq === this.#expected()) expectedLater = true;
    }
    return this.#blame(line, { next, expectedLater });
  }

  /** The verdict when all lines are taken. */
  end(files: readonly string[]): AuditVerdict {
    const last = pointOf(this.#last);
    const anchor = this.#anchor;
    if (anchor !== null && this.#anchored === null) {
      const at = { file: this.#last?.at.file ?? files.at(-1) ?? '', line: this.#last?.at.line ?? 0 };
      const detail = `the chain ends at seq ${last?.seq ?? 0}, before the anchor ${anchor.seq}: its end is missing`;
      return this.#broken(at, anchor.seq, 'anchor', detail);
    }
    return {
      ok: true,
      files,
      records: this.#records,
      sealed: this.#sealed,
      refused: this.#refused,
      first: this.#first && { seq: this.#first.seq, prev: this.#first.prev },
      last,
      anchor: this.#anchored,
    };
  }

  #expected(): number | null {
    return this.#last === null ? null : this.#last.read.seq + 1;
  }

  /** The oldest line present fits whatever it names. */
  #fits(line: AuditLine): boolean {
    return (
      this.#last === null || (line.seq === this.#last.read.seq + 1 && line.prev === this.#last.read.sha256)
    );
  }

  #accept(line: GoodLine): AuditBroken | null {
    const { read } = line;
    const anchor = this.#anchor;
    if (anchor !== null) {
      if (this.#first === null && anchor.seq < read.seq) this.#anchored = 'older';
      const is = anchor.seq === read.seq ? read.sha256 : null;
      // The oldest line present still names the one before it.
      const named = this.#first === null && anchor.seq === read.seq - 1 ? read.prev : null;
      const found = is ?? named;
      if (found !== null && found !== anchor.sha256) {
        return this.#broken(
          line.at,
          anchor.seq,
          'anchor',
          `the record ${anchor.seq} is not the one that was anchored`,
        );
      }
      if (found !== null) this.#anchored = 'held';
    }
    this.#first ??= read;
    this.#beforeLast = this.#last;
    this.#last = line;
    this.#refused += read.refused;
    if (read.kind === 'record') this.#records++;
    return null;
  }

  #blame(line: PlacedLine, { next, expectedLater }: Ahead): AuditBroken {
    const expected = this.#expected();
    if (!line.ended)
      return this.#broken(line, expected, 'torn', 'the last line is not complete and not sealed');
    const here = line.read;
    if (here === null)
      return this.#broken(line, expected, 'not-json', 'the line is not JSON and no seal accounts for it');
    const before = this.#last;
    if (here === 'unchained') {
      const inserted = next !== null && this.#fits(next);
      return inserted
        ? this.#broken(
            line,
            null,
            'inserted',
            'the line is not part of the chain; the next one follows the one before it',
          )
        : this.#broken(
            line,
            expected,
            'changed',
            'the line has no sequence number and digest where they belong',
          );
    }
    if (before === null || expected === null)
      return this.#broken(line, here.seq, 'changed', 'the line does not fit');
    const { read } = before;
    if (here.seq === expected) {
      if (next !== null && this.#fits(next)) {
        return this.#broken(
          line,
          here.seq,
          'inserted',
          `a second record claims seq ${here.seq}; the next one is chained`,
        );
      }
      if (next === null || (next.seq === here.seq + 1 && next.prev === here.sha256)) {
        const detail = `record ${here.seq} is chained to other bytes than these`;
        return this.#broken(before.at, read.seq, 'changed', detail);
      }
      return this.#broken(
        line,
        here.seq,
        'changed',
        `neither the record before nor the one after fits seq ${here.seq}`,
      );
    }
    // Chained to the line before, so nothing is missing: the number itself was altered.
    if (here.prev === read.sha256) {
      return this.#broken(
        line,
        expected,
        'changed',
        `the record says seq ${here.seq} in the place of ${expected}`,
      );
    }
    if (here.seq > expected) {
      return expectedLater
        ? this.#broken(line, here.seq, 'reordered', `seq ${here.seq} stands before seq ${expected}`)
        : this.#broken(
            line,
            expected,
            'dropped',
            `${range(expected, here.seq - 1)} missing before this line`,
          );
    }
    // Two lines claim one place: the one that the next line is chained to is the true one.
    if (here.seq === read.seq && here.sha256 !== read.sha256 && next?.prev === here.sha256) {
      return this.#broken(
        before.at,
        read.seq,
        'inserted',
        `another record has seq ${read.seq}, and the chain goes on from it`,
      );
    }
    return this.#broken(line, here.seq, 'inserted', `seq ${here.seq} stands here a second time`);
  }

  #broken(
    at: { readonly file: string; readonly line: number },
    seq: number | null,
    reason: AuditReason,
    detail: string,
  ): AuditBroken {
    const last = pointOf(at === this.#last?.at ? this.#beforeLast : this.#last);
    return { ok: false, file: at.file, line: at.line, seq, reason, detail, last };
  }
}

function goodLine(line: PlacedLine): GoodLine | null {
  const { read, ended, file } = line;
  return read === null || read === 'unchained' || !ended ? null : { at: { file, line: line.line }, read };
}

function accountsFor({ seal }: AuditLine, remains: Sha256): boolean {
  return seal !== null && seal.bytes === remains.bytes && seal.sha256 === remains.hex();
}

function pointOf(line: GoodLine | null): ChainPoint | null {
  return line === null ? null : { seq: line.read.seq, sha256: line.read.sha256 };
}

function range(from: number, to: number): string {
  return from === to ? `record ${from} is` : `records ${from} to ${to} are`;
}
