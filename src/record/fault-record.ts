import type { FaultDetail, RelatedFinding } from '../fault/index.js';

/** Findings beyond the first that a record keeps. */
export const MAX_RELATED = 8;

/** UTF-16 units of a pointer or a sentence in a record. */
const LONG = 512;
/** The same for a related finding, of which there are several. */
const MEDIUM = 256;
/** Names: rules, keywords, check ids. */
const SHORT = 64;

/**
 * A fault as it stands in the audit record: the same members in a fixed order, at most 8 related findings, every
 * string cut, so that a line has a bounded size whatever an upstream did. Null stays null.
 */
export function faultRecord(detail: FaultDetail | null): FaultDetail | null {
  if (detail === null) return null;
  return {
    ...(detail.agent !== undefined && { agent: detail.agent }),
    ...(detail.instance !== undefined && { instance: cut(detail.instance, LONG) }),
    ...(detail.schema !== undefined && { schema: cut(detail.schema, LONG) }),
    ...(detail.offset !== undefined && { offset: detail.offset }),
    ...(detail.line !== undefined && { line: detail.line }),
    ...(detail.column !== undefined && { column: detail.column }),
    ...(detail.rule !== undefined && { rule: cut(detail.rule, MEDIUM) }),
    ...(detail.note !== undefined && { note: cut(detail.note, LONG) }),
    ...(detail.retryAfter !== undefined && { retryAfter: detail.retryAfter }),
    ...(detail.related !== undefined && { related: detail.related.slice(0, MAX_RELATED).map(finding) }),
  };
}

function finding(found: RelatedFinding): RelatedFinding {
  return {
    instance: cut(found.instance, MEDIUM),
    schema: cut(found.schema, MEDIUM),
    rule: cut(found.rule, SHORT),
  };
}

/** The text, or its first `most` UTF-16 units with an ellipsis as the last of them, never half a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
