import type { Alternative } from '../contract/index.js';
import { Fault } from '../fault/index.js';
import { NdjsonScanner, positionIn, TextScanner } from '../json/index.js';
import { scanPlans } from './scan-plans.js';
import type { Transported } from './stages.js';

/** Reads a body that is not one JSON document, chunk by chunk. */
export interface BodyReader {
  write(chunk: Uint8Array): Fault | undefined;
  end(): { readonly value: unknown } | Fault;
}

const INCOMPLETE: BodyReader = {
  write: () => new Fault('BYT_INCOMPLETE'),
  end: () => new Fault('BYT_INCOMPLETE'),
};

/** The reader of a body that is not one JSON document; undefined for one that is. */
export function otherReader(transported: Transported): BodyReader | undefined {
  const { plan, group, candidates, body, answer, coding } = transported;
  const { scan } = plan.limits;
  // RFC 9112 section 6.3 (8): without length the end of the connection is the end of the body, cut or not. No text shows
  // that it is whole, and after any line there could have been another; a decoder proves the end of a compressed one.
  if (body !== 'json' && answer.closeDelimited && coding === 'identity') return INCOMPLETE;
  if (body === 'text') return new TextScanner(scan.stringBytes);
  if (body !== 'ndjson' || group.lines === undefined) return undefined;
  const line = scanPlans(plan).lines.get(group);
  if (line === undefined) throw new Error('a status group that the contract does not have');
  const declared = candidates[0]?.maxLines;
  const isDeclared = declared !== undefined && declared <= scan.items;
  return new NdjsonScanner({
    line,
    keepsLines: group.lines.keepsLines,
    maxLines: isDeclared ? declared : scan.items,
    limitName: isDeclared ? 'parse.ndjson.max' : 'limits.items',
  });
}

/**
 * What a text means: the alternative whose pattern it matches, and the groups of that. None is PRS_PATTERN, at the first
 * byte that fits no pattern any more; more than one is CON_AMBIGUOUS.
 */
export function readText(
  text: string,
  candidates: readonly Alternative[],
): { readonly candidates: readonly Alternative[]; readonly value: unknown } | Fault {
  let found: { readonly alternative: Alternative; readonly value: unknown } | undefined;
  for (const alternative of candidates) {
    const value = alternative.pattern?.match(text);
    if (value === undefined) continue;
    if (found !== undefined) {
      const note = `also ${pointerOf(alternative)}`;
      return new Fault('CON_AMBIGUOUS', { schema: pointerOf(found.alternative), note });
    }
    found = { alternative, value };
  }
  return found === undefined
    ? unmatched(text, candidates)
    : { candidates: [found.alternative], value: found.value };
}

function unmatched(text: string, candidates: readonly Alternative[]): Fault {
  let furthest = -1;
  let closest = candidates[0];
  for (const alternative of candidates) {
    const fits = alternative.pattern?.fits(text) ?? -1;
    if (fits <= furthest) continue;
    furthest = fits;
    closest = alternative;
  }
  const schema = closest === undefined ? '' : `${pointerOf(closest)}/parse/pattern`;
  if (furthest < 0) return new Fault('PRS_PATTERN', { schema });
  const body = Buffer.from(text);
  const position = positionIn(body, Buffer.byteLength(text.slice(0, furthest)));
  const note = position.offset === body.byteLength ? 'the text ends too early' : undefined;
  return new Fault('PRS_PATTERN', { schema, ...position, ...(note === undefined ? {} : { note }) });
}

function pointerOf(alternative: Alternative): string {
  return `/responses/${alternative.index}`;
}
