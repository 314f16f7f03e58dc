import { MAX_SEGMENT_UNITS, MAX_SEGMENTS } from '../../../src/json/index.js';
import { formatPointer } from '../../../src/json/pointer.js';
import { KEEP, type Projection } from '../../../src/json/projection.js';
import { NameSet } from './name-set.js';

/** An array or object that is open. */
export interface Level {
  readonly kind: 'array' | 'object';
  /** How it is kept; undefined: it is dropped. */
  readonly keep: Projection | undefined;
  /** An item or member of it has been kept, so that the next one needs a comma. */
  emitted: boolean;
  /** Items or members that are complete. */
  complete: number;
  /** One of its values is being read or is due; false between values. */
  reading: boolean;
}

export interface ArrayLevel extends Level {
  readonly kind: 'array';
}

export interface ObjectLevel extends Level {
  readonly kind: 'object';
  /** Names so far. */
  readonly names: NameSet;
  /** The name last read, unescaped. */
  name: string;
  /** How the value of that name is kept. */
  keepMember: Projection | undefined;
}

export type OpenLevel = ArrayLevel | ObjectLevel;

const ELLIPSIS = '\u2026';

/** The arrays and objects around the place that is being read, outermost first. A list, not a recursion. */
export class Nesting {
  private readonly levels: OpenLevel[] = [];

  get depth(): number {
    return this.levels.length;
  }

  get innermost(): OpenLevel | undefined {
    return this.levels.at(-1);
  }

  openArray(keep: Projection | undefined): void {
    this.levels.push({ kind: 'array', keep, emitted: false, complete: 0, reading: true });
  }

  openObject(keep: Projection | undefined, caseInsensitive: boolean): void {
    const names = new NameSet(caseInsensitive);
    this.levels.push({
      kind: 'object',
      keep,
      emitted: false,
      complete: 0,
      reading: false,
      names,
      name: '',
      keepMember: undefined,
    });
  }

  close(): void {
    this.levels.pop();
  }

  clear(): void {
    this.levels.length = 0;
  }

  /** Pointer to the value being read or due, else to the innermost array or object. Bounded: names are upstream text. */
  pointer(): string {
    const segments: string[] = [];
    for (const level of this.levels) {
      if (!level.reading) break;
      if (segments.length === MAX_SEGMENTS) {
        segments.push(ELLIPSIS);
        break;
      }
      segments.push(level.kind === 'array' ? String(level.complete) : cut(level.name));
    }
    return formatPointer(segments);
  }
}

function cut(name: string): string {
  if (name.length <= MAX_SEGMENT_UNITS) return name;
  // Never half a surrogate pair.
  return name.slice(0, MAX_SEGMENT_UNITS).replace(/[\ud800-\udbff]$/, '') + ELLIPSIS;
}

/** How a member of an object that is kept as `keep` is kept itself. */
export function projectMember(keep: Projection | undefined, name: string): Projection | undefined {
  return keep === undefined || keep === KEEP ? keep : keep.members.get(name);
}

/** How the items of an array that is kept as `keep` are kept themselves. */
export function projectItem(keep: Projection | undefined): Projection | undefined {
  return keep === undefined || keep === KEEP ? keep : keep.items;
}
