import type { Problem } from '../fault/index.js';
import { type Link, parseLinks, type ResponseHeaders } from '../upstream/index.js';
import type { LinkRules } from './contract.js';
import type { ContractDefinition, ResponseDefinition } from './definition.js';
import { ABSENT, NO_WAY } from './follow.js';
import { below, type Place, problemAt } from './place.js';

/** Relation types of pages (RFC 8288 section 4.2 and the registry it made). */
export const PAGE_RELS = ['next', 'prev', 'previous', 'first', 'last'] as const;

/** What `links` says of an alternative; undefined where it says nothing. */
export function compileLinks(
  { links, select }: ResponseDefinition,
  place: Place,
  { request }: ContractDefinition,
  problems: Problem[],
): LinkRules | undefined {
  if (links === undefined) return undefined;
  const at = below(place, 'links');
  const say = (message: string, remedy: string): void => {
    problems.push(problemAt(at, { rule: 'links', message, remedy, atKey: true }));
  };
  if (select === undefined) say('a failure has no further pages', 'remove links, or select a result');
  if (Object.keys(request.query ?? {}).length === 0) {
    say(
      'the request declares no query parameter, so that no link to another page can be kept',
      'declare under request.query what the links carry, such as page',
    );
  }
  if (links === 'rewrite') return { rels: new Set(PAGE_RELS), paths: [] };
  return {
    rels: new Set(PAGE_RELS.filter((rel) => links.rewrite.includes(rel))),
    paths: (links.paths ?? []).map((path) =>
      path
        .slice(1)
        .split('/')
        .map((segment) => (/^\{[^{}]*\}$/.test(segment) ? undefined : segment)),
    ),
  };
}

/** The one link of a relation type: ABSENT where there is none, NO_WAY where that cannot be told for sure. */
export function linkOf(headers: ResponseHeaders, rel: string): Link | typeof ABSENT | typeof NO_WAY {
  const links = parseLinks(headers.all('link'));
  if (links === undefined) return NO_WAY;
  const [link, another] = links.filter((one) => !one.isElsewhere && one.rels.includes(rel));
  if (link === undefined) return ABSENT;
  return another === undefined ? link : NO_WAY;
}

/** The value of a query parameter of the link of a relation type; NO_WAY where the link does not have it exactly once. */
export function linkParameter(headers: ResponseHeaders, rel: string, name: string): unknown {
  const link = linkOf(headers, rel);
  if (typeof link === 'symbol') return link;
  const { target } = link;
  const query = /^[^?#]*\?([^#]*)/.exec(target)?.[1] ?? '';
  const values: string[] = [];
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    const key = decoded(equals < 0 ? piece : piece.slice(0, equals));
    if (key !== name) continue;
    const value = decoded(equals < 0 ? '' : piece.slice(equals + 1));
    if (value === undefined) return NO_WAY;
    values.push(value);
  }
  const [value] = values;
  return values.length === 1 && value !== undefined ? value : NO_WAY;
}

/** A part of a query as forms write it (application/x-www-form-urlencoded). */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
